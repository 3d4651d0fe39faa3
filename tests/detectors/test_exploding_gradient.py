"""exploding_gradient: growth through depth, or jumps of the norm."""

from __future__ import annotations

import pytest

from lossdoctor.detectors.base import TENTATIVE, Missing
from lossdoctor.model import Trace

from .build import (
    act_row,
    expect,
    falling,
    flat,
    forward_row,
    loss_row,
    make_trace,
    parameter,
    run,
    step,
    steps_of,
    tensor_row,
)


def deep(norms: list[float], losses: list[float]) -> Trace:
    weights = [parameter(k, f"{k}.weight") for k in range(len(norms))]
    return make_trace(
        steps=steps_of(losses, grads=dict(enumerate(norms))), parameters=weights, rows=[loss_row()]
    )


def spiky(sizes: list[float]) -> Trace:
    steps = [step(i, 1.39, grad_norm=n, grads={0: n}) for i, n in enumerate(sizes, 1)]
    return make_trace(steps=steps, rows=[loss_row()])


def test_a_gradient_that_grows_through_depth_is_found() -> None:
    finding = expect("exploding_gradient", deep([1e5, 1e4, 1e3, 100.0, 1.0, 0.1], flat(level=1.39)))
    assert finding.where.parameter == "0.weight"


def test_growth_in_a_run_that_fits_is_silent() -> None:
    fits = falling(start=1.39, end=0.05)
    assert run("exploding_gradient", deep([1e5, 1e4, 1e3, 100.0, 1.0, 0.1], fits)) is None


def test_jumps_of_the_norm_are_found_with_their_step() -> None:
    finding = expect("exploding_gradient", spiky([1.0] * 20 + [500.0, 1.0, 800.0, 1.0, 900.0, 1.0]))
    assert finding.evidence[0].step == 21
    assert finding.confidence == TENTATIVE


def test_a_norm_that_falls_from_a_large_start_is_no_explosion() -> None:
    assert run("exploding_gradient", spiky([1000.0] * 6 + [1.0] * 30)) is None


def test_one_jump_is_an_accident() -> None:
    assert run("exploding_gradient", spiky([1.0] * 20 + [500.0] + [1.0] * 20)) is None


def test_large_but_even_norms_are_silent() -> None:
    assert run("exploding_gradient", spiky([1e5] * 30)) is None


def test_few_steps_are_not_checked() -> None:
    assert isinstance(run("exploding_gradient", spiky([1.0] * 4)), Missing)


def outputs(size: float, losses: list[float]) -> Trace:
    call = forward_row(out=[tensor_row("", std=size)])
    return make_trace(losses, parameters=[parameter(0), parameter(1, "1.weight")], rows=[call, loss_row()])


def test_a_signal_that_grows_to_the_first_output_is_found() -> None:
    expect("exploding_gradient", outputs(5000.0, flat(level=1.39)))


def test_a_large_first_output_that_is_soon_unlearned_is_silent() -> None:
    assert run("exploding_gradient", outputs(5000.0, falling(start=900.0, end=0.1))) is None


def test_an_ordinary_first_output_is_silent() -> None:
    assert run("exploding_gradient", outputs(0.5, flat(level=1.39))) is None


@pytest.mark.parametrize(("end", "seen"), [(0.5, True), (0.1, False)])
def test_a_classifier_that_began_absurdly_far_off_and_fits_but_half(end: float, seen: bool) -> None:
    trace = outputs(5000.0, falling(start=900.0, end=end))
    assert (run("exploding_gradient", trace) is not None) is seen


def test_outputs_that_the_script_scales_to_their_targets_are_no_explosion() -> None:
    layers = [act_row(i=1, std=0.4), act_row(i=1, std=0.2)]
    scaled = outputs(5e5, falling(start=5e4, end=2e4))
    known = scaled.model_copy(update={"rows": {**scaled.rows, "act": tuple(layers), "loss": ()}})
    assert run("exploding_gradient", known) is None
    grown = known.model_copy(update={"rows": {**known.rows, "act": (act_row(i=1, std=4e5),)}})
    expect("exploding_gradient", grown)


def rolled(calls: int, told: list[int], losses: list[float]) -> Trace:
    """A model that is called so many times for one loss; its answers have the shape ``told``, its inputs (32, 3)."""
    row = forward_row(**{"in": [tensor_row(shape=[32, 3])], "out": [tensor_row("", shape=told)]})
    steps = steps_of(losses, sequence="F" * min(calls, 48) + "ZBS", calls=calls)
    return make_trace(steps=steps, rows=[loss_row(fn="mse_loss", target=tensor_row(std=1.0)), row])


def test_a_model_on_its_own_answers_a_hundred_times_that_does_not_learn_is_a_suspicion() -> None:
    finding = expect("exploding_gradient", rolled(100, [32, 3], flat(level=3.0)))
    assert (finding.confidence, finding.evidence[0].value) == (TENTATIVE, 100)


def test_few_calls_answers_of_another_shape_and_runs_that_learn_are_none() -> None:
    assert run("exploding_gradient", rolled(8, [32, 3], flat(level=3.0))) is None
    assert run("exploding_gradient", rolled(100, [32, 1], flat(level=3.0))) is None
    assert run("exploding_gradient", rolled(100, [32, 3], falling(start=3.0, end=0.1))) is None


@pytest.mark.parametrize(
    ("kind", "share", "broken", "told"),
    [("RNN", 0.9, 2, True), ("RNN", 0.1, 2, False), ("RNN", 0.9, 40, False), ("Linear", 0.9, 2, False)],
)
def test_a_recurrent_weight_that_is_thrown_away_before_a_step_that_is_not_finite(
    kind: str, share: float, broken: int, told: bool
) -> None:
    nan = float("nan")
    steps = [
        step(i, 3.0 if i < broken else nan, grad_norm=629.0 if i < broken else nan,
             updates={0: (share * 7.0 if i < broken else nan, 7.0, 1.0)})
        for i in range(1, 61)
    ]  # fmt: skip
    recurrent = {"k": "rnn", "i": 1, "class": "RNN", "cell": False, "batch_first": True, "shape": [32, 120, 2],
                 "grad": True, "calls": 1, "given": 0, "carried": 0}  # fmt: skip
    weight = parameter(0, "rnn.weight_hh_l0", module=kind)
    found = run("exploding_gradient", make_trace(steps=steps, parameters=[weight], rows=[recurrent]))
    assert (getattr(found, "confidence", None) == TENTATIVE) is told
