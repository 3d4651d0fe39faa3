from __future__ import annotations

from typing import Any

from tests.detectors.build import eval_row, expect, falling, flat, loss_row, make_trace, print_row, run

from lossdoctor.detectors.base import TENTATIVE, Missing
from lossdoctor.model import Finding

FAULT = "overfitting"


def validated(values: list[float]) -> list[dict[str, Any]]:
    return [eval_row(10 * (k + 1), loss=[v] * 4) for k, v in enumerate(values)]


RESTED = [2.2, 1.6, 1.2, 1.0, 0.98, 0.97, 0.97, 0.98, 0.97, 0.98]
TURNED = [2.2, 1.6, 1.2, 1.0, 1.2, 1.5, 1.8, 2.1, 2.3, 2.4]


def test_a_validation_loss_that_turned_while_training_fell_is_found() -> None:
    finding = expect(FAULT, make_trace(falling(100, 2.3, 0.02), rows=validated(TURNED)))
    assert finding.evidence[0].step == 40


TEXT = [3.1, 2.8, 2.7, 2.66, 2.65, 2.69, 2.73, 2.78, 2.82, 2.86]


def test_a_lesser_rise_that_takes_back_half_of_the_gain_step_by_step_is_found() -> None:
    finding = expect(FAULT, make_trace(falling(100, 3.2, 0.9), rows=validated(TEXT)))
    assert finding.evidence[0].step == 50
    noisy = [*TEXT[:6], 2.68, *TEXT[7:]]
    assert run(FAULT, make_trace(falling(100, 3.2, 0.9), rows=validated(noisy))) is None
    little = [4.6, *TEXT[1:]]
    assert run(FAULT, make_trace(falling(100, 3.2, 0.9), rows=validated(little))) is None, (
        "most of the gain is left"
    )
    assert run(FAULT, make_trace(falling(100, 3.2, 2.4), rows=validated(TEXT))) is None, "no gap"


def test_a_steady_gap_is_healthy() -> None:
    rows = validated(RESTED)
    assert run(FAULT, make_trace(falling(100, 2.3, 0.2), rows=rows)) is None


def test_a_training_loss_that_goes_on_halving_without_any_gain_is_found() -> None:
    finding = expect(FAULT, make_trace(falling(100, 2.3, 0.02), rows=validated(RESTED)))
    assert "stayed at" in finding.why


def test_a_negative_training_loss_is_no_share_of_a_printed_error() -> None:
    """A log-likelihood of densities beside an error in the unit of the targets."""
    told = [
        print_row(20 * k, **{"test rmse": v}) for k, v in enumerate([2.1, 1.2, 1.04, 1.03, 1.031, 1.03], 1)
    ]
    assert not isinstance(
        run(FAULT, make_trace([v - 180 for v in falling(120, 330.0, 1.0)], rows=told)), Finding
    )
    rising = [print_row(20 * k, **{"test nll": v}) for k, v in enumerate([2.1, 1.2, 1.4, 1.9, 2.6, 3.3], 1)]
    expect(FAULT, make_trace([v - 6 for v in falling(120, 8.0, 1.0)], rows=rising))


def test_a_small_held_out_loss_behind_training_by_heart_is_tested_where_no_accuracy_is_known() -> None:
    early = [2.2, 0.6, 0.62, 0.66, 0.7, 0.7, 0.71, 0.7, 0.71, 0.71]
    losses = falling(100, 2.3, 0.02)
    assert expect(FAULT, make_trace(losses, rows=validated(early))).confidence == TENTATIVE
    assert run(FAULT, make_trace(losses, rows=[loss_row(), *validated(early)])) is None, (
        "answers may be right"
    )
    assert run(FAULT, make_trace(losses, rows=validated([v / 4 for v in early]))) is None, "nearly nothing"
    assert run(FAULT, make_trace(falling(100, 2.3, 0.2), rows=validated(early))) is None, "not by heart"


def test_evaluations_of_training_samples_are_left_out() -> None:
    both = [eval_row(10 * (k + 1), loss=[0.01, v], seen=[1.0, 0.0]) for k, v in enumerate(TURNED)]
    assert expect(FAULT, make_trace(falling(100, 2.3, 0.02), rows=both)).evidence[0].step == 40
    own = [eval_row(10 * (k + 1), loss=[], own=[[v, 64, 1.0]]) for k, v in enumerate(TURNED)]
    assert isinstance(run(FAULT, make_trace(falling(100, 2.3, 0.02), rows=own)), Missing)


def test_an_evaluation_by_hand_counts_as_one() -> None:
    own = [eval_row(10 * (k + 1), loss=[], own=[[v, 64, 0.0]]) for k, v in enumerate(TURNED)]
    assert expect(FAULT, make_trace(falling(100, 2.3, 0.02), rows=own)).evidence[0].step == 40


def test_a_small_loss_that_doubled_still_predicts_well() -> None:
    rows = validated([2.2, 0.5, 0.1, 0.08, 0.09, 0.1, 0.12, 0.14, 0.15, 0.16])
    assert run(FAULT, make_trace(falling(100, 2.3, 0.02), rows=rows)) is None


def test_a_run_that_diverges_in_training_too_is_something_else() -> None:
    assert run(FAULT, make_trace(flat(level=2.3), rows=validated(TURNED))) is None


def test_without_evaluations_it_is_not_checked() -> None:
    assert isinstance(run(FAULT, make_trace()), Missing)
