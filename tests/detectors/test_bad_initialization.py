"""bad_initialization: equal weights, or weights of the wrong size for their fan-in."""

from __future__ import annotations

from typing import Any

import pytest

from lossdoctor.detectors.base import TENTATIVE, Missing
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Finding, Site, Trace

from .build import act_row, expect, falling, flat, loss_row, make_trace, parameter, run, steps_of


def trace(stds: list[float], mean: float = 0.0, losses: list[float] | None = None) -> Trace:
    weights = [parameter(k, f"{k}.weight", std=s, mean=mean) for k, s in enumerate(stds)]
    return make_trace(losses or flat(level=1.39), parameters=weights, rows=[loss_row()])


def test_weights_of_one_value_are_found_with_the_parameter() -> None:
    finding = expect("bad_initialization", trace([0.2, 0.0, 0.2], mean=0.5))
    assert finding.where.parameter == "1.weight"


def test_two_tables_of_zeros_that_never_get_a_gradient_are_found_in_a_run_that_learns() -> None:
    def factors(gradient: float) -> Trace:
        tables = [
            parameter(k, n, shape=(9, 4), std=0.0, module="Embedding") for k, n in enumerate(("user", "item"))
        ]
        offset = parameter(2, "bias", shape=(9, 1), std=0.0, module="Embedding")
        steps = steps_of(falling(start=1.39, end=0.8), grads={0: 0.0, 1: gradient, 2: 0.2})
        return make_trace(steps=steps, parameters=[*tables, offset])

    assert expect("bad_initialization", factors(0.0)).where.parameter == "user"
    assert run("bad_initialization", factors(0.1)) is None, "one of zeros gets going by the other"


def test_matrices_of_zeros_that_no_module_holds_are_found_where_they_are_handed_over() -> None:
    pairs = [
        parameter(k, f"trainable[{k}]", shape=shape, std=0.0, module=None, used=False)
        for k, shape in enumerate(((4, 40), (64, 4)))
    ]
    steps = steps_of(falling(start=1.6, end=1.4), grads={0: 0.0, 1: 0.0})
    finding = expect("bad_initialization", make_trace(steps=steps, parameters=pairs))
    assert (finding.where.parameter, finding.where.line) == ("trainable[0]", 10)


def test_zeros_in_most_layers_are_found() -> None:
    expect("bad_initialization", trace([0.0, 0.0, 0.2]))


def test_a_zero_output_layer_is_silent() -> None:
    assert run("bad_initialization", trace([0.2, 0.2, 0.0])) is None


@pytest.mark.parametrize("std", [1e-4, 10.0])
def test_weights_far_too_small_or_large_are_found(std: float) -> None:
    assert expect("bad_initialization", trace([std, std, std])).confidence > 0.6


def test_ordinary_weights_of_a_run_that_does_not_learn_are_silent() -> None:
    assert run("bad_initialization", trace([0.2, 0.2, 0.2])) is None


def test_odd_weights_that_learn_are_silent() -> None:
    assert run("bad_initialization", trace([10.0] * 3, losses=falling(start=1.39, end=0.05))) is None


def test_odd_weights_of_the_scripts_own_that_learn_most_are_worth_a_test_at_their_line() -> None:
    def learned(end: float) -> Trace:
        some = trace([10.0] * 3, losses=falling(start=1.39, end=end))
        own = tuple(p.model_copy(update={"init": 8}) for p in some.parameters)
        lines = [Site(id=n, what="init", file="/project/net.py", line=n, code="normal_(w)") for n in (7, 8)]
        return some.model_copy(update={"parameters": own, "sites": (*some.sites, *lines)})

    finding = expect("bad_initialization", learned(0.2))
    assert (finding.confidence, finding.where.line) == (TENTATIVE, 8)
    assert run("bad_initialization", learned(0.01)) is None


def test_without_steps_nothing_is_checked() -> None:
    assert isinstance(run("bad_initialization", make_trace(steps=[])), Missing)


def hidden(*spreads: float) -> list[dict[str, Any]]:
    return [act_row(1, name=str(k), cls="Linear", std=s) for k, s in enumerate(spreads)]


def test_a_signal_that_fades_on_its_way_is_found() -> None:
    weights = [parameter(k, f"{k}.weight", std=0.05) for k in range(5)]
    for spreads, found in (((1.0, 0.1, 0.01, 5e-4, 1e-5), True), ((1.0, 0.3, 0.1, 0.05, 1e-5), False)):
        trace = make_trace(flat(level=1.39), parameters=weights, rows=[loss_row(), *hidden(*spreads)])
        if found:
            assert "fades" in expect("bad_initialization", trace).why
        else:
            assert run("bad_initialization", trace) is None
    usual = [parameter(k, f"{k}.weight", std=0.2) for k in range(5)]
    deep = make_trace(
        flat(level=1.39), parameters=usual, rows=[loss_row(), *hidden(1.0, 0.1, 0.01, 5e-4, 1e-5)]
    )
    assert run("bad_initialization", deep) is None


@pytest.mark.parametrize(("last", "found"), [(4, True), (40, False)])
def test_units_that_stay_copies_of_others_are_found(last: int, found: bool) -> None:
    row = {"k": "copies", "parameter": 0, "rows": 48, "first": 4, "last": last}
    steps = steps_of(flat(), grads={0: 0.1, 1: 0.1})
    trace = make_trace(steps=steps, parameters=[parameter(0), parameter(1)], rows=[row])
    finding = run("bad_initialization", trace)
    assert isinstance(finding, Finding) is found
    assert not found or "only 4 differ" in finding.why
    unused = trace.model_copy(update={"steps": steps_of(flat(), grads={1: 0.1})})
    assert not isinstance(run("bad_initialization", unused), Finding)


def test_of_two_matrices_of_zeros_one_gets_values_first() -> None:
    tables = [parameter(k, n, shape=(9, 4), std=0.0) for k, n in enumerate(("a", "b"))]
    both = make_trace(steps=steps_of(falling(), grads={0: 0.0, 1: 0.0}), parameters=tables)
    assert interventions("bad_initialization", both)[0] == {"name": "reinitialise", "scheme": "one of two"}
    assert all(i["scheme"] != "one of two" for i in interventions("bad_initialization", trace([1e-4, 1e-4])))
