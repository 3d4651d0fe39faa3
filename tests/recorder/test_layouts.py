"""Reshapes that stand where a transpose was meant, told from those that only fold axes."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record

SCRIPT = """
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear({features}, 3)
    def forward(self, x):
        x = {change}
        return self.out(x.reshape(len(x), -1)[:, :{features}])
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    opt.zero_grad()
    nn.functional.cross_entropy(net(torch.randn(8, 10, 6)), torch.arange(8) % 3).backward()
    opt.step()
"""


@pytest.mark.parametrize("change", ["x.view(8, 6, 10)", "x.reshape(-1, x.shape[2], x.shape[1])"])
def test_axes_that_a_reshape_renames_are_recorded_with_their_line(record: Record, change: str) -> None:
    (row,) = record(SCRIPT.format(change=change, features=20)).of("mix")
    assert (row["from"], row["to"]) == ([8, 10, 6], [8, 6, 10])


@pytest.mark.parametrize(
    "change", ["x.transpose(1, 2)", "x.reshape(8, 60)", "x.view(8, 10, 2, 3)", "x.reshape(80, 6)[:8]"]
)
def test_transposes_and_folded_axes_are_sound(record: Record, change: str) -> None:
    assert record(SCRIPT.format(change=change, features=6)).of("mix") == ()
