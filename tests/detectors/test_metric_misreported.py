from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.detectors.build import eval_row, expect, forward_row, make_trace, print_row, run

from lossdoctor.detectors.base import Missing

FAULT = "metric_misreported"
COUNTS = [32, 32, 8]
BATCHES = ([0.5, 0.6, 0.25], [0.6, 0.7, 0.375], [0.7, 0.9, 0.375])
Shown = Callable[[list[float], int], float]


def evaluations(shown: Shown, name: str = "test_accuracy", loader: int = 1) -> list[dict[str, Any]]:
    rows = []
    for k, values in enumerate(BATCHES):
        i = 10 * (k + 1)
        rows.append(eval_row(i, acc=values, n=COUNTS, acc_of=[loader] * 3, loss=[], loss_of=[]))
        rows.append(
            print_row(i, f"epoch {k} {name} {shown(values, k):.4f}", **{name: round(shown(values, k), 4)})
        )
    return rows


def mean(values: list[float], k: int) -> float:
    return sum(v * n for v, n in zip(values, COUNTS, strict=True)) / sum(COUNTS)


def cumulative(values: list[float], k: int) -> float:
    return sum(mean(v, 0) for v in BATCHES[: k + 1]) / (k + 1)


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        (lambda v, k: v[-1], "last batch"),
        (lambda v, k: v[0], "first batch"),
        (lambda v, k: sum(v) / 72, "divided by the number of samples"),
        (lambda v, k: mean(v, k) * 72 / 3, "number of batches"),
    ],
)
def test_a_wrong_formula_is_named(shown: Shown, told: str) -> None:
    assert told in expect(FAULT, make_trace(rows=evaluations(shown))).why


def test_sums_that_are_never_cleared_are_named() -> None:
    rows = evaluations(cumulative)
    first = expect(FAULT, make_trace(rows=[*rows, *_later(rows)]))
    assert "since the first evaluation" in first.why


def _later(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Further evaluations, so that the first one (which is right either way) is one of many."""
    later = []
    total = [mean(v, 0) for v in BATCHES]
    for k in range(4, 14):
        values = [0.3 * v + 0.05 * k for v in BATCHES[2]]
        total.append(mean(values, 0))
        later.append(eval_row(10 * k, acc=values, n=COUNTS, acc_of=[1] * 3, loss=[], loss_of=[]))
        later.append(print_row(10 * k, test_accuracy=round(sum(total) / len(total), 4)))
    return later


@pytest.mark.parametrize(
    "shown", [mean, lambda v, k: 100 * mean(v, k), lambda v, k: sum(v) / 3, lambda v, k: 72 * mean(v, k)]
)
def test_usual_definitions_are_right(shown: Shown) -> None:
    assert run(FAULT, make_trace(rows=evaluations(shown))) is None


def test_a_metric_of_another_kind_fits_no_formula() -> None:
    assert run(FAULT, make_trace(rows=evaluations(lambda v, k: 0.123 + 0.01 * k))) is None


def test_validation_over_the_training_loader_is_found() -> None:
    rows = [forward_row(loader=0), *evaluations(mean, "val_acc", loader=0)]
    assert "training data" in expect(FAULT, make_trace(rows=rows)).why


def test_training_accuracy_over_the_training_loader_is_what_it_says() -> None:
    outcome = run(FAULT, make_trace(rows=[forward_row(loader=0), *evaluations(mean, "train_acc", loader=0)]))
    assert isinstance(outcome, Missing)


def test_a_tensor_that_comes_from_no_loader_is_not_the_training_data() -> None:
    rows = [forward_row(loader=0), *evaluations(mean, "val_acc", loader=None)]  # type: ignore[arg-type]
    assert run(FAULT, make_trace(rows=rows)) is None
