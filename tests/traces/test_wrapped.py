"""traces/wrapped: measured labels that went through eight bits."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import pytest
from tests.detectors.build import expect, falling, flat, loss_row, make_trace, run

from lossdoctor.traces.wrapped import symbols_cut, wrapped

SHAPES: dict[str, Callable[[float], float]] = {
    "as read": float,
    "standardised": lambda k: (k - 70.3) / 41.7,
    "log1p": lambda k: 1.7 * math.log1p(k) - 4.1,
    "root": lambda k: math.sqrt(k) / 3 - 1,
}


def labelled(amounts: list[int], shape: Callable[[float], float]) -> list[dict[str, Any]]:
    values = [float(f"{shape(a):.6g}") for a in amounts]
    return [
        {"k": "ids", "i": k + 1, "grad": True, "loader": 0, "epoch": 1, "y": values[20 * k : 20 * k + 20],
         "h": [float(20 * k + n) for n in range(20)]}
        for k in range(len(values) // 20)
    ]  # fmt: skip


def amounts(scale: float, count: int = 3000) -> list[int]:
    draw = random.Random(4)
    return [int(draw.expovariate(1 / scale)) for _ in range(count)]


@pytest.mark.parametrize("shape", SHAPES)
def test_amounts_that_start_again_from_zero_are_told_behind_a_scale_a_logarithm_or_a_root(shape: str) -> None:
    turned = [a % 256 for a in amounts(200.0)]
    assert wrapped(make_trace(rows=labelled(turned, SHAPES[shape]))) is not None
    plain = labelled(amounts(200.0), SHAPES[shape])
    assert wrapped(make_trace(rows=plain)) is None, "more different numbers than eight bits hold"


@pytest.mark.parametrize("shape", SHAPES)
def test_amounts_that_end_by_themselves_are_none(shape: str) -> None:
    ended = [a for a in amounts(45.0) if a <= 255]
    assert wrapped(make_trace(rows=labelled(ended, SHAPES[shape]))) is None
    few = [a % 64 for a in amounts(200.0)]
    assert wrapped(make_trace(rows=labelled(few, SHAPES[shape]))) is None


@pytest.mark.parametrize("shape", SHAPES)
def test_held_out_labels_beyond_where_training_ends_tell_few_that_were_turned(shape: str) -> None:
    """Of amounts with a mean of 75 one in thirty is beyond eight bits."""
    mean, form = 75.0, SHAPES[shape]
    held = [
        {**r, "grad": False, "known": 0.0, "h": [-h - 1 for h in r["h"]]}
        for r in labelled(amounts(mean), form)
    ]
    turned = labelled([a % 256 for a in amounts(mean, 12_000)], form)
    assert wrapped(make_trace(rows=turned)) is None, "too few at the end to tell by themselves"
    found = wrapped(make_trace(rows=[*turned, *held]))
    assert found is not None
    assert 0.02 < found.beyond < 0.05
    by_themselves = labelled([a for a in amounts(45.0, 12_000) if a <= 255], form)
    assert wrapped(make_trace(rows=[*by_themselves, *held])) is None, "another population"
    sign = expect(
        "label_encoding_wrong", make_trace(falling(end=0.1), rows=[*turned, *held, loss_row(fn="mse_loss")])
    )
    assert "held-out" in sign.why


def test_measurements_are_none() -> None:
    draw = random.Random(2)
    rows = labelled([0] * 3000, lambda _: draw.gauss(0, 1))
    assert wrapped(make_trace(rows=rows)) is None


def test_targets_of_eight_bits_are_a_fault_only_where_they_are_not_learned() -> None:
    rows = labelled([a % 256 for a in amounts(200.0)], SHAPES["standardised"])
    target = {"shape": [20], "dtype": "float32", "min": -1.7, "max": 4.4, "mean": 0.0, "std": 1.0}
    loss = loss_row(fn="mse_loss", target=target)
    poor = make_trace(flat(level=0.9), rows=[loss, *rows])
    assert "eight bits" in expect("label_encoding_wrong", poor).why
    well = make_trace(flat(level=0.1), rows=[loss, *rows])
    assert run("label_encoding_wrong", well) is None


@pytest.mark.parametrize(
    ("width", "others", "seen"), [(256, 400, True), (400, 400, False), (256, 257, False)]
)
def test_classes_that_are_symbols_of_the_input_end_at_eight_bits(width: int, others: int, seen: bool) -> None:
    """Items of sessions; levels of a sound with one more symbol for its start end there by themselves."""
    draw = random.Random(1)
    x = [[draw.randrange(others) for _ in range(6)] for _ in range(1500)]
    y = [draw.randrange(400) % width if width < others - 1 else draw.randrange(width) for _ in range(3000)]
    sample = {"k": "sample", "i": 1, "grad": True, "shape": [6], "int": True, "x": [[0.0]] * 1500, "codes": x}
    ids = {
        "k": "ids",
        "i": 1,
        "grad": True,
        "loader": 0,
        "epoch": 1,
        "h": [float(k) for k in range(3000)],
        "y": y,
    }
    assert (symbols_cut(make_trace(rows=[sample, ids])) is not None) is seen
