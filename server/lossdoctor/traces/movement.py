"""How far the weights go, relative to their size. Pure functions of a trace."""

from __future__ import annotations

import math
from statistics import median

from ..model import Trace


def update_ratios(trace: Trace, skip: int = 0, last: float = math.inf) -> dict[int, float]:
    """Median over sampled steps (after ``skip``, up to ``last``) of |update| / |weight| per weight matrix (two or more
    dimensions, not all zero). One that begins at zero goes as far as itself at any rate: it is left out, and where no
    other one moves it is taken at the largest size that it reaches.
    """
    shapes = {p.id: p.shape for p in trace.parameters}
    sizes: dict[int, list[float]] = {}
    moves: dict[int, list[tuple[float, float]]] = {}
    for at, number, moved, size in ((s.i, n, u[0], u[1]) for s in trace.steps for n, u in s.updates.items()):
        if len(shapes.get(number, ())) < 2 or not math.isfinite(moved):
            continue
        sizes.setdefault(number, []).append(size)
        if skip < at <= last and size > 0:
            moves.setdefault(number, []).append((moved, size))
    grown = {number: max(seen) for number, seen in sizes.items() if seen[0] == 0}
    chosen = {n: seen for n, seen in moves.items() if n not in grown} or moves
    return {
        number: median(moved / grown.get(number, size) for moved, size in seen)
        for number, seen in chosen.items()
    }


def typical_update_ratio(trace: Trace, skip: int = 0, last: float = math.inf) -> float | None:
    """Median over weight matrices of their typical |update| / |weight| per step."""
    ratios = update_ratios(trace, skip, last)
    return median(ratios.values()) if ratios else None


def movement(trace: Trace) -> float:
    """Largest over weight matrices of (typical relative update) x (steps)."""
    ratios = update_ratios(trace)
    return max(ratios.values()) * len(trace.steps) if ratios else 0.0
