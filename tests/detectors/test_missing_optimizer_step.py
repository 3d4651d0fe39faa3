from __future__ import annotations

from typing import Any

from tests.detectors.build import expect, make_trace, optimizer, parameter, run, step

from lossdoctor.detectors.base import Missing
from lossdoctor.model import Step

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
