from __future__ import annotations

from typing import Any

import pytest
from tests.detectors.build import eval_row, falling, make_trace

from lossdoctor.model import Trace
from lossdoctor.traces.evaluations import again, improving, of_last_set, points, rounds


def curve(*rows: dict[str, Any]) -> Trace:
    return make_trace(rows=rows)


def measured(i: int, loss: float, **more: Any) -> dict[str, Any]:
    return eval_row(i, loss=[loss] * 4, acc=[1 - loss] * 4, **more)


def test_the_last_evaluation_repeats_one_after_the_same_step() -> None:
    repeated = again(curve(measured(10, 0.5), measured(20, 0.4), measured(20, 0.3)))
    assert repeated is not None
    assert repeated.step == 20
    assert (repeated.loss, repeated.accuracy) == pytest.approx((0.3, 0.7))


def test_an_evaluation_after_another_step_repeats_nothing() -> None:
    assert again(curve(measured(10, 0.5), measured(20, 0.4))) is None
    assert again(curve(measured(10, 0.5))) is None


def test_the_last_evaluation_must_be_on_samples_of_an_earlier_one() -> None:
    before = (measured(10, 0.5, print=1.0), measured(20, 0.4, print=1.0))
    assert again(curve(*before, measured(20, 0.3, print=2.0))) is None
    assert again(curve(*before, measured(20, 0.3, print=1.0))) is not None


def test_samples_of_any_earlier_evaluation_count_not_only_of_the_one_before() -> None:
    rows = (measured(10, 0.5, print=1.0), measured(20, 0.4, print=2.0), measured(20, 0.3, print=1.0))
    assert again(curve(*rows)) is not None


def test_evaluations_without_a_measured_number_are_passed_over() -> None:
    silent = eval_row(20, loss=[], acc=[], n=[])
    assert again(curve(measured(10, 0.5), measured(20, 0.4), silent, measured(20, 0.3))) is not None
    assert again(curve(measured(20, 0.4), silent)) is None


def test_the_first_evaluation_after_a_step_is_the_one_on_the_curve() -> None:
    found = points(curve(measured(10, 0.5), measured(20, 0.4), measured(20, 0.9)))
    assert [p.step for p in found] == [10, 20]
    assert [p.loss for p in found] == pytest.approx([0.5, 0.4])


def test_the_share_of_right_answers_to_yes_and_no_is_an_accuracy() -> None:
    row = eval_row(10, loss=[0.3, 0.3], acc=[], n=[], binary=[1.0, 0.5], loss_of=[[30, 1], [10, 1]])
    assert points(curve(row))[0].accuracy == pytest.approx(0.875)


def test_a_loss_that_is_not_finite_is_not_measured() -> None:
    found = points(curve(eval_row(10, loss=[float("nan")] * 4)))[0]
    assert found.loss is None
    assert found.accuracy == pytest.approx(0.8)


def test_passes_before_nearly_every_step_are_part_of_training() -> None:
    often = [measured(i, 0.5) for i in range(1, 60)]
    assert rounds(make_trace(falling(100), rows=often)) == []
    assert len(rounds(make_trace(falling(100), rows=often[:25]))) == 25


@pytest.mark.parametrize(
    ("values", "count"),
    [([3.0, 2.0, 1.0], 2), ([3.0, 1.0, 2.0], 0), ([1.0, 3.0, 2.0], 0), ([3.0, 4.0, 2.0], 1), ([3.0], 0)],
)
def test_only_values_better_than_all_before_improve(values: list[float], count: int) -> None:
    assert improving(values, falling=True) == count
    assert improving([-v for v in values], falling=False) == count


def test_answers_of_a_second_network_at_every_step_are_no_evaluations() -> None:
    rows = [
        {
            "k": "ids",
            "i": i,
            "grad": grad,
            "loader": None,
            "epoch": None,
            "y": None,
            "h": [10.0 * i + k for k in range(4)],
        }
        for i in range(1, 41)
        for grad in (True, False)
    ]
    asked = [measured(i, 0.1) for i in range(1, 41)]
    assert points(curve(*asked, *rows)) == []
    assert len(points(curve(*asked))) == 40


def test_the_folds_of_a_cross_validation_are_curves_of_their_own() -> None:
    folds = [
        measured(i, v, print=p)
        for i, v, p in ((10, 0.3, 1.0), (20, 0.2, 1.0), (30, 0.6, 2.0), (40, 0.5, 2.0))
    ]
    tests = [measured(20, 0.4, print=7.0), measured(40, 0.4, print=8.0)]
    last = of_last_set(curve(*folds[:2], tests[0], *folds[2:], tests[1]))
    assert [p.loss for p in points(last)] == pytest.approx([0.6, 0.5])


def test_sets_that_are_evaluated_side_by_side_stay_together() -> None:
    rows = [measured(i, v, print=p) for i in (10, 20) for v, p in ((0.1, 1.0), (0.5, 2.0))]
    assert of_last_set(curve(*rows)).of("eval") == tuple(rows)
    unknown = [measured(10, 0.5), measured(20, 0.4)]
    assert of_last_set(curve(*unknown)).of("eval") == tuple(unknown)
