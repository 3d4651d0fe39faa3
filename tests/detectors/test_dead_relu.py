from __future__ import annotations

from typing import Any

from tests.detectors.build import SITES, act_row, expect, falling, flat, make_trace, parameter, run

from lossdoctor.detectors.base import TENTATIVE, Missing
from lossdoctor.model import Site

FAULT = "dead_relu"


def layers(dead: float, **more: Any) -> list[dict[str, Any]]:
    linear = {"name": "0", "class": "Linear", "mean": -5.0, "std": 0.1, "max": 6.0, "zeros": 0.0}
    rows = []
    for i in (1, 2, 3, 4, 5, 11, 21, 31):
        rows += [{"k": "act", "i": i, **linear}, act_row(i, dead=dead, **more)]
    return rows


def test_a_layer_that_is_zero_for_all_inputs_is_found_with_the_weights_before_it() -> None:
    finding = expect(FAULT, make_trace(flat(40), rows=layers(1.0)))
    assert (finding.where.module, finding.where.parameter) == ("1", "0.weight")
    assert "first step" in finding.why


def test_the_step_at_which_a_layer_died_is_told() -> None:
    rows = [act_row(i, dead=0.2 if i < 20 else 1.0) for i in range(1, 41)]
    assert "since step 20" in expect(FAULT, make_trace(flat(40), rows=rows)).why


def test_a_relu_called_as_a_function_is_placed_by_its_line() -> None:
    rows = [act_row(i, name="", dead=1.0, site=SITES[1].id) for i in range(1, 20)]
    assert expect(FAULT, make_trace(flat(40), rows=rows)).where.line == SITES[1].line


def test_half_of_the_units_inactive_is_normal() -> None:
    assert run(FAULT, make_trace(flat(40), rows=layers(0.6))) is None


def test_a_run_that_learns_in_spite_of_it_is_left_to_the_proof() -> None:
    assert expect(FAULT, make_trace(falling(40), rows=layers(1.0))).confidence == TENTATIVE
    late = [act_row(i, dead=0.5 if i < 3 else 1.0) for i in range(1, 41)]
    assert run(FAULT, make_trace(falling(40), rows=late)) is None


def test_a_layer_that_recovers_is_not_dead() -> None:
    rows = [act_row(i, dead=1.0 if i < 5 else 0.3) for i in range(1, 41)]
    assert run(FAULT, make_trace(flat(40), rows=rows)) is None


def test_the_earliest_dead_layer_comes_first() -> None:
    rows = [act_row(i, name=name, dead=1.0) for i in range(1, 10) for name in ("1", "3")]
    parameters = [parameter(0, "0.weight"), parameter(1, "2.weight")]
    assert expect(FAULT, make_trace(flat(40), rows=rows, parameters=parameters)).where.module == "1"


def test_without_activations_it_is_not_checked() -> None:
    assert run(FAULT, make_trace()) == Missing("module activations")


def loop(*dead: float) -> list[dict[str, Any]]:
    """One line that rectifies the output of as many layers, one after the other, in every step."""
    return [
        act_row(i, name="", cls="relu", dead=share, site=SITES[1].id)
        for i in (1, 2, 3, 4, 5, 11, 21, 31)
        for share in dead
    ]


def test_a_dead_layer_of_several_that_one_line_rectifies_is_found() -> None:
    finding = expect(FAULT, make_trace(flat(40), rows=loop(0.1, 1.0, 0.2)))
    assert "(2)" in finding.why
    assert finding.evidence[1].value == "1 of 3"
    assert finding.where.line == SITES[1].line


def test_living_layers_that_one_line_rectifies_are_healthy() -> None:
    assert run(FAULT, make_trace(flat(40), rows=loop(0.1, 0.3, 0.2))) is None


def test_a_line_that_is_used_once_more_in_some_steps_stays_the_same_layers() -> None:
    rows = [*loop(0.1, 1.0), act_row(31, name="", cls="relu", dead=0.1, site=SITES[1].id)]
    assert expect(FAULT, make_trace(flat(40), rows=rows)).evidence[1].value == "1 of 3"


def test_a_layer_that_was_born_dead_is_placed_where_its_bias_is_set() -> None:
    bias = Site(id=9, what="init", file="/project/net.py", line=12, code="nn.init.constant_(m.bias, -4.0)")
    weights = Site(
        id=8, what="init", file="/project/net.py", line=11, code="nn.init.kaiming_normal_(m.weight)"
    )
    born = expect(FAULT, make_trace(flat(40), rows=layers(1.0), sites=(*SITES, weights, bias)))
    assert born.where.line == 12
    later = [act_row(i, dead=0.2 if i < 20 else 1.0) for i in range(1, 41)]
    assert expect(FAULT, make_trace(flat(40), rows=later, sites=(*SITES, bias))).where.line != 12


def test_a_bias_that_makes_up_the_answer_is_named_and_a_loaded_one_where_it_was_loaded() -> None:
    load = Site(id=9, what="load", file="/project/net.py", line=5, code="net.load_state_dict(torch.load(p))")
    weight = parameter(0, "0.weight").model_copy(update={"loaded": True})
    for mean, name in ((-4.8, "0.bias"), (-0.1, "0.weight")):
        bias = parameter(1, "0.bias").model_copy(update={"loaded": True, "shape": (4,), "mean": mean})
        trace = make_trace(flat(40), rows=layers(1.0), sites=(*SITES, load), parameters=(weight, bias))
        where = expect(FAULT, trace).where
        assert (where.parameter, where.line) == (name, 5)


def test_a_layer_that_is_mostly_dead_from_the_first_step_on_is_worth_a_test() -> None:
    def rows(*dead: float) -> list[dict[str, Any]]:
        return [act_row(i, name=str(k), dead=v) for i in range(1, 20) for k, v in enumerate(dead)]

    finding = expect(FAULT, make_trace(falling(40, 2.3, 1.4), rows=rows(0.06, 0.94, 0.88, 0.9)))
    assert finding.confidence == TENTATIVE
    assert "3 of 4" in finding.why
    one = expect(FAULT, make_trace(falling(40, 2.3, 0.3), rows=rows(0.06, 0.94, 0.1, 0.2)))
    assert (one.confidence, one.where.module) == (TENTATIVE, "1"), "though the run learns by what is left"
    later = [act_row(i, dead=0.1 if i < 3 else 0.9) for i in range(1, 41)]
    assert run(FAULT, make_trace(flat(40), rows=later)) is None
    assert run(FAULT, make_trace(flat(40), rows=rows(0.7))) is None
