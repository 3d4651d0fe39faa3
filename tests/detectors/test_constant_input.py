"""constant_input: what reaches the model is the same for every sample."""

from __future__ import annotations

from typing import Any

import pytest

from lossdoctor.detectors.base import Missing
from lossdoctor.model import Finding, Trace

from .build import expect, falling, flat, forward_row, loader_row, loss_row, make_trace, run, tensor_row
from .sampled import points, rows

ZEROS = tensor_row(min=0.0, max=0.0, mean=0.0, std=0.0, zeros=1.0)


def test_inputs_that_are_all_zero_are_found() -> None:
    calls = [forward_row(i, **{"in": [ZEROS]}) for i in (1, 2, 3)]
    assert "all values are 0" in expect("constant_input", make_trace(rows=[*calls, loss_row()])).why


def test_one_sample_for_all_is_found() -> None:
    inputs, labels = points(40, 1)
    data = rows([inputs[0]] * 40, labels, size=32)
    assert (
        "all samples are equal"
        in expect("constant_input", make_trace(rows=[forward_row(), loss_row(), *data])).why
    )


def test_one_number_per_call_is_constant_within_each_call_only() -> None:
    single = tensor_row(shape=[1], min=31.0, max=31.0)
    calls = [forward_row(i, **{"in": [single]}) for i in (1, 2, 3)]
    data = rows([[float(k)] for k in range(40)], [0.0] * 40, size=1)
    assert run("constant_input", make_trace(rows=[*calls, loss_row(), *data])) is None


def test_a_call_that_always_gets_the_same_is_no_constant_input_when_others_vary() -> None:
    start = forward_row(
        2, **{"in": [tensor_row(shape=[1, 8])]}
    )  # an initial condition beside the collocation points
    data = rows([points(40, 1)[0][0]] * 40, [0.0] * 40, size=1)
    assert run("constant_input", make_trace(rows=[forward_row(), start, loss_row(), *data])) is None


def test_a_varying_second_input_is_enough() -> None:
    calls = [forward_row(i, **{"in": [ZEROS, tensor_row("1")]}) for i in (1, 2, 3)]
    assert run("constant_input", make_trace(rows=[*calls, loss_row()])) is None


def test_equal_targets_ask_for_nothing_else() -> None:
    same = loss_row(target={"shape": [32], "min": 1.0, "max": 1.0, "mean": 1.0, "std": 0.0})
    calls = [forward_row(i, **{"in": [ZEROS]}) for i in (1, 2, 3)]
    assert run("constant_input", make_trace(rows=[*calls, same])) is None


def unknown(filled: int, trail: float, **more: int) -> list[dict[str, Any]]:
    """Calls with (32, 20) symbols: ``filled`` of them 0, and 1 elsewhere."""
    hist = {"0": filled, "1": 640 - filled, **more}
    symbols = {**tensor_row(shape=[32, 20], dtype="int64"), "hist": hist, "trail": [0, trail]}
    return [forward_row(i, **{"in": [symbols]}) for i in (1, 2, 3)]


@pytest.mark.parametrize(
    ("calls", "found"),
    [
        (unknown(256, 0.4), True),
        (unknown(256, 0.25), False),  # zeros stand between the ones as well
        (unknown(192, 0.4, **{"7": 64}), False),
    ],
)
def test_sequences_of_one_symbol_differ_in_length_alone(calls: list[dict[str, Any]], found: bool) -> None:
    said = run("constant_input", make_trace(flat(level=1.6), rows=[*calls, loss_row()]))
    assert (isinstance(said, Finding) and "symbol 1 throughout" in said.why) == found


def test_a_run_that_learns_from_the_lengths_is_silent() -> None:
    rows = [*unknown(256, 0.4), loss_row()]
    assert run("constant_input", make_trace(falling(end=0.2), rows=rows)) is None


def test_ordinary_inputs_are_silent() -> None:
    assert run("constant_input", make_trace(rows=[forward_row(), loss_row(), *rows(*points(40, 1))])) is None


def test_without_batches_nothing_is_checked() -> None:
    assert isinstance(run("constant_input", make_trace()), Missing)


def two(first: dict[str, object], second: dict[str, object]) -> list[dict[str, object]]:
    return [forward_row(i, **{"in": [first, second]}) for i in (1, 2, 3)]


def test_a_constant_first_input_of_a_run_that_learns_nothing_is_found() -> None:
    trace = make_trace(flat(), rows=[*two(ZEROS, tensor_row("1")), loss_row()])
    assert "all values are 0" in expect("constant_input", trace).why


def test_a_constant_second_input_is_a_mask_or_an_offset() -> None:
    other = ZEROS | {"path": "1"}
    assert run("constant_input", make_trace(flat(), rows=[*two(tensor_row(), other), loss_row()])) is None


def test_a_first_input_that_is_constant_within_each_call_only_is_healthy() -> None:
    calls = [
        forward_row(i, **{"in": [tensor_row(min=float(i), max=float(i)), tensor_row("1")]}) for i in (1, 2, 3)
    ]
    assert run("constant_input", make_trace(flat(), rows=[*calls, loss_row()])) is None


def test_two_measured_calls_are_too_few_for_a_constant_first_input() -> None:
    calls = two(ZEROS, tensor_row("1"))[:2]
    assert run("constant_input", make_trace(flat(), rows=[*calls, loss_row()])) is None


def test_samples_whose_inputs_lost_what_tells_them_apart_are_found() -> None:
    """Sentences of which every word is the unknown one: their lengths are left."""
    inputs, labels = points(200, 1)
    alike = [[1.0 + k % 4, 0.0, 0.0, 0.0, 0.0, 0.0] for k in range(200)]
    mixed = labels[3:] + labels[:3]
    drawn = {
        "k": "order",
        "i": 10,
        "loader": 0,
        "epoch": 1,
        "n": 200,
        "distinct": 200,
        "print": 1,
        "sorted": False,
    }
    calls = [forward_row(), loss_row(), drawn, loader_row(len=200)]
    lost = make_trace(flat(60), rows=[*calls, *rows(alike, mixed)])
    assert "only 4 different inputs" in expect("constant_input", lost).why
    assert not isinstance(run("duplicate_batches", lost), Finding)
    again = make_trace(flat(60), rows=[*calls[:2], drawn | {"distinct": 4}, *rows(alike, mixed)])
    assert not isinstance(run("constant_input", again), Finding), "drawn again and again"
    assert not isinstance(
        run("constant_input", make_trace(flat(60), rows=[*calls, *rows(inputs, labels)])), Finding
    )


def mostly(share: float, labels: int) -> Trace:
    inputs, truth = points(120, 1)
    same = int(share * len(inputs))
    data = rows([inputs[0]] * same + inputs[same:], [y % labels for y in truth], size=30)
    return make_trace(flat(level=1.39), rows=[forward_row(), loss_row(), *data])


def test_more_than_half_of_the_samples_alike_with_several_labels_are_found() -> None:
    assert "75 % of the training samples" in expect("constant_input", mostly(0.75, 4)).why
    assert run("constant_input", mostly(0.4, 4)) is None
    assert run("constant_input", mostly(0.75, 1)) is None, "equal inputs with equal labels"


def test_without_labels_only_samples_of_one_number_throughout_say_nothing() -> None:
    def unlabelled(first: list[float]) -> Trace:
        inputs, truth = points(120, 1)
        data = rows([first] * 90 + inputs[90:], truth, size=30)
        bare = [{k: v for k, v in r.items() if k != "y"} for r in data]
        return make_trace(flat(level=0.69), rows=[forward_row(), *bare])

    width = len(points(2, 1)[0][0])
    assert "one number throughout" in expect("constant_input", unlabelled([0.0] * width)).why
    assert not isinstance(run("constant_input", unlabelled(points(2, 1)[0][0])), Finding)
