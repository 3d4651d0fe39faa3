"""Bags of words are compared by the words that tell."""

from __future__ import annotations

import random

import pytest

from lossdoctor.traces.bags import WIDTH, agreement_of_bags, are_bags, rarity
from lossdoctor.traces.data import Sampled


def documents(count: int, wrong: float, seed: int) -> Sampled:
    """Five topics of ten words each, of which a document holds two beside eight common ones, some twice."""
    draw = random.Random(seed)
    x, y = [], []
    for k in range(count):
        topic = k % 5
        words = [10 * topic + draw.randrange(10) for _ in range(2)] + [
            50 + draw.randrange(30) for _ in range(8)
        ]
        counts = [0.0] * WIDTH
        for word in words:
            counts[word] += 1.0
        x.append(tuple(counts))
        y.append(float(draw.randrange(5)) if draw.random() < wrong else float(topic))
    return Sampled(tuple(x), tuple(y))


def test_documents_foretell_each_other_by_the_words_that_tell() -> None:
    sound, noisy = documents(400, 0.0, 1), documents(400, 0.6, 2)
    weights = rarity(sound.x)
    assert agreement_of_bags(sound, sound, weights).score > 0.85
    assert agreement_of_bags(noisy, noisy, weights).score < 0.6
    assert agreement_of_bags(sound, noisy, weights).score > 0.6, "votes outvote wrong labels"


def test_a_word_of_every_document_tells_nothing() -> None:
    weights = rarity(tuple((1.0, float(k % 2)) for k in range(10)))
    assert weights[0] == 0.0
    assert weights[1] == pytest.approx(0.606, abs=1e-3)


@pytest.mark.parametrize(
    ("point", "bag"),
    [
        ([1.0, 2.0, *[0.0] * 126], True),
        ([1.0, 2.0, *[0.0] * 10], False),
        ([0.5, 2.0, *[0.0] * 126], False),
        ([-1.0, 2.0, *[0.0] * 126], False),
        ([1.0] * 128, False),
    ],
)
def test_bags_are_told_by_their_counts(point: list[float], bag: bool) -> None:
    assert are_bags((tuple(point),) * 3) is bag
