"""traces/symbols: what a vocabulary does not know, and how much of each side it is."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.detectors.build import make_trace

from lossdoctor.traces.symbols import unread

PADDING, UNKNOWN = 0, 1


def side(grad: bool, unknown: float, padded: int = 6) -> dict[str, Any]:
    """Sequences of ten words, some of them unknown, filled up to sixteen."""
    draw = random.Random(5 + grad)
    words = [
        [UNKNOWN if draw.random() < unknown else draw.randrange(2, 80) for _ in range(10)] for _ in range(60)
    ]
    codes = [[*w, *[PADDING] * padded] for w in words]
    return {"k": "sample", "i": 1, "grad": grad, "loader": None, "epoch": 1, "shape": [10 + padded], "int": True,
            "x": [[0.0] * 128 for _ in codes], "codes": codes, "y": [draw.randrange(3) for _ in codes]}  # fmt: skip


@pytest.mark.parametrize("padded", [0, 6])
def test_words_that_training_has_and_evaluation_does_not_know_are_told(padded: int) -> None:
    seen = unread(make_trace(rows=[side(True, 0.01, padded), side(False, 0.8, padded)]))
    assert seen is not None
    assert seen.symbol == UNKNOWN
    assert seen.train < 0.05 < 0.7 < seen.evaluation


@pytest.mark.parametrize(
    ("here", "there"),
    [
        (0.01, 0.3),  # other texts have other words
        (0.7, 0.75),  # a small vocabulary, on both sides
        (0.8, 0.01),
    ],
)
def test_other_shares_are_left_alone(here: float, there: float) -> None:
    assert unread(make_trace(rows=[side(True, here), side(False, there)])) is None


def test_nothing_is_said_without_symbols_of_both_sides() -> None:
    assert unread(make_trace(rows=[side(True, 0.01)])) is None
