from __future__ import annotations

from typing import Any

from tests.detectors.build import expect, flat, loss_row, make_trace, run, tensor_row

FAULT = "loss_shape_broadcast"


def met(scores: list[int], target: list[int]) -> dict[str, Any]:
    return loss_row(fn="mse_loss", **{"in": tensor_row(shape=scores)}, target=tensor_row(shape=target))


def graph(head: list[str], ops: list[list[Any]]) -> dict[str, Any]:
    given = [[[head[k], op[0]] for k, op in enumerate(ops) if op[2] == place] for place in range(len(ops))]
    rows = [[*op, near] for op, near in zip(ops, given, strict=True)]
    return {"k": "graph", "n": 0, "head": head, "ops": rows, "nodes": len(head), "reach": [0]}


def test_a_column_against_a_row_is_found_at_the_call() -> None:
    assert expect(FAULT, make_trace(flat(), rows=[met([32, 1], [32])])).where.line == 20


def test_a_difference_written_by_hand_is_found_in_the_graph() -> None:
    ops = [[[], 1, -1], [[32, 32], 1, 0], [[32, 32], 1, 1], [[32, 1], 3, 2]]
    rows = [graph(["Mean", "Pow", "Sub", "Addmm"], ops)]
    assert "(32, 32)" in expect(FAULT, make_trace(flat(), rows=rows)).why


def test_an_answer_that_feeds_two_operations_is_known_to_both() -> None:
    """Mean and spread are parts of one output, which was reached by the spread first."""
    ops = [[[], 1, -1], [[32, 32], 2, 0], [[32, 1], 1, 1], [[32, 32], 1, 1], [[32, 1], 1, 2]]
    row = graph(["Mean", "Add", "Clamp", "Sub", "Split"], ops)
    assert not row["ops"][3][3], "the walk came to it by the clamp"
    row["ops"][3][3] = [["Split", [32, 1]]]
    assert "sub spreads a prediction of shape (32, 1)" in expect(FAULT, make_trace(flat(), rows=[row])).why


def test_equal_shapes_are_healthy() -> None:
    assert run(FAULT, make_trace(flat(), rows=[met([32, 1], [32, 1])])) is None


def test_a_scalar_target_is_spread_on_purpose() -> None:
    assert run(FAULT, make_trace(flat(), rows=[met([32, 1], [])])) is None


def test_pairwise_differences_of_two_computed_sides_are_healthy() -> None:
    ops = [[[], 1, -1], [[32, 32], 2, 0], [[32, 1], 1, 1]]
    assert run(FAULT, make_trace(flat(), rows=[graph(["Mean", "Sub", "Unsqueeze"], ops)])) is None


def test_an_offset_per_feature_that_meets_as_many_samples_is_no_prediction() -> None:
    ops = [[[], 1, -1], [[32, 32], 1, 0], [[32, 32], 1, 1], [[32], 0, 2]]
    parameter = graph(["Mean", "Pow", "Sub", "torch::autograd::AccumulateGrad"], ops)
    assert run(FAULT, make_trace(flat(), rows=[parameter])) is None
    prediction = graph(["Mean", "Pow", "Sub", "Sum"], ops)
    assert "(32, 32)" in expect(FAULT, make_trace(flat(), rows=[prediction])).why
