from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from tests.detectors.build import make_trace
from tests.detectors.sampled import rows

from lossdoctor.model import Trace
from lossdoctor.traces.grades import text_order


def trace(number: Callable[[int], float], grades: int = 13, first: int = 0, noise: float = 0.4) -> Trace:
    """Samples whose two features follow their grade, which the targets show as ``number``."""
    draw = random.Random(3)
    meant = [draw.randrange(first, first + grades) for _ in range(180)]
    x = [[g + draw.gauss(0, noise), draw.gauss(0, 1)] for g in meant]
    return make_trace(rows=rows(x, [[number(g)] for g in meant]))


def as_text(grades: int, first: int = 0) -> Callable[[int], float]:
    order = sorted(range(first, first + grades), key=str)
    return lambda g: float(order.index(g))


@pytest.mark.parametrize("first", [0, 1])
def test_grades_in_the_order_of_their_text_are_told(first: int) -> None:
    seen = text_order(trace(as_text(13, first), first=first))
    assert seen is not None
    assert seen.grades == 13
    assert seen.before < 0.8 < seen.after


def test_so_are_those_that_were_standardised() -> None:
    place = as_text(20)
    seen = text_order(trace(lambda g: (place(g) - 9.5) / 5.77, grades=20))
    assert seen is not None
    assert seen.grades == 20


@pytest.mark.parametrize(
    "other",
    [
        trace(float),  # the order of numbers
        trace(as_text(9), grades=9),  # both orders are one
        trace(as_text(13), noise=60.0),  # nothing foretells them
        trace(lambda g: g + random.Random(g).random()),  # no even steps
    ],
)
def test_other_targets_are_left_alone(other: Trace) -> None:
    assert text_order(other) is None
