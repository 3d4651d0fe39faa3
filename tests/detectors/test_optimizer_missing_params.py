from __future__ import annotations

from tests.detectors.build import expect, make_trace, parameter, run, step

from lossdoctor.model import Parameter, Step

FAULT = "optimizer_missing_params"


def steps(norm: float = 0.5) -> list[Step]:
    return [step(i, 2.0, grads={0: 1.0, 1: norm}) for i in range(1, 21)]


def parameters(**more: object) -> list[Parameter]:
    return [parameter(0, "body.weight"), parameter(1, "head.weight", **({"optimizers": ()} | more))]


def test_a_head_that_no_optimizer_holds_is_named_at_the_construction() -> None:
    finding = expect(FAULT, make_trace(steps=steps(), parameters=parameters()))
    assert finding.where.parameter == "head.weight"
    assert (finding.where.file, finding.where.line) == ("/project/train.py", 10)
    assert finding.severity == "critical"


def test_parameters_that_do_not_require_a_gradient_are_left_out_on_purpose() -> None:
    assert run(FAULT, make_trace(steps=steps(), parameters=parameters(requires_grad=False))) is None


def test_parameters_without_a_gradient_are_not_accused() -> None:
    assert run(FAULT, make_trace(steps=steps(0.0), parameters=parameters())) is None


def test_modules_that_never_ran_are_not_accused() -> None:
    assert run(FAULT, make_trace(steps=steps(), parameters=parameters(used=False))) is None


def test_a_loaded_part_outside_the_optimizer_is_only_mentioned() -> None:
    finding = expect(FAULT, make_trace(steps=steps(), parameters=parameters(loaded=True)))
    assert finding.severity == "info"


def test_an_optimizer_of_another_model_is_another_fault() -> None:
    strangers = [parameter(0, "old.weight", used=False), parameter(1, "head.weight", optimizers=())]
    assert run(FAULT, make_trace(steps=steps(), parameters=strangers)) is None


def test_many_names_are_shortened() -> None:
    many = [parameter(0), *(parameter(k, f"{k}.weight", optimizers=()) for k in range(1, 8))]
    rows = [step(i, 2.0, grads=dict.fromkeys(range(8), 1.0)) for i in range(1, 21)]
    assert "and 3 more" in expect(FAULT, make_trace(steps=rows, parameters=many)).why
