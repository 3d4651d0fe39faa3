"""Inputs that occur more than once, and whether their labels agree. Pure functions of a trace."""

from __future__ import annotations

import math
from collections import Counter
from statistics import fmean
from typing import Any

from ..model import Trace

FEW_NUMBERS = 4
STILL_NEW = 0.05  # share of new inputs in the second half of the training samples: a fixed set brings none
ENOUGH = 100  # inputs that show how they are made up
UNIQUE = 0.98  # share of different inputs among the first of them: cells of a table come once
# inputs that come again; from such a luck on equal answers say little: 0.5^20 is one in a million
COPIES, HALF = 20, 0.5
# share of different values in a feature, and such features: together they hardly ever agree
OWN, COLUMNS = 0.5, 3
# values of each of several features: even of evenly spread ones a pair agrees in all of these once in 10^10 times
VALUES, SEVERAL = 64, 6
CATEGORIES = 0.2  # different values in a column per row; measurements hardly repeat
ALIKE = 0.05  # different inputs per sample, of samples that were all to differ
BATCHES, OF_BATCHES = 5, 0.9  # different ones, and the share of them with the same labels


def mere_indexes(trace: Trace) -> bool:
    """Whether inputs are so few numbers (a user and an item) that equal ones meet by themselves."""
    widths = [math.prod(row["shape"]) for row in trace.of("sample") if row["grad"]]
    return bool(widths) and max(widths) < FEW_NUMBERS


def bare_numbers(trace: Trace) -> bool:
    """Whether such inputs are whole numbers, as those of users and items, which are near to none."""
    rows = [r for r in trace.of("sample") if r["grad"]]
    return mere_indexes(trace) and all(float(v).is_integer() for r in rows for x in r["x"] for v in x)


def pairs_by_chance(trace: Trace) -> float | None:
    """For inputs of two or three indexes (a user and an item) that never repeat within a training pass, or always with
    the same answer (copies of rows): the share of other such inputs that training would have shown by chance; None for
    other inputs.
    """
    rows = [x for row in trace.of("sample") if row["grad"] for x in row["x"]]
    widths = {len(x) for x in rows}
    if (
        len(rows) < ENOUGH
        or not widths <= {2, 3}
        or any(not float(v).is_integer() or v < 0 for x in rows for v in x)
    ):
        return None
    shown: dict[Any, list[tuple[float, Any]]] = {}
    for row in trace.of("ids"):
        if row["grad"]:
            answers = row.get("y") or [None] * len(row["h"])
            shown.setdefault(row["epoch"], []).extend(zip(row["h"], answers, strict=False))
    seen = {h for found in shown.values() for h, _ in found}
    drawn = next(iter(shown.values()), [])[: len(rows)]
    possible = math.prod(len({x[k] for x in rows}) for k in range(max(widths)))
    once = len({h for h, _ in drawn}) >= UNIQUE * len(drawn)
    if len(seen) > possible or not (once or _copied(drawn)):
        return None
    return len(seen) / possible


def met_by_chance(trace: Trace) -> float:
    """Share of held-out samples that would be training inputs too if both were drawn alike: so large is the share of
    training samples that another one equals with another label, and so likely a row of values in few categories is
    among that many if the columns are drawn apart (at least: columns that go together meet more).
    """
    rows = [r for r in trace.of("ids") if r["grad"]]
    # later epochs may draw labels anew
    first = [r for r in rows if all(r.get(k) == rows[0].get(k) for k in ("loader", "epoch"))]
    drawn = _told(first)
    labels = Counter(h for h, y in drawn if y is not None)
    other = sum(count for count in labels.values() if count > 1)
    return max(other / max(1, len(drawn)), _categories_meet(trace, len(drawn)))


def labels_never_meet(trace: Trace) -> bool:
    """Whether hardly two training samples have the same label: measurements, so that an input that comes with the same
    one again is the same sample.
    """
    pairs = {(h, y) for h, y in _told([r for r in trace.of("ids") if r["grad"]]) if y is not None}
    return len({y for _, y in pairs}) > OWN * len(pairs) > 0


def _told(rows: list[dict[str, Any]]) -> set[tuple[float, str | None]]:
    """Every different pair of a fingerprint and its label, None where that is not known."""
    pairs = ((h, y) for r in rows for h, y in zip(r["h"], r.get("y") or [None] * len(r["h"]), strict=False))
    return {(h, None if y is None else str(y)) for h, y in pairs}


def _categories_meet(trace: Trace, count: int) -> float:
    """How likely a row is among ``count`` others if each column is drawn by itself; 0 for columns of many values."""
    rows = [x for r in trace.of("sample") if r["grad"] for x in r.get("codes") or r["x"]]
    if len(rows) < ENOUGH or len({len(x) for x in rows}) != 1:
        return 0.0
    shares = [Counter(column) for column in zip(*rows, strict=True)]
    if max(len(c) for c in shares) > CATEGORIES * len(rows):
        return 0.0
    chances = [math.prod(c[v] / len(rows) for c, v in zip(shares, x, strict=True)) for x in rows]
    return fmean(1 - (1 - p) ** count for p in chances)


def _copied(drawn: list[tuple[float, Any]]) -> bool:
    """Whether inputs that come again have the answer that they had, where answers differ from input to input: rows of
    a table that are there several times, and no second rating.
    """
    answers: dict[float, list[Any]] = {}
    for h, y in drawn:
        answers.setdefault(h, []).append(y)
    again = [ys for ys in answers.values() if len(ys) > 1]
    told = Counter(ys[0] for ys in answers.values() if isinstance(ys[0], (int, float)))
    luck = sum((count / len(answers)) ** 2 for count in told.values())
    same = sum(len(set(ys)) == 1 for ys in again if isinstance(ys[0], (int, float)))
    return len(again) >= COPIES and same >= UNIQUE * len(again) and luck < HALF


def made_of_measurements(trace: Trace) -> bool:
    """Whether several features hardly ever have the same value twice, or more of them have many values (measurements to
    two digits): whole inputs that are equal are then copies, and do not meet by themselves.
    """
    rows = [r for r in trace.of("sample") if r["grad"]]
    points = {tuple(x) for r in rows if not r.get("int") for x in r["x"]}
    widths = {len(x) for x in points}
    if len(points) < ENOUGH or len(widths) != 1:
        return False
    different = [len(set(column)) for column in zip(*points, strict=True)]
    rare = sum(count > OWN * len(points) for count in different)
    return rare >= COLUMNS or sum(count >= VALUES for count in different) >= SEVERAL


def conflicts(trace: Trace) -> tuple[float, int, bool]:
    """Of the training inputs that occur more than once: the share with different labels, their number, and whether
    the labels look drawn anew each time (the repeats agree no more often than labels drawn from the prior would).

    Inputs of up to three numbers (a user and an item) recur with other answers by nature: (0, 0, False) for those.
    """
    if mere_indexes(trace):
        return 0.0, 0, False
    seen: dict[float, list[float]] = {}
    for row in trace.of("ids"):
        if row["grad"] and row.get("y"):
            for h, y in zip(row["h"], row["y"], strict=False):
                seen.setdefault(h, []).append(y)
    repeated = [labels for labels in seen.values() if len(labels) > 1]
    if not repeated:
        return 0.0, 0, False
    share = sum(len(set(labels)) > 1 for labels in repeated) / len(repeated)
    prior = Counter(labels[0] for labels in seen.values())
    luck = sum((c / len(seen)) ** 2 for c in prior.values())
    agree = fmean(labels[0] == labels[1] for labels in repeated)
    return share, len(repeated), agree < luck + 0.25 * (1 - luck)


def nearly_constant(trace: Trace) -> tuple[int, int] | None:
    """(different inputs, samples) of the first epoch of a loader that drew other samples every time, where nearly all
    inputs are equal to others with another label: what told them apart was lost before. None elsewhere.
    """
    for order in trace.of("order"):
        same = (order["loader"], order["epoch"])
        rows = [r for r in trace.of("ids") if r["grad"] and (r["loader"], r["epoch"]) == same]
        labels: dict[float, list[float]] = {}
        for row in rows:
            for h, y in zip(row["h"], row.get("y") or (), strict=False):
                labels.setdefault(h, []).append(y)
        samples = sum(map(len, labels.values()))
        mixed = sum(len(found) for found in labels.values() if len(set(found)) > 1)
        drawn = order["distinct"] >= UNIQUE * order["n"]
        if drawn and samples >= ENOUGH and len(labels) <= ALIKE * samples and mixed >= UNIQUE * samples:
            return len(labels), samples
    return None


def commonest(trace: Trace) -> tuple[float, int]:
    """Share of the training samples that are one and the same input, and how many labels it comes with (none: no label
    is known); 0 where inputs are so few numbers that they are equal by nature.
    """
    rows = [r for r in trace.of("ids") if r["grad"]]
    labelled = [r for r in rows if r.get("y")]
    pairs = [
        (h, y)
        for r in labelled or rows
        for h, y in zip(r["h"], r.get("y") or [None] * len(r["h"]), strict=False)
    ]
    if len(pairs) < ENOUGH or mere_indexes(trace):
        return 0.0, 0
    usual, count = Counter(h for h, _ in pairs).most_common(1)[0]
    return count / len(pairs), len({str(y) for h, y in pairs if h == usual and y is not None})


def blank(trace: Trace) -> float:
    """Share of the sampled training inputs of several numbers all of which are the same number."""
    rows = [x for r in trace.of("sample") if r["grad"] and not r["int"] for x in r["x"] if len(x) > 1]
    return fmean(min(x) == max(x) for x in rows) if rows else 0.0


def contrasts(trace: Trace) -> bool:
    """Whether each sample of a batch is to be told from the others of it: as many scores as samples, and every label
    once (van den Oord et al., 2018; Chen et al., 2020).
    """
    rows = [r for r in trace.of("loss") if r["target"].get("distinct") is not None]
    square = [
        r for r in rows if r["in"]["shape"] == 2 * r["target"]["shape"] == 2 * [r["target"]["distinct"]]
    ]
    return bool(rows) and len(square) > len(rows) / 2 and rows[0]["target"]["distinct"] > 2


def labels_are_places(trace: Trace) -> bool:
    """Whether every batch of other inputs comes with the same labels in the same order: they number the places of an
    episode (few-shot tasks) or of a batch (contrastive pairs), and say nothing of a single input.
    """
    rows = [(tuple(r["y"]), tuple(r["h"])) for r in trace.of("ids") if r["grad"] and r.get("y")]
    if any(isinstance(y, list) for y, _ in rows for y in y):  # numbers, or one label per place of an input
        return False
    if len(rows) < BATCHES or len({h for _, h in rows}) < BATCHES:
        return False
    labels, count = Counter(y for y, _ in rows).most_common(1)[0]
    return count > OF_BATCHES * len(rows) and len(set(labels)) > 1


def fresh_inputs(trace: Trace) -> bool:
    """Whether later epochs show inputs that earlier ones did not: random augmentation, or an endless stream."""
    epochs: dict[int, set[float]] = {}
    for row in trace.of("ids"):
        if row["grad"] and row["epoch"] is not None:
            epochs.setdefault(row["epoch"], set()).update(row["h"])
    if not epochs:
        return not trace.of("pool") and _still_new(trace)
    if len(epochs) < 2:
        return False
    first, second = (epochs[e] for e in sorted(epochs)[:2])
    return len(first & second) < 0.8 * min(len(first), len(second))


def _still_new(trace: Trace) -> bool:
    """Whether the second half of the training samples still brings inputs that the first half did not show."""
    drawn = [h for row in trace.of("ids") if row["grad"] for h in row["h"]]
    half = len(drawn) // 2
    late = set(drawn[half:])
    return half >= ENOUGH and len(late - set(drawn[:half])) > STILL_NEW * len(late)
