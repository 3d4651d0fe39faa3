from __future__ import annotations

import math
from typing import Any

import pytest
from tests.detectors.build import loss_row, make_trace

from lossdoctor.traces.measure import chance_loss, plain_chance


def targets(std: float, mean: float = 0.0) -> dict[str, Any]:
    return {"shape": [32, 1], "dtype": "float32", "min": -9.0, "max": 9.0, "mean": mean, "std": std}


@pytest.mark.parametrize(
    ("fn", "std", "knee", "expected"),
    [
        ("mse_loss", 2.0, None, 4.0),
        ("l1_loss", 2.0, None, 2.0),
        ("smooth_l1_loss", 0.5, None, 0.125),
        ("smooth_l1_loss", 100.0, None, 100.0),
        ("smooth_l1_loss", 0.5, 0.1, 0.5),
        ("huber_loss", 0.5, None, 0.125),
        ("huber_loss", 100.0, 2.0, 200.0),
    ],
)
def test_a_constant_answer_costs_what_the_spread_of_the_targets_says(
    fn: str, std: float, knee: float | None, expected: float
) -> None:
    trace = make_trace(rows=[loss_row(fn=fn, target=targets(std), knee=knee)])
    assert chance_loss(trace) == pytest.approx(expected)


def test_the_level_of_classes_is_the_entropy_of_their_shares_not_of_their_number() -> None:
    lopsided = {"shape": [32], "dtype": "int64", "min": 0, "max": 1, "hist": {"0": 28, "1": 4}}
    trace = make_trace(rows=[loss_row(target=lopsided)])
    expected = -(0.875 * math.log(0.875) + 0.125 * math.log(0.125))
    assert chance_loss(trace) == pytest.approx(expected)


@pytest.mark.parametrize("more", [{"weighted": True}, {"smoothing": 0.1}, {"reduction": "sum"}])
def test_a_weighted_smoothed_or_summed_loss_has_no_plain_level(more: dict[str, Any]) -> None:
    assert plain_chance(make_trace(rows=[loss_row()])) is not None
    assert plain_chance(make_trace(rows=[loss_row(**more)])) is None


def test_two_loss_functions_have_no_common_level() -> None:
    rows = [loss_row(), loss_row(fn="mse_loss", target=targets(1.0))]
    assert plain_chance(make_trace(rows=rows)) is None
