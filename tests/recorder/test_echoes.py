"""Answers that stand among the inputs: told for forecasts, not for what is fed back or reconstructed."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record

SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)

class Forecast(nn.Module):
    def __init__(self, more):
        super().__init__()
        self.past, self.known = nn.Linear(12, 6), nn.Linear(more, 6)
    def forward(self, past, known):
        return self.past(past) + self.known(known)

past, calendar, y = torch.randn(64, 12), torch.randn(64, 9), torch.randn(64, 6)
known = KNOWN
net = Forecast(known.shape[1])
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for i in range(6):
    pick = torch.randperm(64)[:32]
    opt.zero_grad()
    nn.functional.mse_loss(net(past[pick], known[pick]), y[pick]).backward()
    opt.step()
"""


@pytest.mark.parametrize(
    ("known", "share"),
    [
        ("torch.cat([calendar, 3 * y.flip(1) - 1], 1)", 1.0),
        ("torch.cat([calendar, y.roll(1, 1)[:, 1:], y[:, :1] * 0], 1)", 5 / 6),  # fed back, one step later
        ("calendar", 0.0),
    ],
)
def test_the_share_of_answers_that_an_input_gives_away_is_told(
    record: Record, known: str, share: float
) -> None:
    rows = record(SCRIPT.replace("KNOWN", known)).of("echo")
    assert len(rows) >= 4  # the sampled steps of six
    assert {round(row["share"], 3) for row in rows} == {round(share, 3)}


def test_answers_alone_are_a_label_or_a_reconstruction(record: Record) -> None:
    assert not record(SCRIPT.replace("KNOWN", "y")).of("echo")[0]["share"]
