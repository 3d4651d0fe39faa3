"""constant_input: what reaches the model is the same for every sample."""

from __future__ import annotations

from lossdoctor.detectors.base import Missing

from .build import expect, forward_row, loss_row, make_trace, run, tensor_row
from .sampled import points, rows

ZEROS = tensor_row(min=0.0, max=0.0, mean=0.0, std=0.0, zeros=1.0)


def test_inputs_that_are_all_zero_are_found() -> None:
    calls = [forward_row(i, **{"in": [ZEROS]}) for i in (1, 2, 3)]
    assert "all values are 0" in expect("constant_input", make_trace(rows=[*calls, loss_row()])).why


def test_one_sample_for_all_is_found() -> None:
    inputs, labels = points(40, 1)
    data = rows([inputs[0]] * 40, labels)
    assert (
        "all samples are equal"
        in expect("constant_input", make_trace(rows=[forward_row(), loss_row(), *data])).why
    )


def test_a_varying_second_input_is_enough() -> None:
    calls = [forward_row(i, **{"in": [ZEROS, tensor_row("1")]}) for i in (1, 2, 3)]
    assert run("constant_input", make_trace(rows=[*calls, loss_row()])) is None


def test_equal_targets_ask_for_nothing_else() -> None:
    same = loss_row(target={"shape": [32], "min": 1.0, "max": 1.0, "mean": 1.0, "std": 0.0})
    calls = [forward_row(i, **{"in": [ZEROS]}) for i in (1, 2, 3)]
    assert run("constant_input", make_trace(rows=[*calls, same])) is None


def test_ordinary_inputs_are_silent() -> None:
    assert run("constant_input", make_trace(rows=[forward_row(), loss_row(), *rows(*points(40, 1))])) is None


def test_without_batches_nothing_is_checked() -> None:
    assert isinstance(run("constant_input", make_trace()), Missing)
