"""Answers where amounts are asked for: how much of the targets' variance they leave, in training and held out."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean, median, pvariance
from typing import Any

from ..model import Trace
from .data import FEW as FEWEST
from .data import Agreement, Key, Sampled, apart, last_scored, nearest, samples, scales, single
from .measure import REGRESSION, loss_function, objective, plain_chance, tail
from .validation import measured_losses

FEW = 60  # answers below which a side says nothing
COLUMNS = 8  # numbers of a target that the recorder keeps
LATE = 0.8  # training answers count from this part of the run on
KINDS = 20  # different targets from which they are amounts


@dataclass(frozen=True)
class Foretold:
    """How well near inputs foretell amounts, in training and in evaluation, and how far the inputs lie apart."""

    training: Agreement
    held_out: Agreement
    apart: float


@dataclass(frozen=True)
class Left:
    """Share of the variance of the targets that the model's answers leave: 0 for perfect ones, 1 for a constant."""

    training: float
    held_out: float


@dataclass(frozen=True)
class Tails:
    """Errors of answers: the size that nine in ten stay below over that of four in ten (3.1 for a normal distribution),
    and the share of the rarer sign among the largest tenth.
    """

    heavy: float
    either: float


def foretold(trace: Trace) -> Foretold | None:
    """Of targets of several amounts the one that is foretold best in evaluation; each side in a unit of its own, as the
    recorder keeps held-out targets that are looked up in another unit. None for classes, and below 40 samples a side.
    """
    return _foretold(Key(trace))


@lru_cache(maxsize=2)
def _foretold(key: Key) -> Foretold | None:
    width = max((len(y) for r in key.trace.of("sample") for y in _lists(r)), default=0)
    columns = [_column(key.trace, n) for n in range(min(width, COLUMNS))]
    usable = [c for c in columns if all(map(_are_amounts, c)) and len(c[0].x[0]) == len(c[1].x[0])]
    if not usable:
        return None
    shown, held = (side.x for side in usable[0])
    near, around = (list(nearest(x, x, scales(x))) for x in (shown, held))
    alike = (c for c in usable if c[0].x == shown and c[1].x == held)
    scores = [(_agreement(train, near), _agreement(held_out, around)) for train, held_out in alike]
    training, evaluation = max(scores, key=lambda both: both[1].score)
    return Foretold(training, evaluation, apart(shown, held))


def _are_amounts(side: Sampled) -> bool:
    return len(side) >= FEWEST and not side.classes and len(set(side.y)) > KINDS


def _agreement(side: Sampled, near: list[list[int]]) -> Agreement:
    """Share of the variance that the mean of the nearest others explains."""
    left = fmean((y - fmean(side.y[k] for k in others)) ** 2 for y, others in zip(side.y, near, strict=True))
    return Agreement(1 - left / pvariance(side.y), 0.0, len(side), Counter())


def _column(trace: Trace, number: int) -> tuple[Sampled, Sampled]:
    """The samples of both sides with one of their amounts."""
    rows = tuple(
        {**row, "y": [y[number] for y in _lists(row) if len(y) > number]} for row in trace.of("sample")
    )
    alone = trace.model_copy(update={"rows": {**trace.rows, "sample": rows}})
    return samples(alone, training=True), samples(alone, training=False)


def _lists(row: dict[str, Any]) -> list[list[float]]:
    """The amounts of each sample of a row, in whatever unit."""
    kept = row.get("y") or row.get("z") or []
    return [y for y in kept if isinstance(y, list)]


def left_in_training(trace: Trace) -> float | None:
    """The share of the variance of the targets that answers leave, of the training samples that were shown last."""
    return _unexplained(answers(trace, training=True))


def left(trace: Trace) -> Left | None:
    """Of the training samples that were shown last and of the last evaluation; None where either is not known (targets
    of more than one number, classes, fewer than ``FEW`` answers).
    """
    shares = left_in_training(trace), _unexplained(answers(trace, training=False))
    return None if shares[0] is None or shares[1] is None else Left(shares[0], shares[1])


def tails(trace: Trace) -> tuple[Tails, Tails] | None:
    """Of the errors of the same, in training and held out; None where ``left`` is, or the answers are exact."""
    inside, outside = (answers(trace, training=side) for side in (True, False))
    if _unexplained(inside) is None or _unexplained(outside) is None:
        return None
    sides = [_tails([y - p for y, p in pairs]) for pairs in (inside, outside)]
    return None if sides[0] is None or sides[1] is None else (sides[0], sides[1])


def typical_error(trace: Trace) -> float | None:
    """The median size of the errors of the last evaluation."""
    errors = [abs(y - p) for y, p in answers(trace, training=False)]
    return median(errors) if len(errors) >= FEW else None


def answers(trace: Trace, *, training: bool) -> list[tuple[float, float]]:
    """(target, answer) of the training samples that were shown last, or of the last evaluation of other ones."""
    rows = list(trace.of("answered")) if training else last_scored(trace)
    if not rows:
        return []
    first = LATE * rows[-1]["i"] if training else rows[-1]["i"]
    return _pairs([r for r in rows if r["i"] >= first])


def _tails(errors: list[float]) -> Tails | None:
    ordered = sorted(errors, key=abs)
    four, nine = (abs(ordered[len(ordered) * k // 10]) for k in (4, 9))
    largest = ordered[len(ordered) * 9 // 10 :]
    above = sum(e > 0 for e in largest) / len(largest)
    return Tails(nine / four, min(above, 1 - above)) if four > 0 else None


def _pairs(rows: list[dict[str, Any]]) -> list[tuple[float, float]]:
    """(target, answer) of the samples with one number each."""
    both = ((single(y), single(p)) for r in rows for y, p in zip(r["y"], r["p"], strict=False))
    return [(float(y), float(p)) for y, p in both if isinstance(y, (int, float)) and _finite(y, p)]


def _finite(target: float, answer: Any) -> bool:
    return isinstance(answer, float) and math.isfinite(target) and math.isfinite(answer)


def _unexplained(pairs: list[tuple[float, float]]) -> float | None:
    targets = [y for y, _ in pairs]
    if len(pairs) < FEW or len(set(targets)) <= KINDS or pvariance(targets) <= 0:
        return None
    return fmean((y - p) ** 2 for y, p in pairs) / pvariance(targets)


def left_of_losses(trace: Trace) -> Left | None:
    """The same by the losses, each relative to that of the best constant answer; None without one of both sides, and of
    other losses than those of amounts.
    """
    level, held, inside = plain_chance(trace), measured_losses(trace), tail(objective(trace))
    if level is None or level <= 0 or not held or inside is None or loss_function(trace) not in REGRESSION:
        return None
    return Left(inside / level, held[-1][1] / level)
