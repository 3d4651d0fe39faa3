from __future__ import annotations

from typing import Any

from tests.detectors.build import expect, falling, flat, make_trace, optimizer, run, step

from lossdoctor.detectors.base import TENTATIVE

FAULT = "over_regularization"


def dropped(rate: float) -> list[dict[str, Any]]:
    parts = [["drop", "Dropout", {"p": rate}]]
    return [{"k": "model", "i": 1, "name": "net", "class": "Net", "used": True, "parts": parts}]


def test_dropout_of_nearly_everything_is_found() -> None:
    assert expect(FAULT, make_trace(flat(), rows=dropped(0.95))).where.module == "drop"


def test_strong_dropout_is_only_worth_a_test() -> None:
    assert expect(FAULT, make_trace(flat(), rows=dropped(0.7))).confidence == TENTATIVE


def test_weights_that_decay_away_are_found() -> None:
    made = [optimizer(groups=({"lr": 0.1, "weight_decay": 0.5},))]
    steps = [step(i, 2.3, updates={0: (0.01, 0.95**i, 1.0)}) for i in range(1, 101)]
    assert "weight decay" in expect(FAULT, make_trace(steps=steps, optimizers=made)).why


def test_ordinary_dropout_is_healthy() -> None:
    assert run(FAULT, make_trace(flat(), rows=dropped(0.5))) is None


def test_strong_dropout_in_a_run_that_fits_is_healthy() -> None:
    assert run(FAULT, make_trace(falling(end=0.05), rows=dropped(0.95))) is None
