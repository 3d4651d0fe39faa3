from __future__ import annotations

from typing import Any

from tests.detectors.build import expect, forward_row, make_trace, parameter, run, step

from lossdoctor.detectors.base import TENTATIVE, Missing
from lossdoctor.model import Trace

FAULT = "fp16_underflow"


def trace(norm: float, autocast: str | None = "float16", **more: Any) -> Trace:
    steps = [step(i, 1e-6, grads={0: norm, 1: 1e-7, 2: norm}, **more) for i in range(1, 21)]
    parameters = [parameter(0), parameter(1, "head.weight"), parameter(2, "2.weight")]
    return make_trace(steps=steps, parameters=parameters, rows=[forward_row(autocast=autocast)])


def test_whole_matrices_without_gradient_are_found_at_the_backward_call() -> None:
    assert expect(FAULT, trace(0.0)).where.line == 21


def test_nearly_all_elements_at_zero_are_found() -> None:
    assert expect(FAULT, trace(1e-7, zero_grads={0: 0.95, 1: 0.93, 2: 0.99}))


def test_the_zeros_of_rectifiers_and_empty_pixels_are_normal() -> None:
    assert run(FAULT, trace(1e-3, zero_grads={0: 0.4, 1: 0.2, 2: 0.5})) is None


def test_a_run_with_a_scaler_is_healthy() -> None:
    assert run(FAULT, trace(0.0, scale=65536.0)) is None


def test_a_few_empty_steps_are_no_fault() -> None:
    mixed = [*trace(1e-3).steps[:15], *trace(0.0).steps[15:]]
    assert run(FAULT, trace(0.0).model_copy(update={"steps": tuple(mixed)})) is None


def test_bf16_and_fp32_runs_are_not_checked() -> None:
    assert run(FAULT, trace(0.0, "bfloat16")) == Missing("an fp16 run")
    assert run(FAULT, trace(0.0, None)) == Missing("an fp16 run")


def test_zeros_in_half_of_the_elements_are_worth_a_test() -> None:
    finding = expect(FAULT, trace(1e-3, zero_grads={0: 0.7, 1: 0.6, 2: 0.55}))
    assert finding.confidence == TENTATIVE
