"""Whether scores put one kind of answers before another one: Mann-Whitney statistics of recorded answers."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass

from ..model import Trace
from .data import answers_of, last_scored


@dataclass(frozen=True)
class ErrorRanks:
    """Errors of the last evaluation: number, share, that of the best constant answer, and ``above``: the probability
    that the margin of a right answer exceeds that of a wrong one (0.5: margins do not tell them apart).
    """

    wrong: int
    rate: float
    chance_rate: float
    above: float


def error_ranks(trace: Trace) -> ErrorRanks | None:
    """Ranks of the margins of right and wrong answers; None without class scores of evaluations."""
    rows = last_scored(trace)
    return _ranks([a for row in rows if row["i"] == rows[-1]["i"] for a in answers_of(row)])


def training_ranks(trace: Trace) -> ErrorRanks | None:
    """The same for the answers to training samples in the last third of the run."""
    rows = trace.of("answered")
    return _ranks([a for row in rows if row["i"] > 2 / 3 * rows[-1]["i"] for a in answers_of(row)])


def ranked_held_out(trace: Trace) -> float | None:
    """By how many standard errors the last evaluation's single scores put samples of class 1 before those of class 0
    better than chance does (the error is that of equal distributions: Hanley and McNeil, Radiology 1982); None without
    such scores or with one class alone.
    """
    rows = last_scored(trace)
    last = [r for r in rows if r["i"] == rows[-1]["i"] and "m" not in r]
    pairs = [(y, p[0]) for r in last for y, p in zip(r["y"], r["p"], strict=False) if p and len(p) == 1]
    some, others = [p for y, p in pairs if y == 1], [p for y, p in pairs if y == 0]
    if not some or not others or len(some) + len(others) < len(pairs):
        return None
    error = math.sqrt((len(some) + len(others) + 1) / (12 * len(some) * len(others)))
    return (above(some, others) - 0.5) / error


def above(some: list[float], others: list[float]) -> float:
    """Probability that one of some exceeds one of the others, ties counted half."""
    ordered = sorted(others)
    wins = sum(bisect_left(ordered, a) + bisect_right(ordered, a) for a in some)
    return wins / (2 * len(some) * len(ordered))


def _ranks(answers: list[tuple[bool, float, float]]) -> ErrorRanks | None:
    right, wrong = [m for ok, m, _ in answers if ok], [m for ok, m, _ in answers if not ok]
    if not right or not wrong:
        return None
    prior = Counter(y for _, _, y in answers).most_common(1)[0][1] / len(answers)
    return ErrorRanks(len(wrong), len(wrong) / len(answers), 1 - prior, above(right, wrong))
