from __future__ import annotations

from typing import Any

from tests.detectors.build import expect, make_trace, optimizer, parameter, run, step

from lossdoctor.model import Optimizer, Step

FAULT = "optimizer_state_reset"


def steps(every: int, count: int = 60) -> list[Step]:
    return [step(i, 2.0, state=(0 if (i - 1) % every == 0 else 1, 1)) for i in range(1, count + 1)]


def rebuilt(count: int) -> list[Optimizer]:
    return [optimizer(k, step=k, sizes=(1,), site=1 if k else 0) for k in range(count)]


def test_an_optimizer_made_in_every_step_is_found_where_it_is_made() -> None:
    finding = expect(FAULT, make_trace(steps=steps(1), optimizers=rebuilt(60)))
    assert (finding.where.line, finding.severity) == (20, "critical")


def test_of_a_great_many_optimizers_only_the_first_are_known() -> None:
    later = [Step(**{**step(i, 2.0, state=(0, 1)).model_dump(), "optimizer": i}) for i in range(1, 400)]
    finding = expect(FAULT, make_trace(steps=later, optimizers=rebuilt(60)))
    assert (finding.severity, finding.confidence) == ("critical", 0.95)


def test_state_that_is_emptied_in_every_step_is_found() -> None:
    assert expect(FAULT, make_trace(steps=steps(1), optimizers=[optimizer(sizes=(1,))])).confidence == 0.95


def test_a_reset_in_every_epoch_is_a_warning() -> None:
    assert expect(FAULT, make_trace(steps=steps(12), optimizers=rebuilt(5))).severity == "warning"


def test_one_optimizer_that_keeps_its_state_is_healthy() -> None:
    assert run(FAULT, make_trace(steps=steps(1000), optimizers=[optimizer(sizes=(1,))])) is None


def test_phases_of_training_may_each_have_an_optimizer() -> None:
    assert run(FAULT, make_trace(steps=steps(30), optimizers=rebuilt(2))) is None


def test_an_optimizer_without_state_has_none_to_lose() -> None:
    plain = [step(i, 2.0, state=(0, 0)) for i in range(1, 61)]
    assert run(FAULT, make_trace(steps=plain, optimizers=rebuilt(60))) is None


def test_an_optimizer_for_each_task_serves_several_passes() -> None:
    def shown(passes: int) -> list[dict[str, Any]]:
        size = 12 // passes
        return [
            {
                "k": "ids",
                "i": i,
                "grad": True,
                "loader": None,
                "epoch": None,
                "y": None,
                "h": [float((i - 1) % size)],
            }
            for i in range(1, 61)
        ]

    tasks = {"steps": steps(12), "optimizers": rebuilt(5)}
    assert run(FAULT, make_trace(rows=shown(3), **tasks)) is None
    assert expect(FAULT, make_trace(rows=shown(1), **tasks)).severity == "warning"


def test_a_model_that_grows_needs_an_optimizer_for_what_is_new() -> None:
    made = [optimizer(k, step=12 * k, sizes=(k + 1,), site=1 if k else 0) for k in range(5)]
    grown = [parameter(k, optimizers=tuple(range(k, 5))) for k in range(5)]
    same = [parameter(k, optimizers=tuple(range(5))) for k in range(5)]
    assert run(FAULT, make_trace(steps=steps(12), optimizers=made, parameters=grown)) is None
    expect(FAULT, make_trace(steps=steps(12), optimizers=made, parameters=same))


def test_of_a_great_many_optimizers_those_that_are_not_recorded_tell_nothing() -> None:
    """One per fit of a search: each has a first step of its own, also beyond those that the recorder describes."""
    each = [step(i, 2.0, optimizer=i - 1, state=(0, 1)) for i in range(1, 51)]
    sets = [parameter(k, f"w{k}", optimizers=(k,)) for k in range(40)]
    assert run(FAULT, make_trace(steps=each, optimizers=rebuilt(40), parameters=sets)) is None
