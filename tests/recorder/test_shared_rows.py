"""Tables of indexes that are held out: whether another table of the script has their rows."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Change, Record

SCRIPT = """
import numpy as np
import torch
from torch import nn
rng = np.random.default_rng(0)
pairs = np.stack(np.divmod(rng.permutation(40 * 30), 30), 1)
def fit(loans, held):
    user, item = nn.Embedding(40, 4), nn.Embedding(30, 4)
    opt = torch.optim.SGD([*user.parameters(), *item.parameters()], lr=0.1)
    for step in range(5):
        u, i = torch.from_numpy(loans[rng.integers(0, len(loans), 32)]).T
        loss = -nn.functional.logsigmoid((user(u) * item(i)).sum(1)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
fit({loans}, {held})
"""


@pytest.mark.parametrize(
    ("loans", "held", "share"),
    [
        ("pairs[:900]", "pairs[900:1000]", 0.0),
        ("pairs[:900]", "pairs[820:920]", 0.8),
        ("pairs", "pairs[900:1000]", None),  # what both were cut from
    ],
)
def test_rows_of_a_held_out_table_are_looked_for_in_the_others(
    record: Record, loans: str, held: str, share: float | None
) -> None:
    rows = record(SCRIPT.format(loans=loans, held=held)).of("shared")
    if share is None:
        assert rows == ()
    else:
        (row,) = rows
        assert (row["name"], row["other"], row["rows"], row["share"], row["again"]) == (
            "held",
            "loans",
            100,
            share,
            0.0,
        )


COLUMNS = """
import torch
torch.manual_seed(0)
cells = torch.randperm(1200)
def table(chosen):
    return torch.div(chosen, 30, rounding_mode="floor"), chosen % 30, torch.rand(len(chosen))
{first}, {second} = table(cells[:900]), table(cells[{held}])
a, b = torch.randn(40, 4, requires_grad=True), torch.randn(30, 4, requires_grad=True)
opt = torch.optim.SGD([a, b], lr=0.1)
for step in range(5):
    u, i, r = (c[torch.randint(900, (64,))] for c in {first})
    opt.zero_grad()
    ((a[u] * b[i]).sum(1) - r).square().mean().backward()
    opt.step()
"""


@pytest.mark.parametrize(
    ("first", "second", "held", "share"),
    [
        ("train", "check", "800:900", 1.0),
        ("train", "check", "850:950", 0.5),
        ("train", "valid", "900:1000", 0.0),
        ("ratings", "check", "800:900", None),  # what both were cut from
    ],
)
def test_columns_of_a_tuple_are_a_table(
    record: Record, first: str, second: str, held: str, share: float | None
) -> None:
    rows = record(COLUMNS.format(first=first, second=second, held=held)).of("shared")
    assert [(r["name"], r["other"], r["share"]) for r in rows] == (
        [] if share is None else [(second, first, share)]
    )


GRAPH = """
import torch
from torch import nn
torch.manual_seed(0)
x, y = torch.randn(300, 5), torch.randint(0, 3, (300,))
eye = torch.arange(300)
adj = torch.sparse_coo_tensor(torch.stack([eye, eye]), torch.ones(300), (300, 300)).coalesce()
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(5, 3)
    def forward(self, adj, x):
        return torch.sparse.mm(adj, self.lin(x))
def main():
    split = {"train": torch.arange(0, 150), "valid": {valid}, "train_eval": torch.arange(0, 60)}
    net = Net()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(6):
        net.train()
        opt.zero_grad()
        nn.functional.cross_entropy(net(adj, x)[split["train"]], y[split["train"]]).backward()
        opt.step()
        net.eval()
        with torch.no_grad():
            nn.functional.cross_entropy(net(adj, x)[split["valid"]], y[split["valid"]])
main()
"""


@pytest.mark.parametrize(
    ("valid", "both"),
    [
        ("torch.arange(150, 250)", 0),
        ("torch.arange(100, 200)", 50),
        ("(torch.arange(300) >= 100) & (torch.arange(300) < 200)", 50),  # a mask
    ],
)
def test_answers_that_are_picked_for_both_sides_are_counted(record: Record, valid: str, both: int) -> None:
    run = record(GRAPH.replace("{valid}", valid))
    (row,) = run.of("shared")
    assert (row["name"], row["rows"], len(row["both"]), row["share"]) == (
        "split.valid",
        100,
        both,
        both / 100,
    )
    assert run.of("trouble") == ()
    assert len(run.of("eval")) == 6


def test_nothing_is_learned_from_answers_that_are_left_out(change: Change) -> None:
    source = GRAPH.replace("{valid}", "torch.arange(100, 200)")
    without = change(source, "ignore_samples", rows=list(range(150)))
    assert len(set(without.losses)) == 1, "no answer is left to learn from"
    assert len(set(change(source).losses)) > 1
