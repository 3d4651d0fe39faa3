"""Printed overlap scores (IoU, Dice, F1, precision, recall) against those that the counted answers give."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Any, NamedTuple

from ..model import Trace
from .printed import TRAINING

Counts = list[list[float]]  # right, given and true answers of each class
Score = Callable[[float, float, float], float]

SCORES: tuple[tuple[re.Pattern[str], Score], ...] = (
    (re.compile(r"iou|jaccard", re.IGNORECASE), lambda right, given, true: right / (given + true - right)),
    (
        re.compile(r"dice|(?<![a-z])f.?1|f.?score", re.IGNORECASE),
        lambda right, given, true: 2 * right / (given + true),
    ),
    (re.compile(r"prec", re.IGNORECASE), lambda right, given, true: right / given if given else 0.0),
    (
        re.compile(r"recall|sensitivity", re.IGNORECASE),
        lambda right, given, true: right / true if true else 0.0,
    ),
)
TOLERANCE = 6e-4  # half of the third digit, and a little for what a script adds to a denominator
CLEARLY = 3.0  # times the tolerance by which the wrong number must differ from every right one
FEW, SHARE = 3, 0.8  # evaluations, and how many of them must fit


class Told(NamedTuple):
    """A number that was printed for an evaluation, what all of its samples give, and the whole line."""

    step: int
    printed: float
    right: float
    line: str


class Misprinted(NamedTuple):
    """A printed score that follows a wrong formula: its name, the formula in words, and where it was seen."""

    name: str
    formula: str
    fits: tuple[Told, ...]


def misprinted(trace: Trace) -> Misprinted | None:
    """The first printed score that is not what its evaluation gives, but what one wrong sum does, in most evaluations
    of at least ``FEW``. None where nothing is counted, or the printed numbers agree with a usual definition.
    """
    rows = {r["i"]: r for r in trace.of("eval") if r.get("overlap")}
    prints = [p for p in trace.of("print") if p["i"] in rows]
    for name in sorted({n for p in prints for n in p["v"] if not TRAINING.search(n)}):
        score = next((s for pattern, s in SCORES if pattern.search(name)), None)
        told = {p["i"]: (float(p["v"][name]), str(p["line"])) for p in prints if name in p["v"]}
        if score is None or len(told) < FEW or len({value for value, _ in told.values()}) < FEW:
            continue
        right = {i: _right(score, rows[i]["overlap"]) for i in told}
        needed = max(FEW, SHARE * (len(told) - 1))  # the first evaluation has nothing to be summed up with
        for formula, wrong in _wrong(score, rows):
            fits = _fits(told, right, wrong)
            if len(fits) >= needed:
                return Misprinted(name, formula, fits)
    return None


def _wrong(score: Score, rows: dict[int, dict[str, Any]]) -> Iterator[tuple[str, dict[int, list[float]]]]:
    """Each wrong sum in words, with the variants of the score that it gives for each evaluation."""
    for formula, counts in _wrong_sums(rows):
        yield formula, {i: _variants(score, c) for i, c in counts.items()}


def _wrong_sums(rows: dict[int, dict[str, Any]]) -> Iterator[tuple[str, dict[int, Counts]]]:
    yield "of the last batch only", {i: r["overlap"][-1] for i, r in rows.items()}
    if all("overlap_left" in r for r in rows.values()):
        yield "of the targets of the last training batch", {i: r["overlap_left"] for i, r in rows.items()}
    held = {i: _sum(r["overlap"]) for i, r in rows.items()}
    yield "summed up since the first evaluation", _running(held)
    both = {i: _sum([r["overlap_trained"], held[i]]) for i, r in rows.items() if "overlap_trained" in r}
    if len(both) == len(held):
        yield "of the evaluation and the training before it together", both
        yield "summed up over training and evaluation since the beginning", _running(both)


def _running(counts: dict[int, Counts]) -> dict[int, Counts]:
    steps = sorted(counts)
    return dict(zip(steps, accumulate((counts[i] for i in steps), lambda a, b: _sum([a, b])), strict=True))


def _fits(
    told: dict[int, tuple[float, str]], right: dict[int, list[float]], wrong: dict[int, list[float]]
) -> tuple[Told, ...]:
    """The evaluations that fit the variant of the wrong sum which fits most of them, and no right number."""
    each: list[list[Told]] = [[] for _ in next(iter(wrong.values()))]
    for step, (printed, line) in told.items():
        scale = 100.0 if printed > 1 else 1.0
        near = scale * TOLERANCE
        if min(abs(scale * v - printed) for v in right[step]) <= CLEARLY * near:
            continue
        for kind, value in enumerate(wrong[step]):
            if abs(scale * value - printed) <= near:
                each[kind].append(Told(step, printed, scale * right[step][kind], line))
    most = max(map(len, each))
    return tuple(next(fits for fits in each if len(fits) == most))


def _right(score: Score, batches: list[Counts]) -> list[float]:
    """By the usual definitions: of all samples, and the mean over batches."""
    each = [_variants(score, batch) for batch in batches]
    return [
        *_variants(score, _sum(batches)),
        *(sum(values) / len(values) for values in zip(*each, strict=True)),
    ]


def _variants(score: Score, counts: Counts) -> list[float]:
    """The score of yes and no; of several classes their mean, that without the first (the background), the mean by how
    often they come, that of all answers together, and that of each class of two.
    """
    each = [score(*c) if c[1] + c[2] else 0.0 for c in counts]
    if len(counts) == 1:
        return each
    seen = [v for v, c in zip(each, counts, strict=True) if c[1] + c[2]] or [0.0]
    total = sum(c[2] for c in counts) or 1.0
    weighted = sum(v * c[2] for v, c in zip(each, counts, strict=True)) / total
    together = _sum([[c] for c in counts])[0]
    micro = score(*together) if together[1] + together[2] else 0.0
    means = [sum(each) / len(each), sum(seen) / len(seen), sum(each[1:]) / (len(each) - 1), weighted, micro]
    return [*means, *(each if len(each) == 2 else ())]


def _sum(parts: list[Counts]) -> Counts:
    return [[sum(numbers) for numbers in zip(*rows, strict=True)] for rows in zip(*parts, strict=True)]
