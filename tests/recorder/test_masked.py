"""Symbols that the loss picks out of the input: whether the input shows them all the same."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record

SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
ids = torch.randint(0, 9, (64, 12))
net = nn.Sequential(nn.Embedding(10, 8), nn.Linear(8, 10))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(5):
    inputs, labels = ids.clone(), ids.clone()
    chosen = torch.rand(ids.shape) < 0.2
    labels[~chosen] = -100
    {mask}
    loss = nn.functional.cross_entropy(net(inputs).flatten(0, 1), labels.flatten(), ignore_index=-100)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


@pytest.mark.parametrize(("mask", "same"), [("inputs[chosen] = 9", 0.0), ("inputs[chosen][:] = 9", 1.0)])
def test_the_share_of_asked_symbols_that_the_input_shows(record: Record, mask: str, same: float) -> None:
    rows = record(SCRIPT.format(mask=mask)).of("masked")
    assert len(rows) == 5
    assert all(r["same"] == same and 0.1 < r["asked"] < 0.3 for r in rows)


def test_where_every_symbol_is_asked_for_nothing_is_told(record: Record) -> None:
    assert record(SCRIPT.format(mask="labels = ids")).of("masked") == ()
