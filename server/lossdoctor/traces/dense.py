"""Targets of many numbers per sample (masks, images), and second inputs: do near inputs have like ones? Pure functions
of a trace.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import fmean, pvariance
from typing import Any

from ..model import Trace
from .data import FEW, NEIGHBOURS, Point, held, nearest, scales

LIMIT = 200
WIDTH = 2  # numbers per target from which it is one of many


@dataclass(frozen=True)
class Foretold:
    """Share of the targets' variance that the five nearest inputs explain: within training, within evaluation, and of
    evaluation by training; 0 for a constant, 1 for all of it, below 0 for worse than a constant.
    """

    train: float
    evaluation: float
    across: float


Pairs = list[tuple[Point, Point]]


def foretold(trace: Trace) -> Foretold | None:
    """None where a side has fewer than ``FEW`` samples, or targets are no vectors."""
    return _both_sides(_pairs([r for r in trace.of("sample") if r["grad"]]), _pairs(held(trace, "sample")))


def coupled(trace: Trace) -> Foretold | None:
    """The same for models with two inputs, the second of which is what the first one foretells."""
    sides: dict[bool, list[dict[str, Any]]] = {True: [], False: []}
    for row in trace.of("couple"):
        sides[row["grad"]].append({"x": row["a"], "y": row["b"]})
    train, evaluation = _pairs(sides[True]), _pairs(sides[False])
    seen = {(x, y) for x, y in train}
    found = _both_sides(train, [p for p in evaluation if p not in seen])
    return found and Foretold(*(_beyond_chance(v) for v in (found.train, found.evaluation, found.across)))


def _beyond_chance(explained: float) -> float:
    """From 0 for no relation at all: the mean of k unrelated vectors is 1/k of their variance worse than a constant."""
    return (explained + 1 / NEIGHBOURS) / (1 + 1 / NEIGHBOURS)


def _both_sides(train: Pairs, evaluation: Pairs) -> Foretold | None:
    if min(len(train), len(evaluation)) < FEW or len(train[0][0]) != len(evaluation[0][0]):
        return None
    return Foretold(
        _explained(train, train), _explained(evaluation, evaluation), _explained(evaluation, train)
    )


def _pairs(rows: list[dict[str, Any]]) -> Pairs:
    """Distinct (input, target) pairs of one width each, evenly spaced over the run."""
    found: dict[Point, Point] = {}
    for row in rows:
        for x, y in zip(row["x"], row.get("y") or (), strict=False):
            if isinstance(y, list) and len(y) >= WIDTH and all(map(math.isfinite, (*x, *y))):
                found.setdefault(tuple(x), tuple(y))
    pairs = list(found.items())
    shape = (len(pairs[0][0]), len(pairs[0][1])) if pairs else (0, 0)
    kept = [p for p in pairs if (len(p[0]), len(p[1])) == shape]
    return kept if len(kept) <= LIMIT else [kept[k * len(kept) // LIMIT] for k in range(LIMIT)]


def _explained(asked: Pairs, known: Pairs) -> float:
    if len(asked[0][1]) != len(known[0][1]):
        return 0.0
    known_x = tuple(x for x, _ in known)
    asked_x = known_x if asked is known else tuple(x for x, _ in asked)
    left = 0.0
    for near, (_, target) in zip(nearest(asked_x, known_x, scales(known_x)), asked, strict=True):
        middle = [fmean(column) for column in zip(*(known[k][1] for k in near), strict=True)]
        left += sum((a - b) ** 2 for a, b in zip(target, middle, strict=True))
    spread = sum(pvariance(column) for column in zip(*(y for _, y in asked), strict=True)) * len(asked)
    return 1 - left / spread if spread > 0 else 0.0
