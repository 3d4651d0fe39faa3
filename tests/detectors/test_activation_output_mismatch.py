from __future__ import annotations

from typing import Any

import pytest
from tests.detectors.build import batch_row, expect, falling, flat, loss_row, make_trace, run, tensor_row

from lossdoctor.model import Trace

FAULT = "activation_output_mismatch"


def called(maker: str, low: float, high: float, fn: str = "mse_loss") -> dict[str, Any]:
    said = tensor_row(min=0.1, max=0.9)
    return loss_row(fn=fn, maker=[maker], target=tensor_row(min=low, max=high, std=1.0), **{"in": said})


@pytest.mark.parametrize("maker", ["Sigmoid", "Tanh", "Relu", "Softplus"])
def test_standardised_targets_are_out_of_reach(maker: str) -> None:
    finding = expect(FAULT, make_trace(flat(), rows=[called(maker, -2.0, 2.5)]))
    assert finding.evidence[0].value == maker


def test_predictions_beyond_the_range_come_of_another_activation() -> None:
    """A selu is an elu in the graph, and reaches -1.76."""
    below = {"in": tensor_row(min=-1.6, max=2.0)}
    rows = [
        {**called("Elu", -2.0, 2.0), "in": tensor_row(min=-0.8, max=2.0)},
        {**called("Elu", -2.0, 2.0), **below},
    ]
    assert run(FAULT, make_trace(flat(), rows=rows)) is None
    expect(FAULT, make_trace(flat(), rows=rows[:1]))


def test_targets_inside_the_range_are_healthy() -> None:
    assert run(FAULT, make_trace(flat(), rows=[called("Sigmoid", 0.0, 1.0)])) is None


def test_a_linear_output_reaches_everything() -> None:
    assert run(FAULT, make_trace(flat(), rows=[called("Addmm", -100.0, 100.0)])) is None


def test_a_softmax_over_one_column_is_a_constant() -> None:
    row = loss_row(
        fn="binary_cross_entropy", maker=["Softmax"], **{"in": tensor_row(shape=[32, 1], min=1.0, max=1.0)}
    )
    assert "always 1" in expect(FAULT, make_trace(flat(), rows=[row])).why


def test_scores_that_cannot_be_negative_are_found_in_a_poor_run_only() -> None:
    rows = [loss_row(maker=["Relu"])]
    assert "raw scores" in expect(FAULT, make_trace(flat(level=1.4), rows=rows)).why
    assert run(FAULT, make_trace(falling(end=0.05), rows=rows)) is None


def subtracted(inputs: int) -> Trace:
    """A softplus that is subtracted from a constant, or from another part of the prediction."""
    graph = {"k": "graph", "n": 0, "head": ["Mean", "Pow", "Sub", "Softplus"], "nodes": 9, "reach": [0],
             "ops": [[[], 1, -1, []], [[32, 1], 1, 0, []], [[32, 1], inputs, 1, []], [[32, 1], 1, 2, []]]}  # fmt: skip
    return make_trace(rows=[graph, batch_row(tensors=[tensor_row("0"), tensor_row("1", min=-3.0, max=3.0)])])


def test_a_loss_by_hand_on_what_an_activation_answers_is_found() -> None:
    assert "softplus" in expect(FAULT, subtracted(1)).why


def test_an_activation_that_is_one_part_of_the_prediction_is_not_its_range() -> None:
    """Quantiles that never cross: the middle one less a softplus."""
    assert run(FAULT, subtracted(2)) is None


@pytest.mark.parametrize(("maker", "low"), [("Gelu", -0.1), ("Silu", -0.2), ("Elu", -0.9)])
def test_smooth_rectifiers_reach_a_little_below_zero_and_no_further(maker: str, low: float) -> None:
    assert run(FAULT, make_trace(flat(), rows=[called(maker, low, 2.5)])) is None
    assert expect(FAULT, make_trace(flat(), rows=[called(maker, -2.0, 2.5)])).evidence[0].value == maker
