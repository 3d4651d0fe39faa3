from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.detectors.build import eval_row, make_trace, print_row

from lossdoctor.traces.overlaps import misprinted

Batches = list[list[list[float]]]
Shown = Callable[[int], float]

# right, given and true answers of two batches, then of the training before them
HELD: list[Batches] = [
    [[[20, 60, 70]], [[5, 20, 30]]],
    [[[40, 60, 70]], [[8, 20, 30]]],
    [[[60, 70, 70]], [[9, 22, 30]]],
    [[[65, 70, 70]], [[20, 25, 30]]],
]
LEFT = [[[12, 80, 60]], [[20, 80, 90]], [[15, 92, 55]], [[31, 95, 70]]]  # beside the last targets of training
TRAINED = [[[100, 400, 500]], [[200, 450, 500]], [[300, 480, 500]], [[420, 490, 500]]]


def iou(*parts: list[list[float]]) -> float:
    right, given, true = (sum(p[0][k] for p in parts) for k in range(3))
    return right / (given + true - right)


def before(k: int) -> list[list[list[float]]]:
    return [b for held, trained in zip(HELD[: k + 1], TRAINED, strict=False) for b in (*held, trained)]


def trace(shown: Shown, name: str = "val iou", held: list[Batches] = HELD) -> Any:
    rows: list[dict[str, Any]] = []
    for k, batches in enumerate(held):
        i = 10 * (k + 1)
        rows.append(eval_row(i, overlap=batches, overlap_trained=TRAINED[k], overlap_left=LEFT[k]))
        rows.append(print_row(i, f"{name} {shown(k):.3f}", **{name: round(shown(k), 3)}))
    return make_trace(rows=rows)


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        (lambda k: iou(HELD[k][-1]), "last batch"),
        (lambda k: iou(*(b for held in HELD[: k + 1] for b in held)), "since the first evaluation"),
        (lambda k: iou(*HELD[k], TRAINED[k]), "training before it"),
        (lambda k: iou(*before(k)), "over training and evaluation"),
        (lambda k: 100 * iou(*before(k)), "over training and evaluation"),
        (lambda k: iou(LEFT[k]), "targets of the last training batch"),
    ],
)
def test_a_wrong_sum_is_named(shown: Shown, told: str) -> None:
    found = misprinted(trace(shown))
    assert found is not None
    assert told in found.formula
    assert len(found.fits) >= 3
    assert found.fits[-1].right in [pytest.approx(scale * iou(*HELD[-1])) for scale in (1, 100)]


@pytest.mark.parametrize(
    "shown",
    [
        lambda k: iou(*HELD[k]),
        lambda k: (iou(HELD[k][0]) + iou(HELD[k][1])) / 2,
        lambda k: 0.9 * iou(*HELD[k]),  # another threshold, another definition
        lambda k: iou(*before(3)),  # always the same
    ],
)
def test_usual_and_unknown_definitions_are_left_alone(shown: Shown) -> None:
    assert misprinted(trace(shown)) is None


def test_what_is_printed_of_training_is_no_matter_of_evaluation() -> None:
    assert misprinted(trace(lambda k: iou(*before(k)), name="train iou")) is None
    assert misprinted(trace(lambda k: iou(*before(k)), name="distance")) is None


def test_few_evaluations_prove_nothing() -> None:
    assert misprinted(trace(lambda k: iou(*before(k)), held=HELD[:2])) is None


def test_the_mean_over_classes_is_known_with_and_without_the_background() -> None:
    def several(k: int) -> Batches:
        return [[[50, 80, 70], *batch] for batch in HELD[k]]

    def score(counts: list[list[float]], first: int) -> float:
        each = [right / (given + true - right) for right, given, true in counts[first:]]
        return sum(each) / len(each)

    for first in (0, 1):
        last = [trace(lambda k, f=first: score(several(k)[-1], f), held=[several(k) for k in range(4)])]
        found = misprinted(last[0])
        assert found is not None
        assert "last batch" in found.formula
