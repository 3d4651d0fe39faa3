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


WINDOW = """
import torch
from torch import nn
torch.manual_seed(0)
series = torch.randn(400, 5)
starts = torch.arange(300)
x = torch.stack([series[k : k + 40] for k in starts])
y = TARGET
net = nn.Sequential(nn.Flatten(), nn.Linear(200, 1), nn.Flatten(0))
opt = torch.optim.SGD(net.parameters(), lr=0.001)
for i in range(6):
    pick = torch.randperm(300)[:32]
    opt.zero_grad()
    nn.functional.mse_loss(net(x[pick]), y[pick]).backward()
    opt.step()
"""


@pytest.mark.parametrize(
    ("target", "share"),
    [
        ("3 * x[:, 39, 2].half().float() - 1", 1.0),  # stored in half precision
        ("series[starts + 42, 2]", 0.0),
        ("x[:, 39, 2] + 0.05 * torch.randn(300)", 0.0),
    ],
)
def test_a_single_answer_in_a_wide_window_is_told(record: Record, target: str, share: float) -> None:
    rows = record(WINDOW.replace("TARGET", target)).of("echo")
    assert {row["share"] for row in rows} == {share}
    assert not share or {tuple(row["columns"]) for row in rows} == {(197,)}


def test_a_smooth_series_holds_numbers_like_the_next_one_all_along(record: Record) -> None:
    smooth = WINDOW.replace(
        "torch.randn(400, 5)", "torch.sin(torch.arange(400)[:, None] * 0.001 + torch.arange(5))"
    )
    rows = record(smooth.replace("TARGET", "series[starts + 40, 2]")).of("echo")
    assert {row["share"] for row in rows} == {0.0}
