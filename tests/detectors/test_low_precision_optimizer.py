from __future__ import annotations

import math

from tests.detectors.build import expect, falling, make_trace, optimizer, parameter, run, step

from lossdoctor.detectors.base import Missing
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Trace

FAULT = "low_precision_optimizer"


def trace(eps: float | None = 1e-8, dtype: str = "float16", broken: int = 2) -> Trace:
    steps = [step(i, v if i < broken else math.nan) for i, v in enumerate(falling(40), 1)]
    made = optimizer(groups=({"lr": 1e-3, "eps": eps},))
    return make_trace(steps=steps, parameters=[parameter(dtype=dtype)], optimizers=[made])


def test_an_eps_that_is_zero_in_fp16_is_found_at_the_optimizer() -> None:
    finding = expect(FAULT, trace())
    assert (finding.where.line, finding.evidence[1].value) == (10, 2)


def test_an_infinite_update_shows_it_before_the_loss_does() -> None:
    steps = [step(1, 2.0, updates={0: (math.inf, 1.0, 1.0)}), step(2, math.nan)]
    assert expect(FAULT, trace().model_copy(update={"steps": tuple(steps)})).evidence[1].value == 1


def test_an_eps_that_fp16_can_hold_is_healthy() -> None:
    assert run(FAULT, trace(eps=1e-4)) is None


def test_an_optimizer_without_eps_is_healthy() -> None:
    assert run(FAULT, trace(eps=None)) is None


def test_updates_that_stay_finite_show_no_fault() -> None:
    assert run(FAULT, trace(broken=1000)) is None


def test_a_loss_that_breaks_late_has_another_cause() -> None:
    assert run(FAULT, trace(broken=35)) is None


def test_bf16_weights_hold_the_usual_eps() -> None:
    assert run(FAULT, trace(dtype="bfloat16")) == Missing("fp16 weights, or a state in fp16")


def kept(dtype: str, *empty: float) -> Trace:
    rows = [
        {"k": "moment", "i": i, "key": "v", "dtype": dtype, "empty": share, "site": 0}
        for i, share in enumerate(empty)
    ]
    return make_trace(falling(), rows=rows)


def test_a_second_moment_that_fp16_cannot_hold_is_found_and_kept_whole() -> None:
    finding = expect(FAULT, kept("float16", 1.0, 0.2, 0.0))
    assert "100 %" in finding.why
    assert interventions(FAULT, kept("float16", 1.0)) == ({"name": "full_precision_state"},)


def test_a_state_that_holds_its_numbers_is_healthy() -> None:
    assert run(FAULT, kept("float16", 0.1, 0.0)) is None
    assert run(FAULT, kept("bfloat16", 0.9)) is None
