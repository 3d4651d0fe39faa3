"""Grades that stand for amounts (0 to 12, say), numbered in the order of their text: 0, 1, 10, 11, 12, 2."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from ..model import Trace
from .neighbours import foretold, sampled

LEAST, MOST = 11, 60  # grades: with ten or fewer both orders are one (from 0), and so many are no grades
EVEN = 0.02  # of the distance of two grades, by which they may lie off whole steps
# what neighbours must foretell of the true order, and of what the order of the text leaves
CLEAR, WON = 0.5, 0.4


class Graded(NamedTuple):
    """How many grades there are, and the variance that near inputs explain, as numbered and by the numbers meant."""

    grades: int
    before: float
    after: float


def text_order(trace: Trace) -> Graded | None:
    """Amounts, one number each, on even steps, that near inputs foretell far better once the place of each grade in
    the order of its text is taken for that grade. None for classes, whose order says nothing, for other targets, and
    where the order they have is the better.
    """
    pairs = sampled(trace)
    if pairs is None or not all(isinstance(v, list) and len(v) == 1 for v in pairs[1]):
        return None
    places = _places([v[0] for v in pairs[1]])
    if places is None:
        return None
    count = int(max(places)) + 1
    orders = (sorted(range(first, first + count), key=str) for first in (0, 1))
    before, *after = foretold(pairs[0], places, *([float(meant[int(p)]) for p in places] for meant in orders))
    best = max(after)
    return Graded(count, before, best) if best > CLEAR and best - before > WON * (1 - before) else None


def _places(values: list[float]) -> list[float] | None:
    """The place of each value on an even scale that begins with the least of them."""
    levels = sorted(set(values))
    if not LEAST <= len(levels) <= MOST:
        return None
    step = min(b - a for a, b in pairwise(levels))
    places = [(v - levels[0]) / step for v in values]
    if any(abs(p - round(p)) > EVEN * max(1.0, p) for p in places) or max(places) >= MOST:
        return None
    return [float(round(p)) for p in places]
