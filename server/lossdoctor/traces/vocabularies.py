"""What symbols say about labels, in training and in evaluation: two vocabularies number the same words otherwise.

Vocabularies that are both in order of frequency have the same shares of numbers, so only the labels tell them apart.
Pure functions of a trace.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

from ..model import Trace
from .data import FEW, Key, both_sides
from .symbols import coded

PER_SYMBOL = 8  # samples that hold a symbol, below which chance decides what it says
FEWEST = 12  # symbols that are held so often on both sides
MOST_CLASSES = 6  # whose numbers may have been exchanged, too
# correlation of what symbols say in two halves of a side, and that between training and evaluation relative to it:
# under one vocabulary 1.0 and more in nine of ten draws, under two at most 0.56 (benchmarks/thresholds/vocabularies.py)
TELLS, SAME = 0.4, 0.65
NAMED_OTHERWISE = 0.8  # of the same, once classes are exchanged: then it is these that have other numbers
Rows = list[tuple[frozenset[int], int]]  # symbols of a sample, and its class
Sayings = dict[
    tuple[int, int], tuple[float, int]
]  # (symbol, class) -> (share above the class's own, samples)


@dataclass(frozen=True)
class Vocabularies:
    """Correlation of what symbols say about labels: between two halves of evaluation, and between training and
    evaluation; and the symbol of training that says what each of evaluation does.
    """

    within: float
    between: float
    stands_for: dict[int, int]


def other_vocabulary(trace: Trace) -> Vocabularies | None:
    """None where symbols say in evaluation what they say in training, or nothing on one of the sides."""
    return _other_vocabulary(Key(trace))


@lru_cache(maxsize=2)
def _other_vocabulary(key: Key) -> Vocabularies | None:
    trace = key.trace
    train, asked = ([(frozenset(x), y) for x, y in coded(rows)] for rows in both_sides(trace))
    if min(len(train), len(asked)) < 2 * FEW:
        return None
    before, after = _sayings(train), _sayings(asked)
    within = min(
        _alike(_sayings(side[::2], 0.5), _sayings(side[1::2], 0.5)) or 0.0 for side in (train, asked)
    )
    between = _alike(before, after)
    if between is None or within < TELLS or between >= SAME * within:
        return None
    return (
        None
        if _classes_exchanged(before, after, within)
        else Vocabularies(within, between, _pairs(before, after))
    )


def _sayings(rows: Rows, part: float = 1.0) -> Sayings:
    """Share of each class among the samples that hold a symbol, above its share among all."""
    classes = Counter(y for _, y in rows)
    among: dict[int, Counter[int]] = defaultdict(Counter)
    for symbols, y in rows:
        for symbol in symbols:
            among[symbol][y] += 1
    known = {s: c for s, c in among.items() if c.total() >= PER_SYMBOL * part}
    return {
        (s, y): (c[y] / c.total() - n / len(rows), c.total())
        for s, c in known.items()
        for y, n in classes.items()
    }


def _alike(a: Sayings, b: Sayings) -> float | None:
    """Correlation over the symbols and classes that both know, weighted by samples; None where they are few."""
    shared = a.keys() & b.keys()
    if len({s for s, _ in shared}) < FEWEST:
        return None
    cells = [(a[k][0], b[k][0], min(a[k][1], b[k][1])) for k in shared]
    xx, yy, xy = (sum(w * (x, y)[i] * (x, y)[j] for x, y, w in cells) for i, j in ((0, 0), (1, 1), (0, 1)))
    return xy / math.sqrt(xx * yy) if xx > 0 and yy > 0 else 0.0


def _classes_exchanged(before: Sayings, after: Sayings, within: float) -> bool:
    """Whether other numbers of the classes would explain it as well."""
    classes = sorted({y for _, y in before} | {y for _, y in after})
    if len(classes) > MOST_CLASSES:
        return False
    named = (dict(zip(classes, order, strict=True)) for order in permutations(classes))
    tried = ({(s, names[y]): v for (s, y), v in after.items()} for names in named)
    return any((_alike(before, other) or 0.0) > NAMED_OTHERWISE * within for other in tried)


def _pairs(before: Sayings, after: Sayings) -> dict[int, int]:
    """For each symbol of evaluation the one of training that says most nearly the same; each is taken once."""
    classes = sorted({y for _, y in before} & {y for _, y in after})
    there, here = ({s: [side[s, y][0] for y in classes] for s, _ in side} for side in (before, after))
    free, found = dict(there), {}
    for symbol in sorted(here, key=lambda s: -math.hypot(*here[s])):
        if free:
            found[symbol] = min(free, key=lambda s: math.dist(free[s], here[symbol]))
            del free[found[symbol]]
    return found
