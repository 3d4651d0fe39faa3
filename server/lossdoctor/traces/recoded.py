"""Categories of evaluation that stand under other codes than in training, as when each file's levels are numbered by
themselves. Pure functions over recorded inputs and their labels.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, groupby, product
from statistics import fmean
from typing import Any

from ..model import Trace
from .data import FEW, Key, Point, both_sides

# the same codes were never told as others in 1,440 draws; other codes in 95 % of those with 16 levels that explain half
# of the label of 1,000 samples. Levels that mean something else there look the same (a population with effects drawn
# anew: 10 to 30 % of 8 levels, 68 % of 32), so another order is a mere suspicion (benchmarks/thresholds/recoded.py)
FEWEST, MOST = 3, 64  # different codes of a column
KNOWN = (
    0.9  # share of evaluation's values that training has too: other values are another scale, not other codes
)
CLASSES = 8  # commonest classes whose shares tell levels apart
RELATED = (
    0.1  # share of the labels' variance that a column explains, below which it says nothing about its codes
)
LOST, FOUND = 0.5, 0.8  # of that share, by training's levels under the same codes, and under the right ones
LESS = 1e-9  # of the costs of two pairs: an exchange that gains nothing but rounding would never end
# deviations by which levels differ from training's under the same codes; many columns are tried
SURPRISE = 5.0
PER_LEVEL = 8  # samples per code: with fewer, chance orders the levels
Rows = list[tuple[Point, Point]]  # features, and the label: indicators of classes, or numbers


@dataclass(frozen=True)
class Recoded:
    """A column, the code of training that each code of evaluation stands for, and which share of what evaluation's own
    levels explain of its labels is explained by training's levels, before and after. ``moved``: the order of the codes
    is kept, some are left out or put between.
    """

    column: int
    codes: dict[float, float]
    moved: bool
    before: float
    after: float


def recoded(trace: Trace) -> tuple[Recoded, ...]:
    """The columns whose levels say about labels in evaluation what they say in training, but under other codes."""
    return _recoded(Key(trace))


@lru_cache(maxsize=2)
def _recoded(key: Key) -> tuple[Recoded, ...]:
    train, asked = _labelled(key.trace)
    if min(len(train), len(asked)) < FEW:
        return ()
    found = (_of_column(k, train, asked) for k in range(len(train[0][0])))
    return tuple(r for r in found if r is not None)


def _labelled(trace: Trace) -> tuple[Rows, Rows]:
    """Inputs of both sides with their labels: codes where they were kept, else measurements."""
    train_rows, asked_rows = both_sides(trace)
    raw = [_pairs(train_rows), _once(asked_rows)]
    widths = Counter((len(x), _width(y)) for x, y in raw[0]).most_common(1)
    if not widths:
        return [], []
    label = _labels([y for _, y in raw[0]])
    train, asked = ([(x, label(y)) for x, y in side if (len(x), _width(y)) == widths[0][0]] for side in raw)
    return train, asked


def _pairs(rows: Iterable[dict[str, Any]]) -> list[tuple[Point, Any]]:
    return [
        (tuple(x), y)
        for r in rows
        if r.get("y") and (not r["int"] or "codes" in r)
        for x, y in zip(r.get("codes") or r["x"], r["y"], strict=False)
    ]


def _once(rows: Iterable[dict[str, Any]]) -> list[tuple[Point, Any]]:
    """The samples of all evaluations, of those that are evaluated again and again one each: halves that shared them
    would prove nothing.
    """
    kept: Counter[tuple[Point, Any]] = Counter()
    for _, evaluation in groupby(rows, key=lambda r: r["i"]):
        pairs = ((x, tuple(y) if isinstance(y, list) else y) for x, y in _pairs(evaluation))
        kept |= Counter(pairs)
    return [(x, list(y) if isinstance(y, tuple) else y) for x, y in kept.elements()]


def _width(y: Any) -> int:
    """Numbers per label; 0 for one that is not finite."""
    values = y if isinstance(y, list) else [y]
    return len(values) if all(math.isfinite(v) for v in values) else 0


def _labels(known: list[Any]) -> Callable[[Any], Point]:
    """What a label is compared by: whether it is one of the commonest classes, or its numbers."""
    plain = [y for y in known if isinstance(y, int)]
    if len(plain) < len(known):
        return lambda y: tuple(y) if isinstance(y, list) else (float(y),)
    common = [c for c, _ in Counter(plain).most_common(CLASSES)]
    return lambda y: tuple(float(y == c) for c in common)


def _of_column(k: int, train: Rows, asked: Rows) -> Recoded | None:
    known = _by_level(k, train)
    now = _by_level(k, asked)
    if not (FEWEST <= len(known) <= MOST and FEWEST <= len(now) <= MOST):
        return None
    shared = sum(len(rows) for level, rows in now.items() if level in known)
    if shared < KNOWN * len(asked) or len(asked) < PER_LEVEL * len(now):
        return None
    means, own = _means(known), _means(now)
    if _surprise(known, now) < SURPRISE:
        return None
    # halves: the codes are found in one and tried in the other
    total, best = _explained({c: c for c in own}, own, now), _explained({c: c for c in means}, means, now)
    if total < RELATED + len(now) / len(asked) or best >= LOST * total:
        return None
    halves = _by_level(k, asked[::2]), _by_level(k, asked[1::2])
    for moved, match in ((True, _moved), (False, _exchanged)):
        codes = match(now, means)
        after = _explained(match(halves[0], means), means, halves[1])
        if after >= FOUND * total and (not moved or _sensible(codes, known, now)):
            return Recoded(k, codes, moved, max(0.0, best / total), after / total)
    return None


def _sensible(codes: dict[float, float], known: Levels, now: Levels) -> bool:
    """Whether no two codes stand for the same one, and nearly all samples have one that training has."""
    apart = len(set(codes.values())) == len(codes)
    met = sum(len(rows) for code, rows in now.items() if codes.get(code) in known)
    return apart and met >= KNOWN * sum(map(len, now.values()))


Levels = dict[float, list[Point]]  # labels of the rows with each code
Means = dict[float, Point]  # of each code, relative to the mean of all rows


def _by_level(k: int, rows: Rows) -> Levels:
    found: Levels = defaultdict(list)
    for x, y in rows:
        found[x[k]].append(y)
    return dict(sorted(found.items()))


def _means(levels: Levels) -> Means:
    middle = _middle(levels)
    means = {code: tuple(map(fmean, zip(*rows, strict=True))) for code, rows in levels.items()}
    return {code: _less(mean, middle) for code, mean in means.items()}


def _middle(levels: Levels) -> Point:
    return tuple(map(fmean, zip(*(y for rows in levels.values() for y in rows), strict=True)))


def _less(a: Point, b: Point) -> Point:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def _surprise(known: Levels, now: Levels) -> float:
    """By how many of its standard deviations the chi-squared statistic of the levels that both sides have lies above
    what it would be if they said the same about labels; the label's component that differs most counts. A level's
    variance is that about the mean of both sides, as that hypothesis has it.
    """
    shared = [(known[c], now[c]) for c in now if c in known]
    if not shared:
        return math.inf
    width = len(shared[0][0][0])
    statistics = (
        sum(_differs([y[n] for y in a], [y[n] for y in b]) for a, b in shared) for n in range(width)
    )
    return (max(statistics) - len(shared)) / math.sqrt(2 * len(shared))


def _differs(a: list[float], b: list[float]) -> float:
    """Squared difference of two means in units of its variance if there were none."""
    middle, count = fmean((*a, *b)), len(a) + len(b)
    variance = sum((v - middle) ** 2 for v in (*a, *b)) / count
    return (fmean(a) - fmean(b)) ** 2 / (variance * (1 / len(a) + 1 / len(b))) if variance > 0 else 0.0


def _explained(codes: dict[float, float], means: Means, levels: Levels) -> float:
    """Share of the labels' variance that the means of these levels explain; a code that stands for none explains 0."""
    middle, nothing = _middle(levels), tuple(0.0 for _ in next(iter(means.values())))
    whole = left = 0.0
    for code, rows in levels.items():
        mean = means.get(codes.get(code, math.nan), nothing)
        for y in rows:
            apart = _less(y, middle)
            whole += _square(apart)
            left += _square(_less(apart, mean))
    return 1 - left / whole if whole > 0 else 0.0


def _square(point: Point) -> float:
    return sum(v * v for v in point)


def _moved(levels: Levels, known: Means) -> dict[float, float]:
    """Codes in the same order on both sides, some of either left out: the alignment of least squares (Needleman and
    Wunsch, 1970).
    """
    own, columns = _means(levels), list(known)
    rows = list(own)
    # cost of the best alignment of the first n codes with the first m, and whether it ends with a pair (1), with a
    # code of evaluation left out (2) or with one of training left out (0)
    table = [[(0.0, 0)] * (len(columns) + 1)]
    for code in rows:
        weight, line = len(levels[code]), [(table[-1][0][0] + len(levels[code]) * _square(own[code]), 2)]
        for m, other in enumerate(columns):
            pair = table[-1][m][0] + weight * _square(_less(own[code], known[other]))
            alone = table[-1][m + 1][0] + weight * _square(own[code])
            line.append(min((line[m][0], 0), (pair, 1), (alone, 2)))
        table.append(line)
    found, n, m = {}, len(rows), len(columns)
    while n and m:
        step = table[n][m][1]
        if step == 1:
            found[rows[n - 1]] = columns[m - 1]
        n, m = n - (step > 0), m - (step < 2)
    return _between(rows, found)


def _between(codes: list[float], found: dict[float, float]) -> dict[float, float]:
    """Codes whose labels are the common ones pair with none: they are as far from their own as the one before them."""
    off, whole = next((found[c] - c for c in codes if c in found), 0.0), {}
    for code in codes:
        off = found[code] - code if code in found else off
        whole[code] = code + off
    return whole


def _exchanged(levels: Levels, known: Means) -> dict[float, float]:
    """Codes in any order: the nearest pairs first, then exchanged as long as the squared distances become less."""
    own = _means(levels)
    pairs = sorted((_square(_less(own[a], known[b])), a, b) for a in own for b in known)
    found: dict[float, float] = {}
    for _, a, b in pairs:
        if a not in found and b not in found.values():
            found[a] = b
    cost = {(a, b): len(levels[a]) * distance for distance, a, b in pairs}
    while _improved(found, set(known) - set(found.values()), cost):
        pass
    return found


def _improved(found: dict[float, float], free: set[float], cost: dict[tuple[float, float], float]) -> bool:
    """Whether two codes exchanged what they stand for, or one took what none stands for, because that costs less."""
    for a, b in combinations(found, 2):
        if cost[a, found[b]] + cost[b, found[a]] < (1 - LESS) * (cost[a, found[a]] + cost[b, found[b]]):
            found[a], found[b] = found[b], found[a]
            return True
    for a, other in product(found, sorted(free)):
        if cost[a, other] < (1 - LESS) * cost[a, found[a]]:
            found[a] = other
            return True
    return False
