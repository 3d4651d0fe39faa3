"""Classes that each part of the training data numbers by those that occur in it. Pure functions of a trace.

Where a part lacks a class, all classes behind it move up: among samples that evaluation gives one number training has
that number and lower ones, and hardly any higher. Labels at random lie on both sides.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ..model import Trace
from .data import agreement, neighbourhood, scales

SURE = 0.7  # share of evaluation labels that near evaluation inputs foretell
# classes without which an order means little; labels on one side of what is foretold, beyond those that evaluation has
# anyway, and those on the other side relative to them
CLASSES, MOVED, ONE_SIDED = 4, 0.15, 0.2
HALF = 0.5  # of such labels that are one and the same: it stands for what has none


@dataclass(frozen=True)
class OneSided:
    """Shares of training labels below and above the numbers that near evaluation inputs have, beyond evaluation's own
    shares, and the share of evaluation labels that near evaluation inputs foretell.
    """

    below: float
    above: float
    own: float


def numbered_by_parts(trace: Trace) -> OneSided | None:
    """None where labels do not lie on one side only, or cannot be foretold."""
    near = neighbourhood(trace)
    own = near.within_evaluation
    if own is None or not near.train.classes or not near.evaluation.classes or own.score < SURE:
        return None
    foretold = agreement(near.train, near.evaluation, scales(near.evaluation.x)).table
    below, above = (_beyond(foretold, side) - _beyond(own.table, side) for side in (-1, 1))
    side = -1 if below > above else 1
    wrong: Counter[float] = Counter()
    for (label, vote), count in foretold.items():
        wrong[label] += count if (label - vote) * side > 0 else 0
    few = len({label for label, _ in foretold}) < CLASSES or max(below, above) < MOVED
    if few or min(below, above) > ONE_SIDED * max(below, above) or max(wrong.values()) > HALF * wrong.total():
        return None
    return OneSided(below, above, own.score)


def _beyond(table: Counter[tuple[float, float]], side: int) -> float:
    """Share of labels on this side of their votes."""
    return sum(n for (label, vote), n in table.items() if (label - vote) * side > 0) / max(1, table.total())
