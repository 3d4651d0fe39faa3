from __future__ import annotations

from typing import Any

import pytest
from tests.detectors.build import eval_row, expect, make_trace, run

from lossdoctor.detectors.base import Missing
from lossdoctor.model import Trace

FAULT = "ema_misconfigured"


def trace(twin: float | None, moved: float | None = 0.4, count: int = 4, **more: Any) -> Trace:
    rows = [
        eval_row(20 * (k + 1), twin=twin, moved=moved, swapped=False, site=1, **more) for k in range(count)
    ]
    return make_trace(rows=rows)


def test_an_average_that_has_hardly_left_the_first_weights_is_found() -> None:
    finding = expect(FAULT, trace(0.39))
    assert finding.evidence[2].value == pytest.approx(0.975)


@pytest.mark.parametrize("twin", [0.0, 0.05, 0.2])
def test_an_average_that_follows_is_healthy(twin: float) -> None:
    assert run(FAULT, trace(twin)) is None


def test_weights_that_have_not_moved_leave_nothing_to_lag_behind() -> None:
    assert run(FAULT, trace(0.01, moved=0.01)) is None


def test_evaluating_the_trained_weights_is_not_checked() -> None:
    assert run(FAULT, trace(None, None)) == Missing("an evaluation with averaged weights")


def test_a_run_that_was_cut_off_may_be_long_enough_for_its_average() -> None:
    cut = make_trace(rows=trace(0.39).of("eval"), stop="max_steps")
    assert run(FAULT, cut) == Missing("the end of the script")


def test_a_memory_beyond_any_usual_one_is_told_before_the_end() -> None:
    """After 1,200 updates a decay of 0.9999 leaves 6 % of the way, one of 0.99999 leaves 0.6 %."""

    def cut(behind: float) -> Trace:
        rows = [eval_row(300 * k, twin=0.4 * behind, moved=0.4, swapped=False, site=1) for k in range(1, 5)]
        return make_trace(rows=rows, stop="max_seconds")

    assert expect(FAULT, cut(0.994)).confidence == 0.7
    assert run(FAULT, cut(0.94)) == Missing("the end of the script")
    assert run(FAULT, cut(1.0)) == Missing("the end of the script"), "a copy that does not move"


def test_best_weights_put_back_once_at_the_end_are_no_average() -> None:
    row = eval_row(90, twin=0.39, moved=0.4, swapped=True)
    assert run(FAULT, make_trace(rows=[row])) is None


def test_a_teacher_that_runs_before_every_step_is_part_of_training() -> None:
    assert isinstance(run(FAULT, trace(0.39, count=90)), Missing)


def test_a_teacher_that_answers_at_every_step_is_judged_where_it_is_evaluated() -> None:
    asked = [eval_row(k, twin=0.39, moved=0.4, swapped=False, site=1) for k in range(1, 101)]
    told = [eval_row(20 * k, twin=0.39, moved=0.4, swapped=False, site=3) for k in range(1, 6)]
    assert expect(FAULT, make_trace(rows=[*asked, *told]))
    assert run(FAULT, make_trace(rows=asked)) == Missing("an evaluation with averaged weights")
