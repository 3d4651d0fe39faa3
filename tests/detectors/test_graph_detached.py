from __future__ import annotations

from typing import Any

import pytest
from tests.detectors.build import (
    SITES,
    act_row,
    expect,
    falling,
    flat,
    loss_row,
    make_trace,
    parameter,
    run,
    step,
)

from lossdoctor.detectors.base import TENTATIVE, Missing
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Site, Trace

FAULT = "graph_detached"
CUT = Site(id=9, what="cut_in_forward", file="/project/model.py", line=38, code="x = self.body(x).detach()")
ERROR = {"k": "error", "i": 0, "type": "RuntimeError", "file": "/project/train.py", "line": 21,
         "text": "element 0 of tensors does not require grad and does not have a grad_fn"}  # fmt: skip


def trace(reach: list[int], order: tuple[str, ...] = ("body", "head"), **body: Any) -> Trace:
    graph = {"k": "graph", "n": 0, "head": [], "nodes": 5, "reach": reach, "strangers": []}
    acts = [act_row(1, name=name, cls="Linear") for name in order]
    return make_trace(
        steps=[step(i, 2.0, grads=dict.fromkeys(reach, 1.0)) for i in range(1, 21)],
        parameters=[parameter(0, "body.weight", **body), parameter(1, "head.weight")],
        rows=[graph, *acts],
        sites=(*SITES, CUT),
    )


def test_layers_before_a_cut_are_found_at_the_line_of_the_cut() -> None:
    finding = expect(FAULT, trace([1]))
    assert (finding.where.file, finding.where.line) == ("/project/model.py", 38)
    assert finding.where.parameter == "body.weight"


def test_a_loss_that_depends_on_no_parameter_is_found() -> None:
    assert "head.weight" in expect(FAULT, trace([])).why


def test_everything_reached_is_healthy() -> None:
    assert run(FAULT, trace([0, 1])) is None


def test_a_head_that_no_loss_uses_is_left_out_on_purpose() -> None:
    assert run(FAULT, trace([0])) is None


def test_layers_that_ran_without_gradient_are_cut_off_too() -> None:
    assert expect(FAULT, trace([1], order=("head",))).where.parameter == "body.weight"


def test_loaded_features_computed_without_gradient_are_on_purpose() -> None:
    assert run(FAULT, trace([1], loaded=True)) is None


def test_a_backward_call_that_fails_for_want_of_a_graph_is_explained() -> None:
    failed = make_trace(steps=[], error=ERROR)
    assert expect(FAULT, failed).confidence == 0.9
    assert isinstance(run(FAULT, make_trace(steps=[])), Missing)


def by_hand(reach: list[int], moved: bool = True, **body: Any) -> Trace:
    """The same model without an optimizer, its weights moved by the script itself."""
    made = trace(reach, **body)
    steps = tuple(s.model_copy(update={"optimizer": -1, "moved": moved}) for s in made.steps)
    parameters = tuple(p.model_copy(update={"optimizers": ()}) for p in made.parameters)
    return made.model_copy(update={"steps": steps, "parameters": parameters, "optimizers": ()})


def test_a_cut_is_found_where_updates_are_written_by_hand() -> None:
    finding = expect(FAULT, by_hand([1]))
    assert (finding.where.parameter, finding.where.line) == ("body.weight", 38)


def test_everything_reached_is_healthy_by_hand_too() -> None:
    assert run(FAULT, by_hand([0, 1])) is None


def test_loaded_features_under_a_head_that_is_trained_by_hand_are_on_purpose() -> None:
    assert run(FAULT, by_hand([1], loaded=True)) is None


def test_gradients_that_nobody_applies_show_no_cut() -> None:
    assert run(FAULT, by_hand([1], moved=False)) is None


def test_derivatives_without_a_graph_in_every_step_are_worth_a_test() -> None:
    rows = [{"k": "derivative", "i": i, "site": CUT.id} for i in range(1, 6)]
    whole = trace([0, 1])
    many = whole.model_copy(update={"rows": {**whole.rows, "derivative": tuple(rows)}})
    finding = expect(FAULT, many)
    assert (finding.confidence, finding.where.line) == (TENTATIVE, 38)
    few = whole.model_copy(update={"rows": {**whole.rows, "derivative": tuple(rows[:2])}})
    assert run(FAULT, few) is None


def severed(how: str, steps: int = 5) -> Trace:
    rows = [{"k": "severed", "i": i, "how": how, "name": "Part", "site": 0} for i in range(steps)]
    whole = trace([0, 1])
    return whole.model_copy(update={"rows": {**whole.rows, "severed": tuple(rows)}})


@pytest.mark.parametrize(
    ("how", "change"),
    [("draw", "reparametrise"), ("module", "straight_through"), ("block", "inner_gradients")],
)
def test_a_signal_that_is_cut_in_the_middle_of_the_model_is_worth_a_test(how: str, change: str) -> None:
    assert expect(FAULT, severed(how)).confidence == TENTATIVE
    assert interventions(FAULT, severed(how)) == ({"name": change},)
    assert run(FAULT, severed(how, 2)) is None


def test_a_detach_is_worth_a_test_where_a_trained_parameter_is_behind_it() -> None:
    rows = [{"k": "severed", "i": i, "how": "detach", "p": [0], "site": CUT.id} for i in (1, 2, 3)]
    whole = trace([0, 1])
    cut = whole.model_copy(update={"rows": {**whole.rows, "severed": tuple(rows)}})
    finding = expect(FAULT, cut)
    assert (finding.confidence, finding.where.line, finding.where.parameter) == (
        TENTATIVE,
        38,
        whole.parameters[0].name,
    )
    assert interventions(FAULT, cut) == ({"name": "attach", "file": "model.py", "line": 38},)
    free = whole.parameters[0].model_copy(update={"optimizers": ()})
    assert run(FAULT, cut.model_copy(update={"parameters": (free, *whole.parameters[1:])})) is None


def test_a_cut_beside_a_term_that_is_not_learned_is_tested_by_undoing_it() -> None:
    graph = {"k": "graph", "n": 0, "head": [], "nodes": 5, "reach": [0, 1], "strangers": []}
    totals, term = falling(100, 500.0, 20.0), flat(level=1.39)
    steps = [
        step(i, t, loss_values=(v,), grads={0: 1.0, 1: 1.0})
        for i, (t, v) in enumerate(zip(totals, term, strict=True), 1)
    ]
    rows = [graph, *(loss_row(i + 1, value=v) for i, v in list(enumerate(term))[::5])]
    whole = make_trace(steps=steps, rows=rows, parameters=[parameter(0, "body.weight"), parameter(1, "head.weight")],
                       sites=(*SITES, CUT))  # fmt: skip
    finding = expect(FAULT, whole)
    assert finding.confidence == TENTATIVE
    assert finding.where.line == CUT.line
    assert interventions(FAULT, whole) == ({"name": "attach", "file": "model.py", "line": CUT.line},)
    assert run(FAULT, whole.model_copy(update={"sites": SITES})) is None
    learned = [loss_row(i + 1, value=v) for i, v in list(enumerate(falling(100, 1.39, 0.1)))[::5]]
    assert run(FAULT, whole.model_copy(update={"rows": {**whole.rows, "loss": tuple(learned)}})) is None
