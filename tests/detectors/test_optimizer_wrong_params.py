from __future__ import annotations

from tests.detectors.build import expect, make_trace, optimizer, parameter, run, step

from lossdoctor.model import Parameter, Step

FAULT = "optimizer_wrong_params"


def fed(*numbers: int) -> list[Step]:
    return [step(i, 2.0, grads=dict.fromkeys(numbers, 1.0)) for i in range(1, 21)]


def copies() -> list[Parameter]:
    return [parameter(0, "initial.weight", used=False), parameter(1, "net.weight", optimizers=())]


def test_an_optimizer_of_the_model_before_the_copy_is_found_at_its_construction() -> None:
    finding = expect(FAULT, make_trace(steps=fed(1), parameters=copies()))
    assert (finding.where.line, finding.where.parameter) == (10, "net.weight")


def test_a_missing_head_is_another_fault() -> None:
    parameters = [parameter(0), parameter(1, "head.weight", optimizers=())]
    assert run(FAULT, make_trace(steps=fed(0, 1), parameters=parameters)) is None


def test_spare_tensors_beside_the_right_ones_are_harmless() -> None:
    parameters = [parameter(0), parameter(1, "unused.weight", used=False)]
    assert run(FAULT, make_trace(steps=fed(0), parameters=parameters)) is None


def test_two_optimizers_with_the_same_tensors_while_another_model_has_none() -> None:
    parameters = [parameter(0, "D.weight", optimizers=(0, 1)), parameter(1, "G.weight", optimizers=())]
    steps = [
        step(i, 2.0, optimizer=i % 2, grads={0: 1.0} if i < 2 else {0: 1.0, 1: 1.0}) for i in range(1, 21)
    ]
    trace = make_trace(
        steps=steps, parameters=parameters, optimizers=[optimizer(0, site=0), optimizer(1, site=1)]
    )
    assert expect(FAULT, trace).where.line == 10


def test_two_optimizers_with_the_same_tensors_alone_are_no_fault() -> None:
    parameters = [parameter(0, optimizers=(0, 1))]
    assert (
        run(FAULT, make_trace(steps=fed(0), parameters=parameters, optimizers=[optimizer(), optimizer(1)]))
        is None
    )


def test_a_model_in_use_without_gradients_is_frozen_not_forgotten() -> None:
    assert run(FAULT, make_trace(steps=fed(), parameters=copies())) is None
