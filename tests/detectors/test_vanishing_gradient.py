"""vanishing_gradient: first layers get a vanishing share of the gradient."""

from __future__ import annotations

from lossdoctor.detectors.base import Missing
from lossdoctor.model import Trace

from .build import expect, falling, flat, loss_row, make_trace, parameter, run, steps_of


def trace(norms: list[float], losses: list[float] | None = None) -> Trace:
    weights = [parameter(k, f"{k}.weight") for k in range(len(norms))]
    steps = steps_of(losses or flat(level=1.39), grads=dict(enumerate(norms)))
    return make_trace(steps=steps, parameters=weights, rows=[loss_row()])


def test_a_gradient_that_falls_through_depth_is_found_at_the_first_layer() -> None:
    finding = expect("vanishing_gradient", trace([1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1]))
    assert finding.where.parameter == "0.weight"


def test_small_but_even_gradients_are_silent() -> None:
    assert run("vanishing_gradient", trace([1e-6] * 6)) is None


def test_a_run_that_learns_is_silent() -> None:
    falls = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1]
    assert run("vanishing_gradient", trace(falls, falling(start=1.39, end=0.05))) is None


def test_layers_without_any_gradient_are_another_fault() -> None:
    assert run("vanishing_gradient", trace([0.0, 0.0, 0.0, 0.1, 0.1, 0.1])) is None


def test_without_steps_nothing_is_checked() -> None:
    assert isinstance(run("vanishing_gradient", make_trace(steps=[])), Missing)


def test_a_gradient_that_vanishes_after_the_first_step_was_cut_off_by_training() -> None:
    made = trace([1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1])
    first = made.steps[0].model_copy(update={"grads": dict.fromkeys(range(6), 0.1)})
    assert run("vanishing_gradient", made.model_copy(update={"steps": (first, *made.steps[1:])})) is None


def test_it_is_laid_at_the_flat_activation_where_there_is_one() -> None:
    falling_off = trace([1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1])
    used = {"k": "act", "i": 1, "name": "1", "class": "Sigmoid", "mean": 0.5, "std": 0.1, "site": 1}
    known = falling_off.model_copy(update={"rows": {**falling_off.rows, "act": (used,)}})
    where = expect("vanishing_gradient", known).where
    assert (where.line, where.parameter) == (20, "0.weight")


def test_a_large_parameter_that_is_added_to_the_signal_is_no_layer() -> None:
    falls = trace([1e-6, 0.02, 0.03, 0.05, 0.07, 0.1])
    expect("vanishing_gradient", falls)
    first = falls.parameters[0].model_copy(update={"name": "slot"})
    assert (
        run("vanishing_gradient", falls.model_copy(update={"parameters": (first, *falls.parameters[1:])}))
        is None
    )


def test_one_large_gradient_at_the_end_is_no_fall_through_depth() -> None:
    expect("vanishing_gradient", trace([1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0]))
    assert run("vanishing_gradient", trace([1e-4, 2e-4, 4e-4, 8e-4, 1e-3, 1.0])) is None


def test_a_filter_and_its_gate_fall_together() -> None:
    pairs = [v for k in range(7) for v in (10.0 ** (k - 7), 10.0 ** (k - 8.5))]
    assert expect("vanishing_gradient", trace([*pairs, 1.0])).where.parameter == "1.weight"


def test_a_single_weak_layer_is_no_depth() -> None:
    assert run("vanishing_gradient", trace([1e-6, 0.1, 0.09, 0.1, 0.08, 0.1, 0.09])) is None


def test_a_read_out_with_an_optimizer_of_its_own_is_no_layer_of_the_network() -> None:
    made = trace([0.03, 0.05, 0.06, 0.07, 0.08, 1e-6])
    apart = made.parameters[-1].model_copy(update={"optimizers": (1,), "name": "lin.weight"})
    first = made.model_copy(update={"parameters": (apart, *made.parameters[:-1])})
    assert run("vanishing_gradient", first) is None


def test_what_attention_compares_is_no_first_layer() -> None:
    falls = trace([1e-6, 0.02, 0.03, 0.05, 0.07, 0.1])
    for name in ("layers.0.attention.self.key.weight", "blocks.0.q_proj.weight", "wk.weight"):
        first = falls.parameters[0].model_copy(update={"name": name})
        told = falls.model_copy(update={"parameters": (first, *falls.parameters[1:])})
        assert run("vanishing_gradient", told) is None, name
    deep = trace([1e-6, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1])
    first = deep.parameters[0].model_copy(update={"name": "layers.0.attention.self.key.weight"})
    finding = expect(
        "vanishing_gradient", deep.model_copy(update={"parameters": (first, *deep.parameters[1:])})
    )
    assert finding.where.parameter == "1.weight"
