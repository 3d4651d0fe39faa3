"""The evaluations of a run as a curve. Pure functions of a trace."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

from ..model import Trace
from .data import KNOWN
from .streams import called_at_every_step


@dataclass(frozen=True)
class Point:
    """One evaluation: after which step, its mean loss and its accuracy (each None when not measured)."""

    step: int
    loss: float | None
    accuracy: float | None


def points(trace: Trace) -> list[Point]:
    """Evaluations in which a loss or an accuracy was measured, in order; the first one after each step counts (a
    script that puts other weights back and measures again does so after the curve has ended). None where a second
    network is asked at every step: its answers cannot be told from evaluations.
    """
    if called_at_every_step(trace):
        return []
    found: dict[int, Point] = {}
    for row in trace.of("eval"):
        loss, accuracy = _loss(row), _accuracy(row)
        if loss is not None or accuracy is not None:
            found.setdefault(row["i"], Point(row["i"], loss, accuracy))
    return list(found.values())


def of_last_set(trace: Trace) -> Trace:
    """The trace without the evaluations that came before the set that was evaluated repeatedly last: the folds of a
    cross-validation each have a model and held-out samples of their own.
    """
    rows = _shown(trace)
    counts = Counter(key for key, _ in rows)
    last = next((key for key, _ in reversed(rows) if counts[key] > 1), None)
    if last is None:
        return trace
    start = next(i for key, i in rows if key == last)
    kept = tuple(r for r in trace.of("eval") if r["i"] >= start)
    return trace.model_copy(update={"rows": {**trace.rows, "eval": kept}})


def repeated(trace: Trace) -> bool:
    """Whether most evaluations, of several, were shown the very same inputs: a last one may be on a test set."""
    counts = Counter(key for key, _ in _shown(trace))
    most = max(counts.values(), default=0)
    return most > 1 and 2 * most > counts.total()


def _shown(trace: Trace) -> list[tuple[str, int]]:
    """(what tells the samples of an evaluation from those of others, step), of each one that has it."""
    return [(f"{r['print']:.8e}", r["i"]) for r in trace.of("eval") if r.get("print") is not None]


def again(trace: Trace) -> Point | None:
    """The last evaluation, when it repeats one after the same step with other weights."""
    rows = [r for r in trace.of("eval") if r["loss"] or r["acc"] or r.get("own")]
    if len(rows) < 2 or rows[-1]["i"] != rows[-2]["i"] or not _same_samples(rows):
        return None
    return points(trace.model_copy(update={"rows": {"eval": (rows[-1],)}}))[0]


def put_back(trace: Trace) -> Point | None:
    """The evaluation whose weights were loaded again after the last step; None where none were, or several (the members
    of an ensemble), or those of no evaluation.
    """
    last = trace.steps[-1].i if trace.steps else 0
    loaded = {r["state"] for r in trace.of("load") if r["i"] == last and r.get("state") is not None}
    steps = {r["i"] for r in trace.of("eval") if r.get("state") in loaded and r["i"] < last}
    if len(loaded) != 1 or not steps:
        return None
    return next((p for p in points(trace) if p.step == min(steps)), None)


def _same_samples(rows: list[dict[str, Any]]) -> bool:
    """Whether the last of these evaluations is on the samples of one before it (a final test is not)."""
    last = rows[-1].get("print")
    prints = [r["print"] for r in rows[:-1] if r.get("print") is not None]
    return last is None or any(math.isclose(last, p, rel_tol=1e-9, abs_tol=1e-6) for p in prints)


def rounds(trace: Trace) -> list[dict[str, Any]]:
    """``eval`` rows that come now and then; passes without gradient before nearly every step (a teacher, a target
    network) are part of training.
    """
    rows = list(trace.of("eval"))
    return rows if len(rows) <= max(3, len(trace.steps) // 4) else []


def improving(values: list[float], falling: bool) -> int:
    """How many of the last values in a row are each better than all before."""
    signed = [v if falling else -v for v in values]
    count = 0
    while count + 1 < len(signed) and signed[-1 - count] < min(signed[: len(signed) - 1 - count]):
        count += 1
    return count


def _loss(row: dict[str, Any]) -> float | None:
    """The script's own losses, else the training loss on the targets that were found for other samples."""
    if row["loss"]:
        return _mean(row["loss"], [n for n, _ in row.get("loss_of", [])])
    own = [(v, n) for v, n, seen in row.get("own", ()) if seen < KNOWN]
    return _mean([v for v, _ in own], [n for _, n in own])


def _accuracy(row: dict[str, Any]) -> float | None:
    if row["acc"]:
        return _mean(row["acc"], row["n"])
    return _mean(row.get("binary") or [], [n for n, _ in row.get("loss_of", [])])


def _mean(values: list[float], counts: list[int]) -> float | None:
    if not values:
        return None
    counted = len(counts) == len(values) and any(counts)
    weights = counts if counted else [1] * len(values)
    mean = sum(v * n for v, n in zip(values, weights, strict=True)) / sum(weights)
    return mean if math.isfinite(mean) else None
