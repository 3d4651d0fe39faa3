"""Inputs that are symbols (tokens, categories): how often each comes, in training and in evaluation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from ..model import Trace
from .data import FEW, both_sides, inputs

# total variation of the shares of symbols: two halves of one text have at most 0.08 in 320 windows, under other numbers
# 0.37 to 0.78; put in order of frequency at most 0.06 either way (benchmarks/thresholds/symbols.py)
UNLIKE, ALIKE = 0.25, 0.1
SAME, OTHER = 0.98, 0.5  # share of the samples whose label one of their symbols is: a leak, and none
COMMON = 0.5  # share of one label from which a column may equal it by chance
MOSTLY, HARDLY = 0.5, 0.2  # of all symbols in evaluation; in training, relative to that
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


@dataclass(frozen=True)
class Given:
    """A column of symbols that is the label itself: in which share of the samples, in training and in evaluation."""

    column: int
    train: float
    evaluation: float
    samples: int


def given_away(trace: Trace) -> Given | None:
    """A column of whole-number inputs that equals the label of nearly every training sample, and of few held-out ones;
    None where there is none, or most labels are one.
    """
    train, asked = map(_of_one_width, both_sides(trace))
    if min(len(train), len(asked)) < FEW or len(train[0][0]) != len(asked[0][0]):
        return None
    if Counter(y for _, y in train).most_common(1)[0][1] > COMMON * len(train):
        return None
    for column in range(len(train[0][0])):
        there, here = (fmean(x[column] == y for x, y in side) for side in (train, asked))
        if there > SAME and here < OTHER:
            return Given(column, there, here, len(train))
    return None


@dataclass(frozen=True)
class Unread:
    """A symbol that stands for most of what evaluation holds, and for little of training: its share of each, the
    commonest symbol of training (padding) left out where it is frequent in both.
    """

    symbol: int
    train: float
    evaluation: float


def unread(trace: Trace) -> Unread | None:
    """The symbol of what a vocabulary does not know, where it is most of evaluation and hardly any of training."""
    train, asked = (Counter(symbol for x, _ in coded(rows) for symbol in x) for rows in both_sides(trace))
    if not train or not asked:
        return None
    padding = train.most_common(1)[0][0]
    if padding in dict(asked.most_common(2)):
        del train[padding], asked[padding]
    if not train or not asked:
        return None
    symbol, count = asked.most_common(1)[0]
    seen = Unread(symbol, train[symbol] / train.total(), count / asked.total())
    return seen if seen.evaluation > MOSTLY and seen.train < HARDLY * seen.evaluation else None


def coded(rows: Iterable[dict[str, Any]]) -> list[tuple[tuple[int, ...], int]]:
    """Inputs as whole numbers with their whole-number labels."""
    return [
        (tuple(map(int, x)), y) for r in rows for x, y in zip(r.get("codes") or (), r.get("y") or (), strict=False)
        if isinstance(y, int)
    ]  # fmt: skip


def _of_one_width(rows: Iterable[dict[str, Any]]) -> list[tuple[tuple[int, ...], int]]:
    """The same, of the width that most have."""
    pairs = coded(rows)
    width = Counter(len(x) for x, _ in pairs).most_common(1)
    return [p for p in pairs if len(p[0]) == width[0][0]]


def _shares(points: tuple[tuple[float, ...], ...]) -> list[float]:
    counts = [fmean(column) for column in zip(*points, strict=True)]
    total = sum(counts)
    return [c / total if total > 0 else 0.0 for c in counts]


def variation(a: list[float], b: list[float]) -> float:
    """Total variation distance of two distributions: 0 equal, 1 disjoint."""
    return sum(abs(x - y) for x, y in zip(a, b, strict=True)) / 2
