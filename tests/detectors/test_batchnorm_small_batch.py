from __future__ import annotations

from typing import Any

from tests.detectors.build import (
    act_row,
    eval_row,
    expect,
    falling,
    flat,
    forward_row,
    make_trace,
    run,
    tensor_row,
)

FAULT = "batchnorm_small_batch"
MODEL = {
    "k": "model",
    "i": 1,
    "name": "net",
    "class": "Net",
    "used": True,
    "parts": [["bn", "BatchNorm1d", {}]],
}


def fed(size: int, **more: Any) -> list[dict[str, Any]]:
    return [MODEL, forward_row(**{"in": [tensor_row(shape=[size, 8])], **more})]


def test_statistics_of_two_samples_in_a_poor_run_are_found() -> None:
    assert expect(FAULT, make_trace(flat(), rows=fed(2))).where.module == "bn"


def test_evaluation_that_is_far_from_training_is_an_effect_too() -> None:
    rows = [*fed(4), eval_row(loss=[3.0] * 4, acc=[])]
    assert expect(FAULT, make_trace(falling(end=0.05), rows=rows)).confidence == 0.6


def test_ordinary_batches_are_healthy() -> None:
    assert run(FAULT, make_trace(flat(), rows=fed(32))) is None


def test_frozen_statistics_are_healthy() -> None:
    assert run(FAULT, make_trace(flat(), rows=fed(2, frozen_mode=True))) is None


def test_a_run_that_fits_and_evaluates_well_is_healthy() -> None:
    assert run(FAULT, make_trace(falling(end=0.05), rows=fed(2))) is None


def test_a_model_that_splits_its_batch_is_judged_by_what_its_layers_see() -> None:
    parts = [act_row(i, "bn", "BatchNorm1d", rows=2) for i in (1, 2, 3)]
    finding = expect(FAULT, make_trace(flat(), rows=[*fed(128), *parts]))
    assert finding.evidence[0].value == 2
    assert finding.where.line is None, "the size of the loader's batches is sound"
    whole = [act_row(i, "bn", "BatchNorm1d", rows=128) for i in (1, 2, 3)]
    assert run(FAULT, make_trace(flat(), rows=[*fed(2), *whole])) is None
