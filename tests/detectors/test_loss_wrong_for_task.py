from __future__ import annotations

from typing import Any

import pytest
from tests.detectors.build import batch_row, expect, flat, loss_row, make_trace, run, tensor_row

from lossdoctor.detectors.base import Missing
from lossdoctor.model import Finding

FAULT = "loss_wrong_for_task"


def labels(hist: dict[str, int]) -> dict[str, Any]:
    label = {
        "path": "1",
        "shape": [32],
        "dtype": "int64",
        "min": 0,
        "max": 9,
        "distinct": len(hist),
        "hist": hist,
    }
    return batch_row(tensors=[tensor_row(), label])


def regressed(distinct: int = 10) -> dict[str, Any]:
    target = tensor_row(shape=[32], min=0.0, max=9.0, whole=distinct)
    return loss_row(fn="mse_loss", **{"in": tensor_row(shape=[32])}, target=target)


EVEN = {str(k): 3 for k in range(10)}


def test_class_numbers_as_quantities_are_found() -> None:
    assert "10 class numbers" in expect(FAULT, make_trace(flat(), rows=[regressed(), labels(EVEN)])).why


def test_ratings_that_peak_in_the_middle_are_quantities() -> None:
    peaked = {**EVEN, "5": 30}
    assert run(FAULT, make_trace(flat(), rows=[regressed(), labels(peaked)])) is None


def test_several_labels_in_a_softmax_loss_are_found() -> None:
    row = loss_row(target=tensor_row(shape=[32, 4], min=0.0, max=1.0, mean=0.45))
    assert "several labels" in expect(FAULT, make_trace(flat(), rows=[row])).remedy


@pytest.mark.parametrize(("most", "found"), [(3.0, True), (1.0, False), (None, False)])
def test_rows_with_several_labels_are_found_where_their_mean_is_one(most: float | None, found: bool) -> None:
    target = tensor_row(shape=[32, 4], min=0.0, max=1.0, mean=0.25, whole=2)
    outcome = run(FAULT, make_trace(flat(), rows=[loss_row(target=target, target_rows=most)]))
    assert (isinstance(outcome, Finding) and "up to 3 labels" in outcome.why) == found


def test_soft_labels_that_sum_to_one_are_healthy() -> None:
    row = loss_row(target=tensor_row(shape=[32, 4], min=0.0, max=1.0, mean=0.25))
    assert run(FAULT, make_trace(flat(), rows=[row])) is None


def test_cross_entropy_over_one_column_is_found() -> None:
    row = loss_row(**{"in": tensor_row(shape=[32, 1])})
    assert "single column" in expect(FAULT, make_trace(flat(), rows=[row])).why


def test_binary_targets_outside_zero_and_one_are_found() -> None:
    row = loss_row(fn="binary_cross_entropy_with_logits", target=tensor_row(min=0.0, max=9.0))
    assert "between 0 and 1" in expect(FAULT, make_trace(flat(), rows=[row])).why


def test_a_distance_written_by_hand_is_found_in_the_graph() -> None:
    ops = [[[], 1, -1, []], [[32], 1, 0, []], [[32], 1, 1, []]]
    graph = {"k": "graph", "n": 0, "head": ["Mean", "Pow", "Sub"], "ops": ops, "nodes": 3, "reach": [0]}
    assert "class numbers" in expect(FAULT, make_trace(flat(), rows=[graph, labels(EVEN)])).why


def test_without_a_loss_it_is_not_checked() -> None:
    assert isinstance(run(FAULT, make_trace(steps=[])), Missing)
