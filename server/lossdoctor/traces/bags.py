"""Inputs that are bags of words: which of them are alike, and how well those foretell each other's labels.

Words that nearly every document holds say little, and documents differ in length, so bags are compared by the cosine of
their counts, damped and weighted by rarity (tf-idf; Salton and Buckley, "Term-weighting approaches in automatic text
retrieval", 1988). Pure functions.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from functools import lru_cache
from heapq import nlargest

from ..model import Trace
from .data import FEW, Agreement, Key, Neighbourhood, Point, Sampled, neighbourhood, samples, spread_out

WIDTH = 128  # bins of the recorder, into which tokens fall
BLANK = 0.6  # share of the bins that most documents leave empty
# documents that vote: single ones share few words (of 48 % wrong labels in 750 documents 15 showed 4.5 standard errors,
# five 2.4; benchmarks/thresholds/bags.py)
VOTERS = 15
Weights = dict[int, float]


def neighbourhood_of_bags(trace: Trace) -> Neighbourhood | None:
    """Agreement of classes with those of like bags, as ``neighbourhood`` has it by distances; None for other inputs."""
    return _neighbourhood_of_bags(Key(trace))


@lru_cache(maxsize=2)
def _neighbourhood_of_bags(key: Key) -> Neighbourhood | None:
    near = neighbourhood(key.trace)
    if not near.train.x or len(near.train.x[0]) != WIDTH:
        return None
    train, held = (samples(key.trace, training=side, most=None) for side in (True, False))
    if min(len(train), len(held)) < FEW or not train.classes or not (are_bags(train.x) and are_bags(held.x)):
        return None
    if len(train) < len(held):  # a few documents lie further from each other
        held = Sampled(*(tuple(spread_out(list(v), len(train))) for v in (held.x, held.y)))
    weights = rarity(train.x)
    pairs = ((train, train), (held, held), (held, train))
    inner, other, across = (agreement_of_bags(asked, known, weights) for asked, known in pairs)
    return Neighbourhood(train, held, inner, other, across, near.apart)


def are_bags(points: tuple[Point, ...]) -> bool:
    """Whether inputs are counts of tokens by bin, most of them 0."""
    if not points or len(points[0]) != WIDTH:
        return False
    blank = sum(x.count(0.0) for x in points)
    return blank >= BLANK * WIDTH * len(points) and all(v >= 0 and v == int(v) for x in points for v in x)


def agreement_of_bags(asked: Sampled, known: Sampled, weights: Weights) -> Agreement:
    """Predict the classes of ``asked`` from the likest of ``known`` (itself left out when both are the same)."""
    bank = [_vector(x, weights) for x in known.x]
    by_bin: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for n, vector in enumerate(bank):
        for place, value in vector.items():
            by_bin[place].append((n, value))
    votes = []
    for n, vector in enumerate(bank if asked is known else [_vector(x, weights) for x in asked.x]):
        likeness: dict[int, float] = defaultdict(float)
        for place, value in vector.items():
            for other, weight in by_bin[place]:
                likeness[other] += value * weight
        if asked is known:
            likeness.pop(n, None)
        near = nlargest(VOTERS, likeness.items(), key=lambda item: item[1])
        votes.append(Counter(known.y[k] for k, _ in near).most_common(1)[0][0] if near else math.nan)
    right = sum(a == b for a, b in zip(asked.y, votes, strict=True)) / len(votes)
    prior = Counter(asked.y).most_common(1)[0][1] / len(votes)
    return Agreement(right, prior, len(votes), Counter(zip(asked.y, votes, strict=True)))


def rarity(points: tuple[Point, ...]) -> Weights:
    """How much each bin tells: the logarithm of one over the share of the documents that fill it."""
    filled = Counter(place for x in points for place, value in enumerate(x) if value)
    return {place: math.log((1 + len(points)) / (1 + count)) for place, count in filled.items()}


def _vector(point: Point, weights: Weights) -> Weights:
    """The bag as a vector of length 1, without what is empty."""
    raw = {place: math.log1p(v) * weights.get(place, 0.0) for place, v in enumerate(point) if v}
    size = math.sqrt(sum(v * v for v in raw.values()))
    return {place: v / size for place, v in raw.items()} if size else {}
