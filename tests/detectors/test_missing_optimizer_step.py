from __future__ import annotations

from typing import Any

from tests.detectors.build import SITES, expect, forward_row, make_trace, optimizer, parameter, run, step

from lossdoctor.detectors.base import Missing
from lossdoctor.model import Site, Step, Trace

FAULT = "missing_optimizer_step"


def passes(count: int, **more: Any) -> list[Step]:
    return [step(i, 2.0, **({"optimizer": -1, "moved": False} | more)) for i in range(1, count + 1)]


def test_passes_without_any_step_are_found_at_the_backward_call() -> None:
    assert expect(FAULT, make_trace(steps=passes(40))).where.line == 21


def test_updates_by_hand_move_the_parameters() -> None:
    assert run(FAULT, make_trace(steps=passes(40, moved=True))) is None


def test_an_ordinary_run_is_healthy() -> None:
    assert run(FAULT, make_trace()) is None


def test_a_recording_cut_off_inside_an_accumulation_window_is_not_judged() -> None:
    assert isinstance(run(FAULT, make_trace(steps=passes(40), stop="max_seconds")), Missing)
    assert expect(FAULT, make_trace(steps=passes(80), stop="max_seconds")).confidence > 0.9


def test_a_script_without_an_optimizer_is_not_checked() -> None:
    assert isinstance(run(FAULT, make_trace(steps=passes(40), optimizers=[])), Missing)


def test_passes_without_gradients_are_another_fault() -> None:
    assert run(FAULT, make_trace(steps=passes(40, grad_norm=0.0))) is None


def idle(norm: float) -> Any:
    steps = [step(i, 2.0, grads={0: 1.0, 1: norm}) for i in range(1, 101)]
    return make_trace(
        steps=steps,
        parameters=[parameter(0), parameter(1, "critic.weight", optimizers=(1,))],
        optimizers=[optimizer(), optimizer(1, "SGD")],
    )


def test_a_second_optimizer_that_never_steps_is_found_when_its_parameters_get_gradients() -> None:
    finding = expect(FAULT, idle(0.5))
    assert (finding.severity, finding.confidence) == ("warning", 0.8)


def test_an_optimizer_whose_phase_has_not_begun_is_healthy() -> None:
    assert run(FAULT, idle(0.0)) is None


UPDATE = Site(id=9, what="update", file="/project/train.py", line=31, code="p = p - lr * p.grad")


def without_optimizer(training: bool = True, count: int = 40, sites: Any = SITES, **more: Any) -> Trace:
    """Backward passes of a model that no optimizer holds; ``more`` is about its only parameter."""
    return make_trace(
        steps=passes(count, grads={0: 1.0}),
        optimizers=[],
        parameters=[parameter(optimizers=(), **more)],
        rows=[forward_row(i, training=training) for i in (1, 2, 3)],
        sites=sites,
    )


def test_fresh_weights_that_get_gradients_and_never_move_are_found_without_any_optimizer() -> None:
    assert expect(FAULT, without_optimizer()).where.line == 21


def test_an_update_by_hand_that_reaches_no_parameter_is_found_at_its_line() -> None:
    assert expect(FAULT, without_optimizer(sites=(*SITES, UPDATE))).where.line == 31


def test_saliency_of_a_model_in_evaluation_mode_is_not_training() -> None:
    assert run(FAULT, without_optimizer(training=False)) == Missing("an optimizer")


def test_gradients_of_a_loaded_model_are_not_training() -> None:
    assert run(FAULT, without_optimizer(loaded=True)) == Missing("an optimizer")


def test_gradients_for_a_part_of_the_weights_only_are_not_training() -> None:
    trace = without_optimizer()
    both = (*trace.parameters, parameter(1, "2.weight", optimizers=()))
    assert run(FAULT, trace.model_copy(update={"parameters": both})) == Missing("an optimizer")


def test_a_few_passes_without_an_optimizer_are_not_checked() -> None:
    assert isinstance(run(FAULT, without_optimizer(count=9)), Missing)
