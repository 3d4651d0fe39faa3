from __future__ import annotations

import pytest
from tests.detectors.build import (
    expect,
    falling,
    flat,
    forward_row,
    loss_row,
    make_trace,
    optimizer,
    run,
    step,
)

from lossdoctor.detectors.base import TENTATIVE
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Trace

FAULT = "loss_reduction_misuse"
SGD = [optimizer(cls="SGD", groups=({"lr": 0.1},))]


def test_a_sum_over_the_batch_is_found_with_an_optimizer_that_minds() -> None:
    finding = expect(FAULT, make_trace(flat(level=70.0), rows=[loss_row(reduction="sum")], optimizers=SGD))
    assert (finding.evidence[0].value, finding.confidence) == (32, 0.8)


def test_an_optimizer_that_normalises_is_only_worth_a_test() -> None:
    finding = expect(FAULT, make_trace(flat(level=70.0), rows=[loss_row(reduction="sum")]))
    assert finding.confidence == TENTATIVE


def test_a_likelihood_below_zero_tells_nothing_of_how_well_it_trains() -> None:
    noisy = make_trace(
        flat(level=-240.0), rows=[loss_row(reduction="sum", fn="poisson_nll_loss")], optimizers=SGD
    )
    found = run(FAULT, noisy)
    assert found is None or found.confidence == TENTATIVE


def test_a_sum_that_is_divided_by_what_it_sums_over_is_a_mean() -> None:
    """Also where several small batches share a step, each divided by the number of all."""

    def divided(by: float) -> Trace:
        steps = [step(i, 70.0 / by, loss_values=(70.0,)) for i in range(1, 51)]
        return make_trace(steps=steps, optimizers=SGD, rows=[loss_row(reduction="sum")])

    assert run(FAULT, divided(4 * 32)) is None
    assert "divided by 128" in expect(FAULT, divided(128 * 32)).why


def test_a_mean_that_is_divided_once_more_is_found() -> None:
    steps = [step(i, 2.3 / 400, loss_values=(2.3,)) for i in range(1, 51)]
    assert "divided by 400" in expect(FAULT, make_trace(steps=steps, optimizers=SGD)).why


@pytest.mark.parametrize(
    ("head", "terms", "count"),
    [
        (["Sum", "Softplus", "Neg"], [[], [640], [640]], 640),
        (["Div", "Sum", "Softplus"], [[], [], [640]], 20),
        (["Div", "Sum", "Softplus"], [[], [], [32, 20]], None),  # the parts of an output
        (["Div", "Sum", "Softplus"], [[], [], [64]], None),
        (["Mean", "Sum", "Softplus"], [[], [], [640]], None),
        (["Mean", "Sum", "Softplus"], [[], [4], [32, 4]], 32),  # over the samples, for each output
        (["Mean", "Sum", "Softplus"], [[], [32], [32, 4]], None),  # over the outputs of each sample
    ],
)
def test_a_sum_by_hand_is_tested_by_as_much_smaller_a_rate(
    head: list[str], terms: list[list[int]], count: int | None
) -> None:
    ops = [[shape, 1, k - 1, []] for k, shape in enumerate(terms)]
    graph = {"k": "graph", "n": 0, "head": head, "ops": ops, "nodes": 3, "reach": [0]}
    trace = make_trace(flat(level=70.0), rows=[graph, forward_row()], optimizers=SGD)
    finding = run(FAULT, trace)
    if count is None:
        assert finding is None
        return
    assert expect(FAULT, trace).confidence == TENTATIVE
    assert interventions(FAULT, trace) == (
        {"name": "scale_lr", "factor": pytest.approx(1 / count, rel=0.01)},
    )


def test_whether_a_sum_by_hand_trains_well_is_told_from_a_constant_answer() -> None:
    ops = [[shape, 1, k - 1, []] for k, shape in enumerate([[], [4], [32, 4]])]
    graph = {"k": "graph", "n": 0, "head": ["Mean", "Sum", "Pow"], "ops": ops, "nodes": 3, "reach": [0]}

    def ending(at: float) -> Trace:
        single = loss_row(fn="mse_loss", reduction="none", constant=1.0)
        losses = falling(start=400.0, end=at)
        return make_trace(losses, rows=[graph, forward_row(), single], optimizers=SGD)

    assert expect(FAULT, ending(20.0)).confidence == TENTATIVE, "a constant answer costs 32"
    assert run(FAULT, ending(2.0)) is None


def test_a_mean_is_healthy() -> None:
    assert run(FAULT, make_trace(flat(), rows=[loss_row()], optimizers=SGD)) is None


def test_a_sum_that_trains_well_is_left_alone() -> None:
    steps = [step(i, 32 * v, accuracy=1.0) for i, v in enumerate(falling(end=0.01), 1)]
    assert run(FAULT, make_trace(steps=steps, rows=[loss_row(reduction="sum")], optimizers=SGD)) is None
