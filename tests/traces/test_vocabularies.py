"""traces/vocabularies: the same words under other numbers, told by what they say about labels."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.detectors.build import make_trace

from lossdoctor.traces.vocabularies import other_vocabulary

WORDS, CLASSES = 60, 3


def side(grad: bool, numbers: list[int], moved: int = 0, random_labels: bool = False) -> dict[str, Any]:
    """Ten words per sample; a word w is preferred by class w % 3."""
    draw = random.Random(1 + grad)
    codes, labels = [], []
    for _ in range(600):
        label = draw.randrange(CLASSES)
        weights = [3.0 if w % CLASSES == label else 1.0 for w in range(WORDS)]
        codes.append([numbers[w] for w in draw.choices(range(WORDS), weights, k=10)])
        labels.append(draw.randrange(CLASSES) if random_labels else (label + moved) % CLASSES)
    return {"k": "sample", "i": 1, "grad": grad, "loader": None, "epoch": 1, "shape": [10], "int": True,
            "x": [[0.0] * 128 for _ in codes], "codes": codes, "y": labels}  # fmt: skip


PLAIN = list(range(WORDS))
OTHER = random.Random(7).sample(PLAIN, WORDS)


def test_words_under_other_numbers_are_told_with_what_they_stand_for() -> None:
    found = other_vocabulary(make_trace(rows=[side(True, PLAIN), side(False, OTHER)]))
    assert found is not None
    assert found.within > 0.4 > found.between
    right = [
        found.stands_for[OTHER[w]] % CLASSES == w % CLASSES for w in PLAIN if OTHER[w] in found.stands_for
    ]
    assert sum(right) > 0.9 * WORDS  # a word of the same class is as good
    assert len(set(found.stands_for.values())) == len(found.stands_for)


@pytest.mark.parametrize(
    "asked",
    [
        side(False, PLAIN),
        side(False, PLAIN, moved=1),  # these are classes under other numbers
        side(False, OTHER, random_labels=True),
        {**side(False, OTHER), "codes": None},
    ],
    ids=["the same words", "other numbers of classes", "words that say nothing", "no words kept"],
)
def test_other_reasons_are_silent(asked: dict[str, Any]) -> None:
    assert other_vocabulary(make_trace(rows=[side(True, PLAIN), asked])) is None


def test_words_that_say_nothing_in_training_are_silent() -> None:
    rows = [side(True, PLAIN, random_labels=True), side(False, OTHER)]
    assert other_vocabulary(make_trace(rows=rows)) is None
