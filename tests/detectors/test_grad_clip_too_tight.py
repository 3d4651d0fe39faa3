from __future__ import annotations

from tests.detectors.build import expect, falling, flat, make_trace, optimizer, parameter, run, steps_of

from lossdoctor.detectors.base import TENTATIVE

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


def test_a_run_that_fits_is_left_alone() -> None:
    assert run(FAULT, make_trace(steps=steps_of(falling(end=0.05), **CUT), optimizers=SGD)) is None


def test_a_norm_that_is_set_by_hand_in_a_flat_run_is_worth_a_test() -> None:
    assert (
        expect(FAULT, make_trace(steps=steps_of(flat(), grad_norm=0.01), optimizers=SGD)).confidence
        == TENTATIVE
    )
