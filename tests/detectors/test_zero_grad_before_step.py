from __future__ import annotations

from typing import Any

from tests.detectors.build import (
    SITES,
    expect,
    flat,
    make_trace,
    optimizer,
    parameter,
    run,
    step,
    steps_of,
)

from lossdoctor.detectors.base import Missing
from lossdoctor.model import Step, Trace

FAULT = "zero_grad_before_step"
GRAPH = {"k": "graph", "n": 0, "head": [], "nodes": 9, "reach": [0], "strangers": []}


def empty_steps(sequence: str = "FBZS", count: int = 20) -> tuple[Step, ...]:
    return steps_of(flat(count), grad_norm=0.0, sequence=sequence)


def test_clearing_between_backward_and_step_is_found_at_the_late_clearing() -> None:
    late = SITES[4].model_copy(update={"id": 9, "what": "late_zero_grad", "line": 53})
    finding = expect(FAULT, make_trace(steps=empty_steps(), rows=[GRAPH], sites=(*SITES, late)))
    assert (finding.where.line, finding.severity) == (53, "critical")


def test_the_usual_order_is_healthy() -> None:
    assert run(FAULT, make_trace(rows=[GRAPH])) is None


def test_zero_gradients_of_dead_units_are_another_fault() -> None:
    assert run(FAULT, make_trace(steps=empty_steps("ZFBS"), rows=[GRAPH])) is None


def test_clearing_another_optimizer_in_between_leaves_gradients_to_apply() -> None:
    assert run(FAULT, make_trace(steps=steps_of(flat(20), sequence="FBZS"), rows=[GRAPH])) is None


def test_a_batch_that_is_discarded_now_and_then_is_healthy() -> None:
    kept = {"grad_norm": 1.0, "sequence": "ZFBS"}
    steps = [
        step(i, 2.0, **({"grad_norm": 0.0, "sequence": "FBZS"} if i % 10 == 0 else kept))
        for i in range(1, 41)
    ]
    assert run(FAULT, make_trace(steps=steps, rows=[GRAPH])) is None


def test_a_graph_that_never_led_to_the_parameters_has_nothing_to_clear() -> None:
    trace = make_trace(steps=empty_steps(), rows=[{**GRAPH, "reach": [7]}], parameters=[parameter()])
    assert run(FAULT, trace) is None


def test_without_steps_it_is_not_checked() -> None:
    assert run(FAULT, make_trace(steps=[])) == Missing("steps of a torch optimizer")


def in_turn(second: str, **more: Any) -> Trace:
    """Two optimizers that step one after the other; the second one has nothing to apply."""
    first = [step(i, 2.0) for i in range(1, 40, 2)]
    other = [
        step(i, **{"optimizer": 1, "backwards": 0, "grad_norm": 0.0, "sequence": second, **more})
        for i in range(2, 41, 2)
    ]
    steps = sorted([*first, *other], key=lambda s: s.i)
    return make_trace(steps=steps, optimizers=[optimizer(0), optimizer(1)], rows=[GRAPH])


def test_gradients_that_are_cleared_between_the_steps_of_two_optimizers_are_found() -> None:
    finding = expect(FAULT, in_turn("ZS"))
    assert finding.evidence[0].value == 20
    assert finding.evidence[0].threshold == "of 20"


def test_a_second_optimizer_that_has_gradients_to_apply_is_healthy() -> None:
    assert run(FAULT, in_turn("ZS", grad_norm=1.0)) is None
    assert run(FAULT, in_turn("S")) is None, "nothing was cleared"
    assert run(FAULT, in_turn("ZFBS", backwards=1)) is None, (
        "a backward pass of its own came after the clearing"
    )


def test_an_optimizer_that_wraps_another_leaves_the_step_to_it() -> None:
    pairs = [s for i in range(1, 21) for s in (step(i, 1.0, optimizer=1, sequence="FBZFBS"),
             step(i, optimizer=0, sequence="ZS", backwards=0, grad_norm=0.0))]  # fmt: skip
    both = [optimizer(0, "SAM"), optimizer(1, "SGD")]
    shared = make_trace(steps=pairs, optimizers=both, parameters=[parameter(optimizers=(0, 1))], rows=[GRAPH])
    assert run(FAULT, shared) is None
    own = make_trace(steps=pairs, optimizers=both, parameters=[parameter(optimizers=(0,))], rows=[GRAPH])
    assert expect(FAULT, own).evidence[0].value == 20
