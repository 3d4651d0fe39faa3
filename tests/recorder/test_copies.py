"""Units that begin as copies of others, and whether they stay so."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record

SOURCE = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
with torch.no_grad():
    {start}
x = torch.randn(32, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(8):
    opt.zero_grad()
    net(x).sub(x.sum(1, keepdim=True)).square().mean().backward()
    opt.step()
"""
ROWS = "net[0].weight.copy_(net[0].weight[:4].repeat(4, 1)); net[0].bias.zero_()"


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("pass", []),
        (ROWS, [(16, 4, 16)]),  # the weights onwards differ and tell them apart
        (ROWS + "; net[2].weight.fill_(0.3)", [(16, 4, 4)]),
        (ROWS + "; net[0].weight[4:].zero_()", []),  # what is zero is no copy
    ],
)
def test_copies_are_counted_at_the_start_and_at_the_end(
    record: Record, start: str, expected: list[tuple[int, int, int]]
) -> None:
    run = record(SOURCE.format(start=start))
    assert [(r["rows"], r["first"], r["last"]) for r in run.of("copies")] == expected
    assert {run.trace.parameters[r["parameter"]].name for r in run.of("copies")} <= {
        "net.0.weight",
        "0.weight",
    }
