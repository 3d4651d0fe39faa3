"""Inputs that are symbols (tokens, categories): how often each comes, in training and in evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from ..model import Trace
from .data import FEW, inputs

# total variation of the shares of symbols: two halves of one text have at most 0.08 in 320 windows, under other numbers
# 0.37 to 0.78; put in order of frequency at most 0.06 either way (benchmarks/thresholds/symbols.py)
UNLIKE, ALIKE = 0.25, 0.1
SYMBOLS = 8  # different ones, below which any two sides look alike in order


@dataclass(frozen=True)
class Renamed:
    """Total variation between the shares of symbols of both sides, as they are and in order of frequency."""

    before: float
    after: float


def renamed(trace: Trace) -> Renamed | None:
    """Symbols of evaluation that come as often as those of training do, but as others: the same text by another
    vocabulary. None where the sides are alike, or unlike in another way.
    """
    rows = trace.of("sample")
    if not rows or not all(r["int"] for r in rows):
        return None
    sides = inputs(trace, training=True), inputs(trace, training=False)
    if min(map(len, sides)) < FEW or len(sides[0][0]) != len(sides[1][0]) or len(sides[0][0]) < SYMBOLS:
        return None
    first, second = (_shares(points) for points in sides)
    if min(sum(v > 0 for v in side) for side in (first, second)) < SYMBOLS:
        return None
    seen = Renamed(variation(first, second), variation(sorted(first), sorted(second)))
    return seen if seen.before > UNLIKE and seen.after < ALIKE else None


def _shares(points: tuple[tuple[float, ...], ...]) -> list[float]:
    counts = [fmean(column) for column in zip(*points, strict=True)]
    total = sum(counts)
    return [c / total if total > 0 else 0.0 for c in counts]


def variation(a: list[float], b: list[float]) -> float:
    """Total variation distance of two distributions: 0 equal, 1 disjoint."""
    return sum(abs(x - y) for x, y in zip(a, b, strict=True)) / 2
