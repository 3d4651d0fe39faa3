from __future__ import annotations

from typing import Any

from tests.detectors.build import (
    expect,
    falling,
    flat,
    forward_row,
    make_trace,
    optimizer,
    run,
    step,
    steps_of,
    tensor_row,
)
from tests.detectors.sampled import points, rows

from lossdoctor.detectors.base import TENTATIVE, Missing
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Finding

FAULT = "grad_accumulation_misuse"
SGD = [optimizer(cls="SGD", groups=({"lr": 0.1},))]


def micro(count: int, share: float, **more: Any) -> dict[str, Any]:
    return {"losses": (2.3 * share,) * count, "loss_sites": (2,) * count, "loss_values": (2.3,) * count,
            "backwards": count, **more}  # fmt: skip


def test_clearing_between_the_passes_is_found() -> None:
    steps = [step(i, **micro(4, 0.25, sequence="ZFBZFBZFBZFBS")) for i in range(1, 51)]
    assert "only the last pass" in expect(FAULT, make_trace(steps=steps)).why


def test_losses_that_are_added_up_are_found_with_an_optimizer_that_minds() -> None:
    steps = [step(i, **micro(4, 1.0, sequence="ZFBFBFBFBS")) for i in range(1, 51)]
    assert expect(FAULT, make_trace(steps=steps, optimizers=SGD)).confidence > 0.6


def test_losses_that_are_divided_by_the_number_of_passes_twice_are_found() -> None:
    """By the script, and by the library that accumulates for it."""

    def told(by: int, passes: int = 4) -> Any:
        steps = [step(i, **micro(passes, 1 / by, sequence="Z" + "FB" * passes + "S")) for i in range(1, 51)]
        return make_trace(steps=steps, optimizers=SGD)

    assert "their number twice" in expect(FAULT, told(16)).why
    assert interventions(FAULT, told(16)) == ({"name": "scale_lr", "factor": 4.0},)
    assert run("loss_reduction_misuse", told(256, passes=16)) is None, "the same fault"
    assert expect("loss_reduction_misuse", told(256)), "by something else"
    assert run(FAULT, told(8)) is None


def test_stepping_on_every_pass_while_clearing_waits_is_found() -> None:
    steps = [step(i, **micro(1, 0.25, stale=i % 4 != 1)) for i in range(1, 51)]
    assert "every 4th" in expect(FAULT, make_trace(steps=steps)).why


def test_clearing_once_in_each_pass_over_data_cut_by_hand_is_no_accumulation() -> None:
    steps = [step(i, **micro(1, 1.0, stale=i % 4 != 1)) for i in range(1, 51)]
    call: dict[str, Any] = {"in": [tensor_row(shape=[20, 6])], "loader": None}
    assert run(FAULT, make_trace(steps=steps, rows=[forward_row(**call), *rows(*points(80, 1))])) is None
    expect(FAULT, make_trace(steps=steps, rows=[forward_row(**call), *rows(*points(200, 1))]))


def test_accumulation_as_it_should_be_is_healthy() -> None:
    steps = [step(i, **micro(4, 0.25, sequence="ZFBFBFBFBS")) for i in range(1, 51)]
    assert run(FAULT, make_trace(steps=steps, optimizers=SGD)) is None


def test_an_ordinary_loop_is_healthy() -> None:
    assert run(FAULT, make_trace(steps=steps_of(flat()))) is None


def test_a_sum_that_trains_well_is_left_alone() -> None:
    steps = [step(i, losses=(v, v), loss_sites=(2, 2), loss_values=(v, v), backwards=2)
             for i, v in enumerate(falling(end=0.05), 1)]  # fmt: skip
    assert run(FAULT, make_trace(steps=steps, optimizers=SGD)) is None


def composite(passes: int, head: str, cls: str = "SGD") -> Any:
    """A sum of terms that no loss function returned as a whole; ``head`` is the last operation before backward."""
    graph = {"k": "graph", "n": 0, "head": [head, "MseLoss"], "nodes": 9, "reach": [0], "strangers": []}
    steps = [step(i, **micro(passes, 1.37, sequence="Z" + "FB" * passes + "S")) for i in range(1, 51)]
    return make_trace(steps=steps, optimizers=[optimizer(cls=cls, groups=({"lr": 0.1},))], rows=[graph])


def test_a_composite_loss_that_is_not_divided_is_worth_a_test() -> None:
    finding = expect(FAULT, composite(8, "Add"))
    assert finding.confidence == TENTATIVE
    assert "8 backward passes of an undivided loss" in finding.why


def test_a_composite_loss_that_is_divided_last_is_healthy() -> None:
    assert run(FAULT, composite(8, "Div")) is None
    assert run(FAULT, composite(8, "Mul")) is None


def test_an_optimizer_that_divides_by_the_gradients_own_size_does_not_mind_a_composite_sum() -> None:
    assert run(FAULT, composite(8, "Add", cls="Adam")) is None


def test_two_or_three_backward_passes_may_be_terms_of_one_loss() -> None:
    assert run(FAULT, composite(3, "Add")) is None


def fitted_to(passes: int) -> Any:
    steps = [step(i, **micro(passes, 1.0, sequence="Z" + "FB" * passes + "S")) for i in range(1, 51)]
    return interventions(FAULT, make_trace(steps=steps, optimizers=SGD))


def test_the_test_divides_the_step_by_the_passes_that_it_adds_up() -> None:
    assert fitted_to(8) == ({"name": "late_zero_grad"}, {"name": "scale_lr", "factor": 0.125})
    assert fitted_to(4)[1]["factor"] == 0.25


def test_without_several_passes_a_tenth_of_the_step_is_tested() -> None:
    assert fitted_to(1)[1]["factor"] == 0.1


def test_a_few_steps_are_not_checked() -> None:
    assert isinstance(run(FAULT, make_trace(steps=steps_of(flat(5)))), Missing)


def test_shares_of_a_step_are_meant_to_count_however_well_the_run_learns() -> None:
    def severity(share: float, **more: Any) -> str:
        steps = [step(i, v, **micro(4, share, sequence="ZFBZFBZFBZFBS", **more) | {"losses": (v * share,) * 4,
                 "loss_values": (v,) * 4}) for i, v in enumerate(falling(end=0.001), 1)]  # fmt: skip
        return expect(FAULT, make_trace(steps=steps)).severity

    assert severity(0.25) == "critical"
    assert severity(1.0) == "info"


def test_passes_that_a_closure_runs_are_the_optimizers_own() -> None:
    def of(closure: int) -> Any:
        steps = [step(i, v, **micro(4, 1.0, sequence="ZFBZFBZFBZFBS")) for i, v in enumerate(flat(20), 1)]
        return run(FAULT, make_trace(steps=[s.model_copy(update={"closure": closure}) for s in steps]))

    assert isinstance(of(0), Finding)
    assert of(4) is None
