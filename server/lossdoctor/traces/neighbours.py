"""How well nearest neighbours predict the recorded targets: what the inputs hold, whatever the model does."""

from __future__ import annotations

from statistics import mean, pstdev
from typing import Any

from ..model import Trace

ROWS = 200  # samples that are compared with each other: 20,000 distances in pure Python
MIN_ROWS = 60
NEIGHBOURS = 5


def neighbour_score(trace: Trace) -> float | None:
    """Leave-one-out prediction from five neighbours of standardised features, as a share of the way from a constant
    prediction (0) to a perfect one (1): accuracy above the most frequent class, or explained variance.
    None without enough training inputs with targets.
    """
    pairs = sampled(trace)
    if pairs is None:
        return None
    x, y = pairs
    near = _neighbours(_standardised(x))
    return _quantity(near, [_first(v) for v in y]) if isinstance(y[0], list) else _classes(near, y)


def sampled(trace: Trace) -> tuple[list[list[float]], list[Any]] | None:
    """At most ``ROWS`` training inputs with targets, all as wide as the first; None for fewer than ``MIN_ROWS``."""
    rows = [r for r in trace.of("sample") if r["grad"] and r["x"] and "y" in r]
    rows = [
        r for r in rows if len(r["x"][0]) == len(rows[0]["x"][0])
    ]  # batches padded to their longest differ
    x = [row for r in rows for row in r["x"]][:ROWS]
    y = [v for r in rows for v in r["y"]][:ROWS]
    return (x, y) if len(x) >= MIN_ROWS and len(x) == len(y) else None


def foretold(x: list[list[float]], *targets: list[float]) -> list[float]:
    """Share of the variance of each of several targets that the means of five near rows of ``x`` explain."""
    near = _neighbours(_standardised(x))
    return [_quantity(near, y) for y in targets]


def _standardised(x: list[list[float]]) -> list[list[float]]:
    columns = [(mean(c), pstdev(c)) for c in zip(*x, strict=True)]
    used = [(k, m, s) for k, (m, s) in enumerate(columns) if s > 0]
    return [[(row[k] - m) / s for k, m, s in used] for row in x]


def _neighbours(x: list[list[float]]) -> list[list[int]]:
    found = []
    for i, a in enumerate(x):
        distances = [
            (sum((p - q) ** 2 for p, q in zip(a, b, strict=True)), j) for j, b in enumerate(x) if j != i
        ]
        found.append([j for _, j in sorted(distances)[:NEIGHBOURS]])
    return found


def _classes(near: list[list[int]], y: list[Any]) -> float:
    hits = 0
    for i, others in enumerate(near):
        votes = [y[j] for j in others]
        hits += max(votes, key=votes.count) == y[i]
    base = max(y.count(v) for v in set(y)) / len(y)
    return (hits / len(y) - base) / (1 - base) if base < 1 else 0.0


def _quantity(near: list[list[int]], y: list[float]) -> float:
    center = mean(y)
    total = sum((v - center) ** 2 for v in y)
    left = sum((mean(y[j] for j in others) - y[i]) ** 2 for i, others in enumerate(near))
    return 1 - left / total if total > 0 else 0.0


def _first(value: Any) -> float:
    return float(value[0])
