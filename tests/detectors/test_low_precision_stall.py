from __future__ import annotations

from tests.detectors.build import expect, falling, flat, loss_row, make_trace, parameter, run, step

from lossdoctor.detectors.base import TENTATIVE, Missing
from lossdoctor.model import Trace

FAULT = "low_precision_stall"


def trace(
    changed: float, losses: list[float] | None = None, dtype: str = "bfloat16", zeros: float = 0.4
) -> Trace:
    values = flat(40) if losses is None else losses
    steps = [
        step(i, v, updates={0: (1e-3, 1.0, changed)}, zero_grads={0: zeros}, grads={0: 0.3})
        for i, v in enumerate(values, 1)
    ]
    return make_trace(steps=steps, parameters=[parameter(dtype=dtype)], rows=[loss_row()])


def test_weights_with_a_gradient_that_do_not_change_are_found() -> None:
    finding = expect(FAULT, trace(0.12))
    assert (finding.where.line, finding.evidence[0].value) == (10, 0.8)


def test_weights_without_a_gradient_are_not_counted() -> None:
    assert run(FAULT, trace(0.55)) is None
    assert run(FAULT, trace(0.12, zeros=0.85)) is None


def test_a_rate_that_suits_the_format_is_healthy() -> None:
    assert run(FAULT, trace(0.9, zeros=0.0)) is None


def test_a_run_that_learns_well_in_spite_of_it_is_only_tested() -> None:
    assert expect(FAULT, trace(0.12, falling(40, 1.4, 0.05))).confidence == TENTATIVE


def test_fp32_weights_are_not_checked() -> None:
    assert run(FAULT, trace(0.12, dtype="float32")) == Missing("half-precision weights")


def test_weights_that_are_moved_by_hand_are_judged_alike() -> None:
    by_hand = trace(0.02).model_copy(update={"optimizers": ()})
    loose = [p.model_copy(update={"optimizers": ()}) for p in by_hand.parameters]
    moved = [s.model_copy(update={"optimizer": -1, "moved": True}) for s in by_hand.steps]
    expect(FAULT, by_hand.model_copy(update={"parameters": tuple(loose), "steps": tuple(moved)}))
