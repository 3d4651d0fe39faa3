"""How many training samples are of a class, told by their inputs rather than by their labels. Pure functions."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from .data import Neighbourhood, agreement, scales

TELLING = 0.4  # difference that a class makes for the votes of its neighbours
MISSING, TIMES, SIGMAS = 0.1, 2.0, 4.0  # share, factor and standard errors by which a class is misstated


@dataclass(frozen=True)
class Share:
    """Share of a class in training, as labelled and as its inputs tell."""

    label: float
    told: float
    inferred: float


def misstated(near: Neighbourhood) -> Share | None:
    """The first class of which training has far more inputs than labels, or far fewer; None where all agree.

    How many samples are of the class is inferred from the votes of the nearest evaluation samples, corrected by how
    often such votes are right (Lipton et al., "Detecting and correcting for label shift", 2018): where a class is just
    rarer in training, its inputs are rarer too.
    """
    own = near.within_evaluation
    if own is None:
        return None
    votes = Counter(
        v for _, v in agreement(near.train, near.evaluation, scales(near.evaluation.x)).table.elements()
    )
    for label in sorted(set(near.evaluation.y)):
        total, told = len(near.train), near.train.y.count(label) / len(near.train)
        right, wrong = _voted(own.table, label)
        if right - wrong < TELLING:
            continue
        share = votes[label] / total
        inferred = max(0.0, (share - wrong) / (right - wrong))
        count = near.evaluation.y.count(label)
        error = _error(share, total) / (right - wrong)
        for rate, samples, lever in (
            (right, count, share - wrong),
            (wrong, len(near.evaluation) - count, right - share),
        ):  # how often votes are right is itself an estimate
            error = math.hypot(error, lever * _error(rate, samples) / (right - wrong) ** 2)
        fewer, more = sorted((told, inferred))
        if more - fewer > max(MISSING, SIGMAS * error) and more > TIMES * fewer:
            return Share(label, told, inferred)
    return None


def _error(share: float, count: int) -> float:
    """Standard error of a share; a few samples that all agree do not make it 0."""
    return math.sqrt(max(share * (1 - share), 0.01) / max(1, count))


def _voted(table: Counter[tuple[float, float]], label: float) -> tuple[float, float]:
    """How often neighbours vote for a class where it is the label, and where it is not."""
    of_it = [(v == label, n) for (y, v), n in table.items() if y == label]
    others = [(v == label, n) for (y, v), n in table.items() if y != label]
    right, wrong = (
        sum(n for hit, n in side if hit) / max(1, sum(n for _, n in side)) for side in (of_it, others)
    )
    return right, wrong
