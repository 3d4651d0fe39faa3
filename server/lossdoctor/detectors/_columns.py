"""Input columns that hold the answer: looked for one by one in the recorded samples."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from ..model import Trace
from ..traces.data import FEW, Sampled, held, samples
from ..traces.measure import first_nonfinite, loss_function, plain_chance
from ..traces.progress import fitted
from ..traces.validation import fresh_calls, generalised
from ..traces.wiring import calls_per_loss

COPY = 0.999  # correlation; measured features of real data stay below 0.99
# of a number in a window: the one before is like the next in any smooth series, not equal to it
EXACT = 1 - 1e-6
FEATURES = 128  # numbers of a sample that the recorder keeps
ROWS = 60  # samples below which a perfect column may be chance
# area under the ROC curve of one column alone; the best single feature of clinical tables has 0.97
APART = 0.98
MIXED = 0.85  # the same column on held-out samples
# what is left on held-out samples of the fit of the training data, below which the column has misled
LOST = 0.6
# Of each class, that a mark has (or lacks); the tables of scikit-learn have no column like that.
MARKED = 0.9
WEAKER = 0.9  # area of the next best column: where several tell the classes apart the task is an easy one
OF_EACH = 12  # samples of each class: with four, the best of a hundred columns tells them apart by chance
COLUMNS = 3  # a one- or two-column task may be a function of one column by right


@dataclass(frozen=True)
class Column:
    """An input column, how well it foretells the target, and what that is held against (another column, or the same on
    held-out samples).
    """

    column: int
    score: float
    other: float
    samples: int


def copying(trace: Trace) -> Column | None:
    """A feature that is the target, up to a shift and a factor. A model that answers with its loss gets it by right,
    and so may one of several calls for one loss: what one term asks for may tell another.
    """
    answers = [r["out"][0]["shape"] for r in trace.of("forward") if r["grad"] and r.get("out")]
    if (answers and not any(answers)) or calls_per_loss(trace) > 1:
        return None
    rows = [
        r for r in trace.of("sample") if r["grad"] and "y" in r and not r["int"] and len(r["shape"]) in (1, 2)
    ]
    x = [row for r in rows for row in r["x"]]
    targets = [v for r in rows for v in r["y"]]
    if any(isinstance(v, list) and len(v) != 1 for v in targets):
        return None  # several targets: a reconstruction may hold its input by right
    y = [_number(v) for v in targets]
    if len(x) < ROWS or len(x) != len(y) or len(x[0]) < COLUMNS or loss_function(trace) is None:
        return None
    if any(len(row) != len(x[0]) for row in x):
        return None  # several models with inputs of their own
    shape = rows[0]["shape"]
    same = COPY if len(shape) == 1 else EXACT
    scored = [(abs(correlation([row[k] for row in x], y)), k) for k in range(len(x[0]))]
    best, column = max(scored)
    if best < same or sum(s >= same for s, _ in scored) > len(scored) / 2:
        return None
    stride = -(-math.prod(shape) // FEATURES)  # of long windows every so many numbers were kept
    return Column(column * stride, best, sorted(scored)[-2][0], len(x))


def _two_classes(trace: Trace) -> tuple[Sampled, Sampled] | None:
    """Training and held-out samples with two classes and the same columns, enough of each; None otherwise."""
    train, held_out = samples(trace, training=True), samples(trace, training=False)
    if min(len(train), len(held_out)) < FEW or set(train.y) != {0.0, 1.0} or len(train.x[0]) < COLUMNS:
        return None
    if len(held_out.x[0]) != len(train.x[0]) or min(_rarer(train.y), _rarer(held_out.y)) < OF_EACH:
        return None
    return train, held_out


def _alone(side: Sampled) -> list[float]:
    """How well each column tells the two classes apart by itself."""
    return [separation([x[k] for x in side.x], side.y) for k in range(len(side.x[0]))]


def misleading(trace: Trace) -> Column | None:
    """A column that tells the two classes apart by itself in training and not in evaluation: it was filled in with the
    answer at hand.
    """
    sides = _two_classes(trace)
    if sides is None:
        return None
    train, held_out = sides
    alone = _alone(train)
    best = max(range(len(alone)), key=alone.__getitem__)
    others = [([x[best] for x in side.x], side.y) for side in (held_out, *_other_sets(trace))]
    later = min(separation(values, labels) for values, labels in others)
    empty = any(len(set(values)) == 1 for values, _ in others)  # not known yet where it is asked for
    share, lift = fitted(trace), generalised(trace)
    harmed = share is not None and lift is not None and (lift < LOST * share or _broke_down(trace))
    harmed = harmed and first_nonfinite(trace) is None
    if alone[best] < (WEAKER if empty else APART) or later > MIXED or not harmed:
        return None
    return Column(best, alone[best], later, len(train))


def _other_sets(trace: Trace) -> list[Sampled]:
    """The held-out samples of later evaluations that the first one did not have, where each class has enough."""
    rows = held(trace, "sample")
    first = {tuple(x) for r in rows if r["i"] == rows[0]["i"] for x in r["x"]}
    later = [r for r in rows if not any(tuple(x) in first for x in r["x"])]
    found = samples(trace.model_copy(update={"rows": {**trace.rows, "sample": tuple(later)}}), training=False)
    return [found] if len(found) and _rarer(found.y) >= OF_EACH else []


def _broke_down(trace: Trace) -> bool:
    """Whether the last evaluations are on several sets, one of which is answered worse than by a constant."""
    level = plain_chance(trace)
    last = [value for row in trace.of("eval")[-1:] for value, _ in fresh_calls(row)]
    return level is not None and len(last) > 1 and max(last) > level > min(last)


def filled_in(trace: Trace) -> Column | None:
    """A column that has one and the same value in nearly all samples of one class and in hardly any of the other, in
    training and in evaluation, beside columns that tell much less: it was filled in after the event.
    """
    sides = _two_classes(trace)
    if sides is None or set(sides[1].y) != {0.0, 1.0}:
        return None
    alone = _alone(sides[0])
    best = max(range(len(alone)), key=alone.__getitem__)
    other = max(score for k, score in enumerate(alone) if k != best)
    filled = all(_is_mark([x[best] for x in side.x], side.y) for side in sides)
    return Column(best, alone[best], other, len(sides[0])) if filled and other < WEAKER else None


def _is_mark(values: list[float], labels: tuple[float, ...]) -> bool:
    """Whether the commonest value of a column belongs to one class alone."""
    usual = Counter(values).most_common(1)[0][0]
    shares = [
        fmean(v == usual for v, y in zip(values, labels, strict=True) if y == label) for label in (0.0, 1.0)
    ]
    return max(shares) >= MARKED and min(shares) <= 1 - MARKED


def _rarer(labels: tuple[float, ...]) -> int:
    """Samples of the rarer of two classes."""
    ones = sum(y == 1 for y in labels)
    return min(ones, len(labels) - ones)


def separation(values: list[float], labels: tuple[float, ...]) -> float:
    """Area under the ROC curve of one column, in either direction (Mann-Whitney): 0.5 none, 1 whole."""
    ones = [v for v, y in zip(values, labels, strict=True) if y == 1]
    zeros = sorted(v for v, y in zip(values, labels, strict=True) if y == 0)
    if not ones or not zeros:
        return 0.5
    wins = sum(bisect_left(zeros, v) + 0.5 * (bisect_right(zeros, v) - bisect_left(zeros, v)) for v in ones)
    area = wins / (len(ones) * len(zeros))
    return max(area, 1 - area)


def _number(value: Any) -> float:
    return float(value[0]) if isinstance(value, list) else float(value)


def correlation(a: list[float], b: list[float]) -> float:
    """Pearson's correlation; 0 when one of the two is constant."""
    n = len(a)
    ma, mb = sum(a) / n, sum(b) / n
    va, vb = sum((v - ma) ** 2 for v in a), sum((v - mb) ** 2 for v in b)
    if not (va > 0 and vb > 0):  # constant, or not finite
        return 0.0
    return float(sum((x - ma) * (y - mb) for x, y in zip(a, b, strict=True)) / (va * vb) ** 0.5)
