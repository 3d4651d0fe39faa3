"""Curves of changed runs, kept beside the unchanged trace."""

from __future__ import annotations

from pathlib import Path

from tests.detectors.build import steps_of
from tests.samples import finding

from lossdoctor.model import Trace
from lossdoctor.traces.measure import thinned
from lossdoctor.traces.trials import FILE, POINTS, keep, read_trials, trial


def test_what_was_kept_is_read_in_order(tmp_path: Path) -> None:
    keep(tmp_path, trial(finding(), "scale_lr factor=0.1", Trace(steps=steps_of([2.0, 1.0]))))
    keep(tmp_path, trial(finding("lr_too_low", status="refuted"), "scale_lr factor=10", Trace()))
    first, second = read_trials(tmp_path)
    assert (first.fault, first.change, first.status) == ("lr_too_high", "scale_lr factor=0.1", "confirmed")
    assert [v for _, v in first.losses] == [2.0, 1.0]
    assert (first.start, first.end) == (2.0, 1.5)
    assert (second.status, second.losses, second.end) == ("refuted", (), None)


def test_a_loss_that_is_not_finite_is_kept_as_unknown(tmp_path: Path) -> None:
    keep(tmp_path, trial(finding(), "x", Trace(steps=steps_of([2.0, float("nan"), float("inf")]))))
    assert [v for _, v in read_trials(tmp_path)[0].losses] == [2.0, None, None]


def test_a_line_that_was_cut_off_or_is_foreign_is_left_out(tmp_path: Path) -> None:
    keep(tmp_path, trial(finding(), "x", Trace()))
    with (tmp_path / FILE).open("a", encoding="utf-8") as file:
        file.write('{"other": 1}\n{"fault": "lr_too_')
    assert len(read_trials(tmp_path)) == 1
    assert read_trials(tmp_path / "nowhere") == ()


def test_a_long_curve_is_thinned_and_keeps_both_ends() -> None:
    points = tuple((i, float(i)) for i in range(10_007))
    kept = thinned(points, POINTS)
    assert len(kept) <= POINTS + 1
    assert (kept[0], kept[-1]) == (points[0], points[-1])
    assert thinned(points[:5], POINTS) == points[:5]
