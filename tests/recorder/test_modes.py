"""The mode of an evaluation is that of the layers that depend on it."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record

SCRIPT = """
import torch
from torch import nn

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Dropout(0.5))
        self.head = nn.Linear(8, 2)
    def forward(self, x):
        return self.head(self.encoder(x))

net = Model()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(16, 4), torch.arange(16) % 2
for i in range(3):
    MODE
    opt.zero_grad()
    nn.functional.cross_entropy(net(x), y).backward()
    opt.step()
    with torch.no_grad():
        nn.functional.cross_entropy(net(x), y)
"""


@pytest.mark.parametrize(
    ("mode", "expected"),
    [("net.train()", "train"), ("net.train(); net.encoder.eval()", "eval"), ("net.eval()", "eval")],
)
def test_an_encoder_kept_in_eval_mode_is_evaluated_in_eval_mode(
    record: Record, mode: str, expected: str
) -> None:
    rows = record(SCRIPT.replace("MODE", mode)).of("eval")
    assert rows
    assert {m for row in rows for m in row["modes"]} == {expected}


def test_without_layers_that_depend_on_it_the_models_own_mode_is_told(record: Record) -> None:
    plain = SCRIPT.replace("nn.BatchNorm1d(8), nn.Dropout(0.5)", "nn.ReLU(), nn.Dropout(0.0)")
    rows = record(plain.replace("MODE", "net.train()")).of("eval")
    assert {m for row in rows for m in row["modes"]} == {"train"}


@pytest.mark.parametrize(
    ("mode", "blank"),
    [("net.train()", 0), ("net.train(); net.encoder.eval()", 1), ("net.train(i < 1)", 0), ("net.eval()", 1)],
)
def test_batch_norms_that_use_statistics_which_nothing_has_filled_are_counted(
    record: Record, mode: str, blank: int
) -> None:
    rows = record(SCRIPT.replace("MODE", mode)).of("forward")
    assert {r["blank_norms"] for r in rows if r["grad"]} == {blank}
