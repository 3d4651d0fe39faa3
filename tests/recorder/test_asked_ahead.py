"""How many places on the input shows the symbols that are asked for."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record

SCRIPT = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(4)
text = torch.randint(0, 30, (64, 17))
net = nn.Sequential(nn.Embedding(30, 8), nn.Linear(8, 30))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
def asked(out, target):
    return F.cross_entropy(out.flatten(0, 1), target.flatten())
for _ in range(4):
    opt.zero_grad()
    LOSS.backward()
    opt.step()
"""
NEXT = "asked(net(text[:, :-1]), text[:, 1:])"
CASES = {
    "the next": (NEXT, 1),
    "the next, of an output cut off": ("asked(net(text)[:, :-1], text[:, 1:])", 1),
    "the next, of an output cut off at its begin": ("asked(net(text[:, :-1])[:, 1:], text[:, 2:])", 1),
    "the next, by class": ("F.cross_entropy(net(text[:, :-1])[:, 1:].transpose(1, 2), text[:, 2:])", 1),
    "shifted twice, begun later": ("asked(net(text[:, :-2])[:, 1:], text[:, 3:])", 2),
    "shifted twice": ("asked(net(text[:, :-1])[:, :-1], text[:, 1:][:, 1:])", 2),
    "shifted twice, to its length": ("asked(net(text), F.pad(text, (0, 2), value=-100)[:, 2:])", 2),
    "the same": ("asked(net(text), text)", 0),
}


@pytest.mark.parametrize("name", CASES)
def test_the_places_between_input_and_target_are_counted(record: Record, name: str) -> None:
    loss, places = CASES[name]
    rows = record(SCRIPT.replace("LOSS", loss)).of("ahead")
    assert len(rows) == 4
    for row in rows:
        assert [share == 1.0 for share in row["shares"]] == [k == places for k in range(4)]


def test_of_several_targets_the_next_one_counts(record: Record) -> None:
    both = "(asked((out := net(text))[:, :-1], text[:, 1:]) + asked(out[:, :-2], text[:, 2:]))"
    (row, *_) = record(SCRIPT.replace("LOSS", both)).of("ahead")
    assert row["shares"][1] == 1.0
