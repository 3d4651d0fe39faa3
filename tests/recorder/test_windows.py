"""recorder/windows.py: windows of one recording on both sides are known again at other places."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Record

SOURCE = """
import torch, torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(3)
series = {series}
windows = {windows}
own = torch.arange(len(windows))
{order}
train, held = own[: 3 * len(own) // 4], own[3 * len(own) // 4 :]
y = torch.randint(0, 2, (len(windows),))
net = nn.Sequential(nn.Flatten(), nn.LazyLinear(2))
net(windows[:2])
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(2):
    for x, t in DataLoader(TensorDataset(windows[train], y[train]), 30, shuffle=True):
        opt.zero_grad()
        x = x{noise}
        nn.functional.cross_entropy(net(x), t).backward()
        opt.step()
    with torch.no_grad():
        for x, t in DataLoader(TensorDataset(windows[held], y[held]), 64):
            net(x)
"""
CUT = "series.unfold(0, 48, 12)"
FORMS = {
    "plain": (CUT, ""),
    "channels": ("torch.stack([series, series.roll(5) ** 2]).unfold(1, 48, 12).transpose(0, 1)", ""),
    "steps of features": (
        "torch.stack([series, series.roll(5) ** 2], 1).unfold(0, 48, 12).transpose(1, 2)",
        "",
    ),
    "standardised each": (f"(lambda w: (w - w.mean(1, True)) / w.std(1, keepdim=True))({CUT})", ""),
    "noise put on": (CUT, " + 0.1 * torch.randn_like(x)"),
}


def shared(record: Record, series: str, form: str, order: str) -> tuple[int, int]:
    windows, noise = FORMS[form]
    source = SOURCE.format(series=series, windows=windows, order=order, noise=noise)
    rows = record(source, max_steps=100).of("windows")
    return sum(r["shared"] for r in rows), sum(r["n"] for r in rows)


@pytest.mark.parametrize("form", FORMS)
def test_windows_drawn_at_random_overlap_with_training_and_those_behind_a_cut_do_not(
    record: Record, form: str
) -> None:
    walk = "torch.randn(3000).cumsum(0) * 0.1 + torch.randn(3000)"
    some, whole = shared(record, walk, form, "own = own[torch.randperm(len(own))]")
    assert some > 0.9 * whole > 50
    some, whole = shared(record, walk, form, "")
    assert some <= 6, "the windows at the cut"
    assert whole > 50


@pytest.mark.parametrize("order", ["", "own = own[torch.randperm(len(own))]", "own = own.flip(0)"])
def test_what_windows_begin_and_end_with_tells_a_cut_from_a_draw(record: Record, order: str) -> None:
    """Windows so long that all of the held-out ones reach over the cut."""
    walk = "torch.randn(700).cumsum(0) * 0.1 + torch.randn(700)"
    source = SOURCE.format(series=walk, windows="series.unfold(0, 192, 3)", order=order, noise="")
    rows = record(source, max_steps=100).of("windows")
    assert sum(r["shared"] for r in rows) > 0.9 * sum(r["n"] for r in rows)
    known = {edge: [sum(r[edge][k] for r in rows) for k in (0, 1)] for edge in ("begins", "ends")}
    new = {edge for edge, (some, asked) in known.items() if asked >= 5 and some < 0.5 * asked}
    assert new == ({"begins"} if "flip" in order else set() if order else {"ends"})


def test_equal_forms_and_equal_silence_of_other_recordings_are_no_overlap(record: Record) -> None:
    waves = "torch.sin(torch.arange(6000.0) * 0.11) * (torch.arange(6000) % 200 < 100)"
    some, whole = shared(record, waves, "plain", "own = own[torch.arange(len(own)) % 5 == 0]")
    assert some == 0
    assert whole > 20


def test_what_recurs_at_one_place_of_many_windows_is_no_overlap(record: Record) -> None:
    """The hour of the day stands behind each window of a series that is cut in two."""
    day = "torch.sin(torch.arange(3000) % 24 * 0.2618).unfold(0, 48, 12)"
    windows = f"torch.cat([torch.randn(3000).unfold(0, 48, 12), {day}], 1)"
    rows = record(SOURCE.format(series="0", windows=windows, order="", noise=""), max_steps=100).of("windows")
    assert sum(r["shared"] for r in rows) <= 6 < sum(r["n"] for r in rows)


def test_rows_of_a_table_are_no_windows(record: Record) -> None:
    table = SOURCE.format(series="0", windows="torch.randn(300, 20)", order="", noise="")
    assert sum(r["shared"] for r in record(table, max_steps=100).of("windows")) == 0
