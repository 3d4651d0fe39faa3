"""traces/synonyms: one class under several numbers."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

from lossdoctor.traces.synonyms import synonyms

Answer = Callable[[random.Random, int], int]


def table(answer: Answer, labels: int = 12) -> Counter[tuple[float, float]]:
    draw = random.Random(3)
    asked = [draw.randrange(labels) for _ in range(25 * labels)]
    return Counter((float(y), float(answer(draw, y))) for y in asked)


def anew(draw: random.Random, label: int) -> int:
    """Any number of its group: 0 to 2, 3 to 5 and so on; a few answers are wrong."""
    return 3 * (label // 3) + draw.randrange(3) if draw.random() < 0.95 else draw.randrange(12)


def test_groups_that_are_told_from_each_other_but_not_within_are_one_class_each() -> None:
    told = synonyms(table(anew))
    assert told is not None
    assert told.groups == ((0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11))
    assert told.between > 0.8
    assert told.within < 0.15
    first = synonyms(table(lambda draw, y: 3 * (y // 3)))
    assert first is not None, "always the same number of the group"
    assert first.groups == told.groups


def test_classes_that_are_told_apart_a_little_are_classes() -> None:
    assert synonyms(table(lambda draw, y: y if draw.random() < 0.5 else anew(draw, y))) is None


def test_classes_that_are_told_apart_or_not_told_at_all_are_silent() -> None:
    assert synonyms(table(lambda draw, y: y)) is None
    assert synonyms(table(lambda draw, y: draw.randrange(12))) is None
    assert synonyms(table(lambda draw, y: 0)) is None


def test_a_single_pair_that_is_hard_to_tell_is_silent() -> None:
    assert synonyms(table(lambda draw, y: draw.randrange(2) if y < 2 else y)) is None
