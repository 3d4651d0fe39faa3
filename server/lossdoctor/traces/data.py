"""What the recorded samples say about the data: do near inputs have the same label, and what do streams repeat?

Pure functions of a trace. Inputs are compared by the at most 128 features that the recorder keeps of them, each
scaled to unit variance. At most ``LIMIT`` samples per side take part: 320 mean 100,000 distances, about 0.3 s.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from heapq import nsmallest
from statistics import fmean, median, pstdev
from typing import Any

from ..model import Trace

LIMIT = 320
NEIGHBOURS = 5
MAX_CLASSES = 64
FEW = 40  # samples below which a side says nothing
MIXED = 0.15  # ``apart`` of the inputs of both sides; a set and its own held-out part are below 0.1
KNOWN = 0.5  # share of training samples from which an evaluation is one of the training set
Point = tuple[float, ...]


@dataclass(frozen=True)
class Sampled:
    """Distinct inputs with one label (class or number) each; ``x[n]`` has as many features as ``x[0]``."""

    x: tuple[Point, ...] = ()
    y: tuple[float, ...] = ()

    def __len__(self) -> int:
        return len(self.y)

    @property
    def classes(self) -> bool:
        """Whether the labels are class numbers, not measurements."""
        distinct, most = set(self.y), min(MAX_CLASSES, max(2, len(self) // 5))
        return all(v == int(v) for v in distinct) and len(distinct) <= most


@dataclass(frozen=True)
class Agreement:
    """How well the nearest neighbours foretell the labels, on a scale from ``chance`` (the best constant answer) to 1:
    share of right votes for classes, explained variance for numbers. ``table`` counts (label, vote) pairs.
    """

    score: float
    chance: float
    n: int
    table: Counter[tuple[float, float]]

    @property
    def error(self) -> float:
        """Standard error of the score (binomial; for explained variance its usual large-sample order)."""
        spread = max(self.score * (1 - self.score), 0.01)
        return math.sqrt(spread / max(1, self.n))

    @property
    def lift(self) -> float:
        """Share of the way from chance to perfect."""
        return (self.score - self.chance) / (1 - self.chance) if self.chance < 1 else 0.0


def training_loaders(trace: Trace) -> frozenset[int]:
    return frozenset(r["loader"] for r in trace.of("ids") if r["grad"] and r["loader"] is not None)


def held(trace: Trace, kind: str) -> list[dict[str, Any]]:
    """Evaluation rows on other samples than the training ones: of another loader, and not seen in training."""
    used, later = training_loaders(trace), _shown_later(Key(trace))
    rows = (r for r in trace.of(kind) if not r.get("grad"))
    fresh = (r for r in rows if r["loader"] not in used and r.get("known", 0.0) < KNOWN)
    return [r for r in fresh if (r["i"], r["loader"], r.get("known", 0.0)) not in later]


def both_sides(trace: Trace) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The samples of training, and those that were held out."""
    return [r for r in trace.of("sample") if r["grad"]], held(trace, "sample")


def last_scored(trace: Trace) -> list[dict[str, Any]]:
    """``scored`` rows of held-out samples, if they reach to the last evaluation of any."""
    rows, passes = held(trace, "scored"), trace.of("eval")
    done = rows and (not passes or len({r["i"] for r in passes if r["i"] >= rows[-1]["i"]}) <= 1)
    return rows if done else []


def inputs(trace: Trace, *, training: bool) -> tuple[Point, ...]:
    """Distinct inputs of training, or of evaluations on other samples, whether their labels are known or not."""
    rows = [r for r in trace.of("sample") if r["grad"]] if training else held(trace, "sample")
    width = Counter(len(r["x"][0]) for r in rows).most_common(1)
    points = (tuple(x) for r in rows for x in r["x"] if len(x) == width[0][0])
    return tuple(spread_out([p for p in dict.fromkeys(points) if all(map(math.isfinite, p))]))


def samples(trace: Trace, *, training: bool, most: int | None = LIMIT) -> Sampled:
    """Distinct labelled inputs of training, or of evaluations on other samples; at most so many, evenly spaced."""
    chosen = [r for r in trace.of("sample") if r["grad"]] if training else held(trace, "sample")
    rows = [r for r in chosen if r.get("y")]
    width = Counter(len(r["x"][0]) for r in rows).most_common(1)
    found: dict[Point, float] = {}
    for row in rows:
        for x, y in zip(row["x"], row["y"], strict=False):
            label = single(y)
            if len(x) == width[0][0] and isinstance(label, (int, float)) and _finite(x, label):
                found.setdefault(tuple(x), float(label))
    kept = spread_out(list(found.items()), most)
    return Sampled(tuple(x for x, _ in kept), tuple(y for _, y in kept))


def single(y: Any) -> Any:
    """A label; of a list of one number that number."""
    return y[0] if isinstance(y, list) and len(y) == 1 else y


def _finite(x: list[float], label: float) -> bool:
    return math.isfinite(label) and all(math.isfinite(v) for v in x)


def spread_out(items: list[Any], most: int | None = LIMIT) -> list[Any]:
    """At most so many of them, evenly spaced."""
    count = len(items)
    return items if most is None or count <= most else [items[k * count // most] for k in range(most)]


@dataclass(frozen=True)
class Neighbourhood:
    """Labelled samples of both sides and their agreements; None where a side has too few samples."""

    train: Sampled
    evaluation: Sampled
    within_train: Agreement | None
    within_evaluation: Agreement | None
    across: Agreement | None
    apart: float | None = None


class Key:
    """Makes a trace usable as a cache key by identity: it holds dictionaries, so it has no hash of its own."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace

    def __hash__(self) -> int:
        return id(self.trace)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and other.trace is self.trace


@lru_cache(maxsize=2)
def _shown_later(key: Key) -> frozenset[tuple[int, int | None, float]]:
    """Step, loader and known share of the evaluations of samples some of which training had been shown by then and most
    of which it was shown later: the training set, looked at during the first epoch or beside its augmented form.
    """
    rows = [r for r in key.trace.of("ids") if not r["grad"]]
    known = {h for r in rows if r.get("known", 0.0) >= KNOWN for h in r["h"]}
    some = (r for r in rows if known and 0 < r.get("known", 0.0) < KNOWN)
    return frozenset(
        (r["i"], r["loader"], r["known"])
        for r in some
        if sum(h in known for h in r["h"]) > KNOWN * len(r["h"])
    )


def neighbourhood(trace: Trace) -> Neighbourhood:
    """Agreement of labels with those of near inputs: in training, in evaluation, and of evaluation with training."""
    return _neighbourhood(Key(trace))


@lru_cache(maxsize=2)
def _neighbourhood(key: Key) -> Neighbourhood:
    train, evaluation = samples(key.trace, training=True), samples(key.trace, training=False)
    if len(train) < FEW:
        return Neighbourhood(train, evaluation, None, None, None)
    scale = scales(train.x)
    inner = agreement(train, train, scale)
    alone = train.classes and len(set(evaluation.y)) == 1 < len(set(train.y))  # the first of sorted samples
    if len(evaluation) < FEW or alone or len(evaluation.x[0]) != len(train.x[0]):
        return Neighbourhood(train, evaluation, inner, None, None)
    other = agreement(evaluation, evaluation, scales(evaluation.x))
    across = agreement(evaluation, train, scale)
    return Neighbourhood(train, evaluation, inner, other, across, apart(train.x, evaluation.x))


Scale = tuple[tuple[float, float], ...]


def scales(points: tuple[Point, ...]) -> Scale:
    """(mean, standard deviation) per feature; constant features get an infinite one, so that they do not count."""
    found = []
    for column in zip(*points, strict=True):
        spread = pstdev(column)
        found.append((fmean(column), spread if spread > 1e-9 * (1 + abs(column[0])) else math.inf))
    return tuple(found)


def scaled(points: tuple[Point, ...], scale: Scale) -> list[Point]:
    return [tuple((v - m) / s for v, (m, s) in zip(p, scale, strict=True)) for p in points]


def nearest(asked: tuple[Point, ...], known: tuple[Point, ...], scale: Scale) -> Iterator[list[int]]:
    """For each point the indexes of its nearest among ``known``, itself left out when both are the same object."""
    own = asked is known
    inside = scaled(known, scale)
    for n, point in enumerate(inside if own else scaled(asked, scale)):
        near = nsmallest(NEIGHBOURS + own, ((math.dist(point, q), k) for k, q in enumerate(inside)))
        yield [k for _, k in near if not (own and k == n)][:NEIGHBOURS]


def agreement(asked: Sampled, known: Sampled, scale: Scale) -> Agreement:
    """Predict the labels of ``asked`` from the nearest of ``known`` (itself left out when both are the same)."""
    votes = []
    for near in nearest(asked.x, known.x, scale):
        others = [known.y[k] for k in near]
        votes.append(Counter(others).most_common(1)[0][0] if known.classes else fmean(others))
    if known.classes:
        right = sum(a == b for a, b in zip(asked.y, votes, strict=True)) / len(votes)
        prior = Counter(asked.y).most_common(1)[0][1] / len(votes)
        return Agreement(right, prior, len(votes), Counter(zip(asked.y, votes, strict=True)))
    spread = pstdev(asked.y) ** 2
    left = fmean((a - b) ** 2 for a, b in zip(asked.y, votes, strict=True))
    return Agreement(1 - left / spread if spread > 0 else 0.0, 0.0, len(votes), Counter())


def apart(some: tuple[Point, ...], others: tuple[Point, ...], size: int = 150) -> float:
    """How far two sets of points lie apart: 0 when they are mixed, 1 when no neighbour is from the other set
    (nearest-neighbour two-sample test; Schilling, JASA 1986; Henze, Annals of Statistics 1988).
    """
    size = min(size, len(some), len(others))
    pool = [s[k * len(s) // size] for s in (some, others) for k in range(size)]
    inside = scaled(tuple(pool), scales(tuple(pool)))
    # counted per set: points of a wide cloud have a narrow one's for neighbours, though not the other way round
    same = [0, 0]
    for n, point in enumerate(inside):
        near = nsmallest(NEIGHBOURS + 1, ((math.dist(point, q), k) for k, q in enumerate(inside)))
        same[n < size] += sum((k < size) == (n < size) for _, k in near if k != n)
    return 2 * max(same) / (NEIGHBOURS * size) - 1


def denser(some: tuple[Point, ...], others: tuple[Point, ...], size: int = 150) -> float:
    """Median distance of a point of ``others`` to the nearest one of its own, relative to the same of ``some`` (as many
    of each): far above 1 where ``some`` are few points in many near copies.
    """
    size = min(size, len(some), len(others))
    pools = [tuple(s[k * len(s) // size] for k in range(size)) for s in (some, others)]
    near = [_spacing(scaled(pool, scales(pools[0]))) for pool in pools]
    return near[1] / near[0] if near[0] else math.inf


def _spacing(points: list[Point]) -> float:
    return median(min(math.dist(p, q) for k, q in enumerate(points) if k != n) for n, p in enumerate(points))


def answers_of(row: dict[str, Any]) -> list[tuple[bool, float, float]]:
    """(right, margin, label) of each evaluated sample; a single score is a logit of class 1."""
    if "m" in row:
        return [(p == y, m, y) for p, m, y in zip(row["p"], row["m"], row["y"], strict=False)]
    if not row["p"] or isinstance(row["p"][0], int) or len(row["p"][0]) != 1 or not set(row["y"]) <= {0, 1}:
        return []
    edge = 0.5 if all(0 <= p[0] <= 1 for p in row["p"]) else 0.0
    return [
        ((p[0] > edge) == (y == 1), abs(p[0] - edge), y) for p, y in zip(row["p"], row["y"], strict=False)
    ]


def held_out_lift(trace: Trace) -> float | None:
    """How far the last evaluation on other data than the training loader's is above the commonest class, on the scale
    from there to 1; None without labelled class scores.
    """
    rows = last_scored(trace)
    answers = [a for row in rows if row["i"] == rows[-1]["i"] for a in answers_of(row)]
    if len(answers) < FEW:
        return None
    prior = Counter(y for _, _, y in answers).most_common(1)[0][1] / len(answers)
    right = fmean(ok for ok, _, _ in answers)
    return (right - prior) / (1 - prior) if prior < 1 else None


def relabelled(table: Counter[tuple[float, float]]) -> tuple[float, dict[float, float]]:
    """The best renaming of classes that explains the votes: (share of votes it makes right, label -> vote)."""
    mapping: dict[float, float] = {}
    for label in {a for a, _ in table}:
        mapping[label] = max((b for a, b in table if a == label), key=lambda b: table[label, b])
    explained = sum(table[a, b] for a, b in mapping.items()) / max(1, sum(table.values()))
    return explained, mapping


@dataclass(frozen=True)
class Recall:
    """Share of a class's samples that the model answered rightly, and their number."""

    label: int
    recall: float
    count: int


def recalls(trace: Trace) -> list[Recall]:
    """Per class: of the last evaluation, or without one of the later half of the recorded training samples."""
    rows = last_scored(trace)
    judged = [r for r in rows if r["i"] == rows[-1]["i"]]
    if not judged:
        full = [r for r in trace.of("sample") if r["grad"] and r.get("p") and r.get("y")]
        late = full[len(full) // 2 :]
        judged = [r | {"y": [y[0] if isinstance(y, list) else y for y in r["y"]]} for r in late]
    found: dict[int, list[bool]] = {}
    for row in judged:
        for right, _, label in answers_of(row):
            found.setdefault(int(label), []).append(right)
    return [Recall(label, fmean(hits), len(hits)) for label, hits in sorted(found.items())]


def label_shares(trace: Trace) -> dict[int, float]:
    """Share of each class among the training labels that were fingerprinted; empty when they are no classes."""
    counts: Counter[float] = Counter()
    for row in trace.of("ids"):
        if row["grad"]:
            counts.update(row.get("y") or ())
    total = sum(counts.values())
    if not all(float(v).is_integer() for v in counts) or len(counts) > MAX_CLASSES:
        return {}
    return {int(v): c / total for v, c in sorted(counts.items())}


def answers_like_neighbours(trace: Trace) -> float | None:
    """Share of the last evaluated inputs that the model gives the class of their nearest training inputs; their labels
    need not be known. None without class scores, or with too few samples.
    """
    train, used = samples(trace, training=True), training_loaders(trace)
    rows = [
        r
        for r in trace.of("sample")
        if not r["grad"] and "m" in r and not (r["loader"] in used and r.get("y"))
    ]
    if len(train) < FEW or not train.classes or not rows:
        return None
    width, last = len(train.x[0]), rows[-1]["i"]
    found = [
        (tuple(x), float(p)) for r in rows if r["i"] == last for x, p in zip(r["x"], r["p"], strict=False)
    ]
    kept = spread_out([(x, p) for x, p in found if len(x) == width])
    if len(kept) < FEW:
        return None
    asked = Sampled(tuple(x for x, _ in kept), tuple(p for _, p in kept))
    return agreement(asked, train, scales(train.x)).score
