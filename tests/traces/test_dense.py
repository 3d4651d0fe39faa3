from __future__ import annotations

from typing import Any

import pytest
from tests.detectors.build import make_trace
from tests.detectors.sampled import points, rows

from lossdoctor.traces.dense import foretold


def side(
    seed: int, *, grad: bool, shift: int = 0, count: int = 120, numbers: int = 3, known: float = 0.0
) -> list[dict[str, Any]]:
    """Inputs with targets of so many numbers that depend on them, moved ``shift`` samples on."""
    inputs, _ = points(count, seed)
    targets = [[sum(p[: k + 1]) for k in range(numbers)] for p in inputs]
    return [r | {"known": known} for r in rows(inputs, targets[shift:] + targets[:shift], grad=grad)]


def test_targets_that_depend_on_their_inputs_are_foretold_on_every_side() -> None:
    seen = foretold(make_trace(rows=[*side(1, grad=True), *side(2, grad=False)]))
    assert seen is not None
    assert min(seen.train, seen.evaluation, seen.across) > 0.8


def test_targets_of_other_inputs_are_not_foretold_within_training_or_from_it() -> None:
    seen = foretold(make_trace(rows=[*side(1, grad=True, shift=1), *side(2, grad=False)]))
    assert seen is not None
    assert max(seen.train, seen.across) < 0.1
    assert seen.evaluation > 0.8


def test_constant_targets_have_nothing_to_explain() -> None:
    blank = [r | {"y": [[1.0, 1.0]] * len(r["h" if r["k"] == "ids" else "x"])} for r in side(1, grad=True)]
    seen = foretold(make_trace(rows=[*blank, *side(2, grad=False, numbers=2)]))
    assert seen is not None
    assert seen.train == 0.0


def test_targets_of_another_width_explain_nothing_of_each_other() -> None:
    seen = foretold(make_trace(rows=[*side(1, grad=True, numbers=2), *side(2, grad=False, numbers=3)]))
    assert seen is not None
    assert seen.across == 0.0
    assert min(seen.train, seen.evaluation) > 0.8


@pytest.mark.parametrize(
    "evaluation",
    [
        side(2, grad=False, count=39),
        side(2, grad=False, numbers=1),
        side(2, grad=False, known=0.9),
        [r | {"loader": 0} for r in side(2, grad=False)],
    ],
    ids=["few samples", "one number each", "samples seen in training", "the training loader"],
)
def test_a_side_without_enough_held_out_vectors_is_not_judged(evaluation: list[dict[str, Any]]) -> None:
    assert foretold(make_trace(rows=[*side(1, grad=True), *evaluation])) is None


def test_forty_samples_per_side_are_enough() -> None:
    both = [*side(1, grad=True, count=40), *side(2, grad=False, count=40)]
    assert foretold(make_trace(rows=both)) is not None


def test_values_that_are_not_finite_are_passed_over() -> None:
    broken = [
        r | {"x": [[float("nan"), *x[1:]] for x in r["x"]]} if r["k"] == "sample" else r
        for r in side(1, grad=True)
    ]
    assert foretold(make_trace(rows=[*broken, *side(2, grad=False)])) is None
