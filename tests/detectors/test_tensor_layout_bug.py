from __future__ import annotations

from typing import Any

import pytest
from tests.detectors.build import expect, loss_row, make_trace, run

from lossdoctor.detectors.base import TENTATIVE
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Finding, Trace

FAULT = "tensor_layout_bug"


def layer(**more: Any) -> dict[str, Any]:
    row = {"k": "rnn", "class": "LSTM", "batch_first": False, "cell": False, "shape": [32, 24, 1], "grad": True,
           "calls": 1, "given": 0, "carried": 0, "site": 1, "made": 0, "i": 1, "batch": 32}  # fmt: skip
    return row | more


def mix(**more: Any) -> dict[str, Any]:
    row = {
        "k": "mix",
        "what": "reshape",
        "from": [4, 32, 8],
        "to": [32, 32],
        "batch": 32,
        "site": 1,
        "inside": "Net",
    }
    return row | more


def trace(*rows: dict[str, Any]) -> Trace:
    return make_trace(rows=[loss_row(), *rows])


def test_one_long_sequence_whose_state_is_carried_on_is_read_along_its_time() -> None:
    piece = {"shape": [60, 1, 1], "batch": 60}
    expect(FAULT, make_trace(rows=[loss_row(target={"shape": [60], "dtype": "float32"}), layer(**piece)]))
    carried = [layer(**piece), layer(**piece, i=2, given=1, carried=1)]
    target = {"shape": [60], "dtype": "float32"}
    assert (
        run(FAULT, make_trace(rows=[loss_row(target=target), loss_row(2, target=target), *carried])) is None
    )


def test_a_layer_that_walks_through_the_batch_is_found_where_it_is_made() -> None:
    finding = expect(FAULT, trace(layer()))
    assert finding.where.line == 10
    assert "(32, 24, 1)" in finding.why


def test_attention_over_the_batch_is_found_too() -> None:
    assert "MultiheadAttention" in expect(FAULT, trace(layer(**{"class": "MultiheadAttention"}))).why


def test_the_line_that_makes_a_layer_is_known_where_copies_of_it_run() -> None:
    copied = layer(**{"class": "MultiheadAttention", "made": None})
    one = {"k": "made", "class": "MultiheadAttention", "site": 0}
    assert expect(FAULT, trace(copied)).where.line == 20
    assert expect(FAULT, trace(copied, one)).where.line == 10
    assert expect(FAULT, trace(copied, one, {**one, "site": 1})).where.line == 20, "two kinds of them"


def test_time_major_input_to_a_batch_first_layer_is_found() -> None:
    assert expect(FAULT, trace(layer(batch_first=True, shape=[24, 32, 1])))


@pytest.mark.parametrize(
    "sound",
    [
        {"batch_first": True},
        {"shape": [24, 32, 1]},
        {"shape": [32, 32, 1]},
        {"shape": [24, 1]},
        {"batch": 24},
        {"cell": True},
        {"grad": False},
    ],
)
def test_sound_or_ambiguous_shapes_are_left_alone(sound: dict[str, Any]) -> None:
    assert run(FAULT, trace(layer(**sound))) is None


def test_axes_of_equal_length_are_told_apart_by_whether_samples_mix() -> None:
    square = layer(shape=[32, 32, 1])
    mixing = {"k": "probe", "i": 9, "what": "samples", "change": 0.4}
    assert "walks through the samples" in expect(FAULT, trace(square, mixing)).why
    assert run(FAULT, trace(square, mixing | {"change": 1e-7})) is None
    assert interventions(FAULT, trace(square, mixing)) == ({"name": "swap_axes"},)


def test_a_reshape_that_makes_another_axis_the_batch_is_found_at_its_line() -> None:
    assert expect(FAULT, trace(mix())).where.line == 20


def test_a_softmax_over_the_batch_is_told_as_one() -> None:
    row = mix(what="softmax", to=[32, 10], **{"from": [32, 10]})
    assert "across the 32 samples" in expect(FAULT, trace(row)).why


def test_no_such_operation_is_healthy() -> None:
    assert run(FAULT, trace()) is None


def test_a_view_that_was_to_be_a_transpose_is_told_from_mixed_samples() -> None:
    row = {"k": "mix", "what": "reshape", "from": [40, 50, 6], "to": [40, 6, 50], "batch": 40, "site": 1}
    assert "renames the axes" in expect("tensor_layout_bug", make_trace(rows=[row])).why


def axes(along: float, across: float, other: float) -> dict[str, Any]:
    return {
        "k": "axes",
        "i": 1,
        "shape": [50, 6, 64],
        "site": 1,
        "along": along,
        "across": across,
        "other": other,
    }


@pytest.mark.parametrize(
    ("along", "across", "other", "confidence"),
    [
        (1.0, 1.05, 0.3, 0.85),
        (1.0, 1.05, 0.75, TENTATIVE),
        (0.3, 1.0, 1.0, None),
        (1.0, 0.3, 0.9, None),
        (1, 1, 1, None),
    ],
)
def test_inputs_that_run_smoothly_only_in_the_other_order(
    along: float, across: float, other: float, confidence: float | None
) -> None:
    trace = make_trace(rows=[axes(along, across, other)] * 3)
    finding = run("tensor_layout_bug", trace)
    assert (finding.confidence if isinstance(finding, Finding) else None) == confidence
    assert interventions("tensor_layout_bug", trace) == ({"name": "reread_axes"},)


@pytest.mark.parametrize(("length", "sure"), [(30, True), (40, False)])
def test_classes_that_are_read_along_time_are_found_or_worth_a_test(length: int, sure: bool) -> None:
    folded = mix(what="fold", **{"from": [8, 4, length], "to": [8 * length, 4]})
    finding = expect(FAULT, trace(folded))
    assert (finding.confidence > TENTATIVE) is sure
    assert [c["name"] for c in interventions(FAULT, trace(folded))] == ["move_axis"]


def test_mixed_samples_come_before_classes_that_are_read_along_time() -> None:
    folded = mix(what="fold", **{"from": [8, 4, 30], "to": [240, 4]})
    assert "another axis the batch" in expect(FAULT, trace(folded, mix())).why
