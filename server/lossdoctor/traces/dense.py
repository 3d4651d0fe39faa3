"""Targets of many numbers per sample (masks, images): do near inputs have like targets? Pure functions of a trace."""

from __future__ import annotations

import math
from dataclasses import dataclass
from heapq import nsmallest
from statistics import fmean, pvariance
from typing import Any

from ..model import Trace
from .data import FEW, NEIGHBOURS, Point, held, scaled, scales

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
    train = _pairs([r for r in trace.of("sample") if r["grad"]])
    evaluation = _pairs(held(trace, "sample"))
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
    own, scale = asked is known, scales(tuple(x for x, _ in known))
    inside, outside = scaled(tuple(x for x, _ in known), scale), scaled(tuple(x for x, _ in asked), scale)
    left = 0.0
    for n, (point, (_, target)) in enumerate(zip(outside, asked, strict=True)):
        near = nsmallest(NEIGHBOURS + own, ((math.dist(point, q), k) for k, q in enumerate(inside)))
        others = [known[k][1] for _, k in near if not (own and k == n)][:NEIGHBOURS]
        middle = [fmean(column) for column in zip(*others, strict=True)]
        left += sum((a - b) ** 2 for a, b in zip(target, middle, strict=True))
    spread = sum(pvariance(column) for column in zip(*(y for _, y in asked), strict=True)) * len(asked)
    return 1 - left / spread if spread > 0 else 0.0
