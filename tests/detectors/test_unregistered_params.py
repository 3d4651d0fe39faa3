from __future__ import annotations

from typing import Any

from tests.detectors.build import SITES, expect, make_trace, parameter, run, step

from lossdoctor.model import Site, Step, Trace

FAULT = "unregistered_params"
SITE = Site(id=9, what="stray", file="/project/train.py", line=23, code="self.layers = [nn.Linear(8, 8)]")
STRAY = {"k": "stray", "module": "Linear", "inside": "Net", "name": "layers", "site": 9}


def steps(norm: float | None) -> list[Step]:
    grads = {0: 1.0} if norm is None else {0: 1.0, 1: norm}
    return [step(i, 2.0, grads=grads) for i in range(1, 21)]


def trace(norm: float | None = 0.5, rows: tuple[Any, ...] = (STRAY,), **hidden: Any) -> Trace:
    parameters = [parameter(0, "head.weight"), parameter(1, "Linear.weight", **({"optimizers": ()} | hidden))]
    return make_trace(steps=steps(norm), parameters=parameters, rows=rows, sites=(*SITES, SITE))


def walks(number: int, of: int = 4) -> tuple[dict[str, Any], ...]:
    leaf = {"name": "w1", "inside": "Net", "shape": [4, 4], "site": 9}
    return tuple(
        {
            "k": "graph",
            "n": n,
            "head": [],
            "nodes": 5,
            "reach": [0],
            "strangers": [leaf] if n < number else [],
        }
        for n in range(of)
    )


def test_layers_in_a_plain_list_are_found_where_the_list_is_made() -> None:
    finding = expect(FAULT, trace())
    assert (finding.where.line, finding.where.parameter) == (23, "Linear.weight")


def test_hidden_layers_that_an_optimizer_holds_all_the_same_are_trained() -> None:
    assert run(FAULT, trace(optimizers=(0,))) is None


def test_a_teacher_in_a_list_gets_no_gradient_on_purpose() -> None:
    assert run(FAULT, trace(norm=None)) is None
    assert run(FAULT, trace(norm=None, requires_grad=False)) is None


def test_a_plain_tensor_in_every_graph_is_found_by_its_attribute() -> None:
    assert expect(FAULT, trace(norm=None, rows=walks(4), optimizers=(0,))).where.parameter == "w1"


def test_a_tensor_that_is_in_one_graph_only_is_an_input() -> None:
    assert run(FAULT, trace(norm=None, rows=walks(1), optimizers=(0,))) is None


def test_registered_modules_are_healthy() -> None:
    assert run(FAULT, trace(rows=(), optimizers=(0,))) is None
