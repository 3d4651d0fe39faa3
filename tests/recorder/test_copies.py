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
    rows = [r for r in run.of("copies") if r["axis"] == "rows"]
    assert [(r["rows"], r["first"], r["last"]) for r in rows] == expected
    assert {run.trace.parameters[r["parameter"]].name for r in run.of("copies")} <= {
        "net.0.weight",
        "0.weight",
    }


TABLES = """
import torch
from torch import nn
torch.manual_seed(0)
users, items = nn.Embedding(20, 8), nn.Embedding(30, 8)
with torch.no_grad():
    for table in (users, items):
        table.weight.copy_({start})
u, i = torch.randint(0, 20, (64,)), torch.randint(0, 30, (64,))
opt = torch.optim.SGD([*users.parameters(), *items.parameters()], lr=0.1)
for _ in range(8):
    opt.zero_grad()
    (users(u) * items(i)).sum(1).sub(u.float() - i).square().mean().backward()
    opt.step()
"""


@pytest.mark.parametrize(
    ("start", "told"), [("table.weight[:, :1].repeat(1, 8)", 2), ("table.weight * 1", 0)]
)
def test_columns_of_a_table_that_are_copies_are_told(record: Record, start: str, told: int) -> None:
    rows = record(TABLES.format(start=start)).of("copies")
    assert [(r["axis"], r["rows"], r["first"], r["last"]) for r in rows] == [("columns", 8, 1, 1)] * told
