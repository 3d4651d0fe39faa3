"""Inputs that come again, or do not."""

from __future__ import annotations

from typing import Any

from tests.detectors.build import make_trace

from lossdoctor.traces.repeated import fresh_inputs


def by_hand(prints: list[float], *more: dict[str, Any]) -> Any:
    rows = [
        {
            "k": "ids",
            "i": k + 1,
            "grad": True,
            "loader": None,
            "epoch": None,
            "h": prints[20 * k : 20 * k + 20],
            "y": None,
        }
        for k in range(len(prints) // 20)
    ]
    return make_trace(rows=[*rows, *more])


def test_a_fixed_set_brings_no_new_inputs_in_the_second_half() -> None:
    assert not fresh_inputs(by_hand([float(k % 100) for k in range(400)]))


def test_inputs_that_are_changed_each_time_keep_coming() -> None:
    assert fresh_inputs(by_hand([float(k) for k in range(400)]))


def test_a_first_pass_over_what_the_script_holds_is_no_augmentation() -> None:
    assert not fresh_inputs(by_hand([float(k) for k in range(400)], {"k": "pool", "i": 3, "n": 1000}))


def test_few_samples_say_nothing() -> None:
    assert not fresh_inputs(by_hand([float(k) for k in range(100)]))
