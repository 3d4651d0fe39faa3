"""Rows, pairs and shares of numbers in complaints."""

from __future__ import annotations

import time

import pytest

from lossdoctor.routing.series import series_concepts


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("dev wer: 31, 44, 29, 47, 30", "num_swing"),
        ("0.9 0.4 0.95 0.38 ...", "num_swing"),
        ("f1 .8 .5 .82 .47", "num_swing"),
        ("loss 0.8, then 12, then 900", "num_runaway"),
        ("grad_norm: 0.8 0.9 1.1 57.3 2044.0", "num_runaway"),
        ("0.7 .. 0.6 .. 45000 .. 1.2e9", "num_runaway"),
        ("2.303 2.303 2.302 2.303", "num_still"),
        ("loss 3 -> 11", "num_rise"),
        ("loss from 5.00 to 4.93 in a day", "num_hardly"),
        ("40 of 20000 samples", "num_rare"),
        ("1 positive per 1000", "num_rare"),
        ("fraud is 0.5%", "num_rare"),
    ],
)
def test_the_shape_of_numbers_is_seen(text: str, concept: str) -> None:
    assert series_concepts(text) == [concept]


@pytest.mark.parametrize(
    "text",
    [
        "batch 8, 16, 32, 64",
        "lr 1e-3, 3e-4, 1e-5",
        "gpus 0 1 2 3",
        "5/10/20 epochs",
        "mat1 (32x400 and 120x84)",
        "12 of 16 gpus",
        "loss falls from 4.0 to 2.0",
        "0.9, 0.8, 0.7, 0.65",
        "dropout 0.5%",
        "",
    ],
)
def test_settings_counts_and_ordinary_progress_say_nothing(text: str) -> None:
    assert series_concepts(text) == []


@pytest.mark.parametrize("text", ["1 " * 2000, "1,   2    3     " * 250, "loss 1 to " * 400, "9" * 4000])
def test_a_long_row_costs_little(text: str) -> None:
    start = time.perf_counter()
    series_concepts(text)
    assert time.perf_counter() - start < 0.5
