"""recorder/near.py: held-out samples with near copies in training, and samples that merely lie close."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record

SOURCE = """
import torch, torch.nn as nn
torch.manual_seed(5)
x = {x}
order = torch.randperm(len(x)) if {mixed} else torch.arange(len(x))
train, held = x[order[:450]], x[order[450:600]]
net = nn.Linear(x.shape[1], 2)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(2):
    for k in range(0, 450, 50):
        opt.zero_grad()
        nn.functional.cross_entropy(net(train[k:k + 50]), torch.zeros(50, dtype=torch.long)).backward()
        opt.step()
    with torch.no_grad():
        net(held[:75]), net(held[75:])
"""
COPIES = "(lambda a: torch.cat([a, a + 0.05 * torch.randn_like(a), a + 0.05 * torch.randn_like(a)]))"
NOT_RELATED = {
    "copies of training alone": (
        "torch.cat([" + COPIES + "(torch.randn(150, 8)), torch.randn(150, 8)])",
        False,
    ),
    "points as they fall": ("torch.randn(600, 6)", True),
    "clusters": ("3 * torch.randn(10, 8).repeat(60, 1) + 0.3 * torch.randn(600, 8)", True),
    "a lattice": ("torch.randint(0, 3, (600, 8)).float()", True),
    "one in many dimensions": ("torch.rand(600, 1) * torch.randn(1, 8) + 0.01 * torch.randn(600, 8)", True),
}


def related(record: Record, x: str, mixed: bool) -> tuple[int, int, int]:
    rows = record(SOURCE.format(x=x, mixed=mixed), max_steps=60).of("near")
    return (
        sum(r["related"] for r in rows),
        sum(r["n"] for r in rows),
        len({h for r in rows for h in r["prints"]}),
    )


def test_held_out_samples_with_noisy_copies_in_training_are_told_with_these(record: Record) -> None:
    some, whole, prints = related(record, COPIES + "(torch.randn(200, 8))", True)
    assert some > 0.85 * whole > 100
    assert 100 < prints <= 300


@pytest.mark.parametrize("kind", NOT_RELATED)
def test_samples_that_only_lie_close_are_no_copies(record: Record, kind: str) -> None:
    some, whole, _ = related(record, *NOT_RELATED[kind])
    assert some < 0.2 * whole


FOLDS = """
import torch, torch.nn as nn
torch.manual_seed(5)
x = torch.randn(600, 8)
for fold in range(3):
    held, train = x[200 * fold:200 * fold + 200], torch.cat([x[:200 * fold], x[200 * fold + 200:]])
    held, train = (held - train.mean(0)) / train.std(0), (train - train.mean(0)) / train.std(0)
    net = {net}
    opt = {optimizer}
    for k in range(0, 400, 50):
        opt.zero_grad()
        nn.functional.cross_entropy(net(train[k:k + 50]), torch.zeros(50, dtype=torch.long)).backward()
        opt.step()
    with torch.no_grad():
        net(held)
"""
ANEW = {"net": "nn.Linear(8, 2)", "optimizer": "torch.optim.SGD(net.parameters(), lr=0.01)"}
ONE = {"net": "net if fold else nn.Linear(8, 2)", "optimizer": f"opt if fold else {ANEW['optimizer']}"}


@pytest.mark.parametrize(("made", "found"), [(ANEW, False), (ONE, True)])
def test_what_an_earlier_fold_learned_from_is_no_copy_for_the_next_one(
    record: Record, made: dict[str, str], found: bool
) -> None:
    rows = record(FOLDS.format(**made), max_steps=60).of("near")
    assert sum(r["n"] for r in rows) > 100
    assert (sum(r["related"] for r in rows) > 100) == found
