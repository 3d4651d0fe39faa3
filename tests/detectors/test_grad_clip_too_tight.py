from __future__ import annotations

from typing import Any

from tests.detectors.build import (
    SITES,
    expect,
    falling,
    flat,
    make_trace,
    optimizer,
    parameter,
    run,
    step,
    steps_of,
)

from lossdoctor.detectors.base import TENTATIVE
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Site, Trace

FAULT = "grad_clip_too_tight"
SGD = [optimizer(cls="SGD", groups=({"lr": 0.1},))]
CUT = {"clip_max": 1e-3, "clip_before": 2.0, "grad_norm": 1e-3, "grads": {0: 1e-3}}


def test_a_threshold_far_below_every_gradient_is_found() -> None:
    finding = expect(FAULT, make_trace(steps=steps_of(flat(), **CUT), optimizers=SGD))
    assert finding.confidence > 0.8


def test_an_optimizer_that_normalises_the_gradient_is_only_worth_a_test() -> None:
    adam = [optimizer(groups=({"lr": 1e-3, "eps": 1e-8},))]
    trace = make_trace(steps=steps_of(flat(), **CUT), optimizers=adam, parameters=[parameter()])
    assert expect(FAULT, trace).confidence == TENTATIVE


def test_clipping_now_and_then_is_healthy() -> None:
    calm = steps_of(flat(80), clip_max=1.0, clip_before=0.5, grad_norm=0.5)
    assert run(FAULT, make_trace(steps=[*calm, *steps_of(flat(20), clip_max=1.0, clip_before=200.0)])) is None


def test_in_a_run_that_fits_only_the_proof_tells() -> None:
    finding = expect(FAULT, make_trace(steps=steps_of(falling(end=0.05), **CUT), optimizers=SGD))
    assert finding.confidence == TENTATIVE
    assert "hardly falls" not in finding.why
    adam = [optimizer(groups=({"lr": 1e-3, "eps": 1e-8},))]
    assert run(FAULT, make_trace(steps=steps_of(falling(end=0.05), **CUT), optimizers=adam)) is None


def test_a_norm_that_is_set_by_hand_in_a_flat_run_is_worth_a_test() -> None:
    assert (
        expect(FAULT, make_trace(steps=steps_of(flat(), grad_norm=0.01), optimizers=SGD)).confidence
        == TENTATIVE
    )


SCALED = {"grad_made": 2.0, "grad_norm": 0.02, "grads": {0: 0.02}}


def test_gradients_that_the_script_makes_smaller_itself_are_worth_a_test() -> None:
    line = Site(id=9, what="clip_by_hand", file="/project/train.py", line=30, code="clip_grads(model)")
    noisy = [step(i, v, **SCALED, grad_max=0.01 * (1 + i % 3)) for i, v in enumerate(flat(), 1)]
    steps = [s.model_copy(update={"grad_norm": 0.02 * (1 + 0.1 * (s.i % 3))}) for s in noisy]
    trace = make_trace(steps=steps, optimizers=SGD, sites=(*SITES, line))
    finding = expect(FAULT, trace)
    assert finding.confidence == TENTATIVE
    assert "cut to 1" in finding.why
    assert finding.where.line == 30
    assert interventions(FAULT, trace) == ({"name": "keep_gradients"},)


def test_torchs_own_clipping_is_tested_without_it() -> None:
    trace = make_trace(steps=steps_of(flat(), **CUT), optimizers=SGD)
    assert interventions(FAULT, trace) == ({"name": "no_clip"},)


def by_hand(losses: list[float], **more: Any) -> Trace:
    """Gradients of different size, each left at a hundredth by the script."""
    sizes = [1 + 0.1 * (k % 3) for k in range(len(losses))]
    steps = [
        step(i, v, **{"grad_made": 2.0 * s, "grad_norm": 0.02 * s, **more})
        for i, (v, s) in enumerate(zip(losses, sizes, strict=True), 1)
    ]
    return make_trace(steps=steps, optimizers=SGD)


def test_a_gradient_scaler_divides_by_its_factor_in_that_place() -> None:
    expect(FAULT, by_hand(flat()))
    assert run(FAULT, by_hand(flat(), scale=65536.0)) is None
    assert run(FAULT, by_hand(flat(), sequence="ZFBUS")) is None


def test_gradients_by_hand_that_keep_a_tenth_or_serve_the_run_are_left_alone() -> None:
    assert run(FAULT, by_hand(flat(), grad_made=0.1)) is None
    assert run(FAULT, by_hand(falling(end=1.0))) is None


def test_a_tight_threshold_is_felt_without_normalised_steps_although_the_loss_falls() -> None:
    cut = {"clip_max": 0.05, "clip_before": 1.0, "grad_norm": 0.05, "grads": {0: 0.05}}
    adam = [optimizer(groups=({"lr": 1e-3, "eps": 1e-8},))]
    falls = steps_of(falling(end=1.0), **cut)
    assert expect(FAULT, make_trace(steps=falls, optimizers=SGD)).confidence == TENTATIVE
    assert run(FAULT, make_trace(steps=falls, optimizers=adam)) is None
    wide = steps_of(falling(end=1.0), **{**cut, "clip_max": 0.2, "grad_norm": 0.2})
    assert run(FAULT, make_trace(steps=wide, optimizers=SGD)) is None


def test_a_loss_that_falls_a_little_beside_a_gradient_a_hundred_times_smaller_is_worth_a_test() -> None:
    slow = steps_of(falling(start=1.0, end=0.65), grad_made=6.0, grad_norm=0.001, grads={0: 0.001})
    derived = [optimizer(cls="Clipped", base="SGD", groups=({"lr": 0.1},))]
    assert expect(FAULT, make_trace(steps=slow, optimizers=derived)).confidence == TENTATIVE
    adam = [optimizer(cls="Clipped", base="Adam", groups=({"lr": 1e-3, "eps": 1e-8},))]
    assert run(FAULT, make_trace(steps=slow, optimizers=adam)) is None
