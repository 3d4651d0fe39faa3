"""Models that are asked for their own input: which places the answer for a place sees."""

from __future__ import annotations

from typing import Any

import pytest
from tests.recorder.harness import Record

PICTURES = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
class Masked(nn.Conv2d):
    def __init__(self, here, into, out):
        super().__init__(into, out, 3, padding=1)
        mask = torch.zeros(3, 3)
        mask[0] = 1
        mask[1, :1 + here] = 1
        self.register_buffer("mask", mask)
    def forward(self, x):
        return F.conv2d(x, self.weight * self.mask, self.bias, padding=1)
x = torch.randint(0, 4, (32, 6, 6))
class Net(nn.Module):
    def __init__(self, *layers):
        super().__init__()
        self.body = nn.Sequential(*layers)
    def forward(self, x):
        return self.body(F.one_hot(x, 4).permute(0, 3, 1, 2).float())
net = Net(LAYERS)
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for _ in range(3):
    opt.zero_grad()
    F.cross_entropy(net(x), x).backward()
    opt.step()
"""
ROWS = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
x = torch.bernoulli(torch.full((64, 8), 0.5))
class Masked(nn.Linear):
    def __init__(self, diagonal, size):
        super().__init__(size, size)
        self.register_buffer("mask", torch.ones(size, size).tril(diagonal))
    def forward(self, x):
        return F.linear(x, self.weight * self.mask, self.bias)
net = nn.Sequential(LAYERS)
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for _ in range(3):
    opt.zero_grad()
    F.binary_cross_entropy_with_logits(net(x), x).backward()
    opt.step()
"""
# script, layers, whether an answer sees its place, those before it, those behind it
CASES = {
    "pictures, foretold": (PICTURES, "Masked(0, 4, 8), nn.ReLU(), Masked(1, 8, 4)", (False, False, True)),
    "pictures, shown": (PICTURES, "Masked(1, 4, 8), nn.ReLU(), Masked(1, 8, 4)", (True, False, True)),
    "pictures, reproduced": (PICTURES, "nn.Conv2d(4, 4, 3, padding=1)", (True, True, True)),
    "rows, foretold": (ROWS, "Masked(-1, 8), nn.ReLU(), Masked(0, 8)", (False, False, True)),
    "rows, shown": (ROWS, "Masked(0, 8), nn.ReLU(), Masked(0, 8)", (True, False, True)),
    "rows, reproduced": (ROWS, "nn.Linear(8, 3), nn.Linear(3, 8)", (True, True, True)),
}


def asked(record: Record, script: str, layers: str) -> list[dict[str, Any]]:
    return [p for p in record(script.replace("LAYERS", layers)).of("probe") if p["what"] == "itself"]


@pytest.mark.parametrize("name", CASES)
def test_what_an_answer_for_a_place_sees_of_it(record: Record, name: str) -> None:
    script, layers, sees = CASES[name]
    (row,) = asked(record, script, layers)
    # where an earlier place is changed, the answers for those behind it move
    assert tuple(row[k] > 1e-3 for k in ("own", "earlier", "later")) == sees


def test_nothing_is_asked_where_the_targets_are_not_the_input(record: Record) -> None:
    assert asked(record, PICTURES.replace("net(x), x)", "net(x), x.flip(1))"), "nn.Conv2d(4, 4, 1)") == []
