from __future__ import annotations

from itertools import cycle, islice

from tests.detectors.build import expect, falling, flat, forward_row, make_trace, run, tensor_row

from lossdoctor.detectors.base import TENTATIVE, Missing

FAULT = "batch_size_too_small"
JUMPING = list(islice(cycle([0.6, 2.4, 1.0, 2.9, 1.9]), 200))
ONE = [forward_row(**{"in": [tensor_row(shape=[1, 8])]})]


def test_a_jumping_loss_on_single_samples_is_worth_a_test() -> None:
    assert expect(FAULT, make_trace(JUMPING, rows=ONE)).confidence == TENTATIVE


def test_single_samples_in_a_run_that_fits_are_healthy() -> None:
    assert run(FAULT, make_trace(falling(200, end=0.05), rows=ONE)) is None


def test_ordinary_batches_are_not_small() -> None:
    assert run(FAULT, make_trace(JUMPING, rows=[forward_row()])) is None


def test_a_single_sequence_holds_many_predictions() -> None:
    from tests.detectors.build import loss_row

    rows = [*ONE, loss_row(target={"shape": [64], "dtype": "int64", "min": 0, "max": 3, "distinct": 4})]
    assert run(FAULT, make_trace(JUMPING, rows=rows)) is None


def test_without_inputs_it_is_not_checked() -> None:
    assert isinstance(run(FAULT, make_trace(flat(200))), Missing)
