from __future__ import annotations

import random
from typing import Any

from tests.detectors.build import expect, loss_row, make_trace, run

FAULT = "target_leakage"


def asked(change: float, shifted: float, same: float = 0.1) -> dict[str, Any]:
    return {"k": "probe", "i": 10, "what": "future", "change": change, "shifted": shifted, "same": same}


def table(leaks: bool, columns: int = 5) -> dict[str, Any]:
    draw = random.Random(0)
    y = [draw.randrange(3) for _ in range(100)]
    x = [[draw.random() + 0.3 * label for _ in range(columns)] for label in y]
    for row, label in zip(x, y, strict=True):
        row[1] = 2.0 * label + 1 if leaks else row[1]
    return {
        "k": "sample",
        "i": 1,
        "grad": True,
        "loader": 0,
        "epoch": 1,
        "shape": [columns],
        "int": False,
        "x": x,
        "y": y,
    }


def test_a_next_token_model_that_sees_the_next_token_is_found() -> None:
    assert "see it already" in expect(FAULT, make_trace(rows=[asked(0.3, 1.0)])).why


def test_targets_that_are_not_shifted_are_found_in_a_causal_model() -> None:
    assert "only has to copy" in expect(FAULT, make_trace(rows=[asked(0.0, 0.1, same=1.0)])).why


def test_a_causal_model_is_healthy() -> None:
    assert run(FAULT, make_trace(rows=[asked(0.0, 1.0)])) is None


def test_a_model_that_may_see_everything_is_healthy() -> None:
    assert run(FAULT, make_trace(rows=[asked(0.5, 0.1)])) is None


def test_a_column_that_repeats_the_target_is_found() -> None:
    finding = expect(FAULT, make_trace(rows=[table(leaks=True), loss_row()]))
    assert "column 1" in finding.why


def test_strong_columns_are_healthy() -> None:
    assert run(FAULT, make_trace(rows=[table(leaks=False), loss_row()])) is None


def test_a_task_of_two_columns_may_be_a_function_of_one() -> None:
    assert run(FAULT, make_trace(rows=[table(leaks=True, columns=2), loss_row()])) is None
