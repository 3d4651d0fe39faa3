"""input_not_normalized: inputs far from unit size, in a run that does not fit."""

from __future__ import annotations

import pytest

from lossdoctor.detectors.base import MERE, TENTATIVE, Missing
from lossdoctor.model import Finding, Trace

from .build import (
    act_row,
    batch_row,
    expect,
    falling,
    flat,
    forward_row,
    loss_row,
    make_trace,
    run,
    tensor_row,
)
from .sampled import points, rows


def trace(losses: list[float], mean: float = 0.0, std: float = 1.0) -> Trace:
    call = forward_row(**{"in": [tensor_row(mean=mean, std=std)]})
    return make_trace(losses, rows=[call, loss_row()])


@pytest.mark.parametrize(("mean", "std"), [(128.0, 60.0), (500.0, 1.0), (0.0, 1e-3)])
def test_inputs_far_from_unit_size_are_found(mean: float, std: float) -> None:
    assert expect("input_not_normalized", trace(flat(level=1.39), mean, std)).confidence > 0.6


def test_raw_inputs_of_a_run_that_fits_are_silent() -> None:
    assert run("input_not_normalized", trace(falling(start=1.39, end=0.03), 128.0, 60.0)) is None


@pytest.mark.parametrize(("end", "sure"), [(0.6, 0.75), (0.3, MERE), (0.1, MERE)])
def test_raw_inputs_of_a_run_that_fits_in_part_are_a_mere_suspicion(end: float, sure: float) -> None:
    seen = expect("input_not_normalized", trace(falling(start=1.39, end=end), 128.0, 60.0))
    assert seen.confidence == sure


def test_a_fall_from_an_unknown_level_does_not_excuse_inputs_far_beyond_unit_size() -> None:
    call = forward_row(**{"in": [tensor_row(mean=6e5, std=2e6)]})
    unknown = make_trace(falling(start=6000.0, end=600.0), rows=[call])
    assert expect("input_not_normalized", unknown).confidence == TENTATIVE


def test_standard_inputs_of_a_run_that_does_not_learn_are_silent() -> None:
    assert run("input_not_normalized", trace(flat(level=1.39))) is None


def test_inputs_a_little_too_large_are_only_tested() -> None:
    assert expect("input_not_normalized", trace(flat(level=1.39), 0.0, 16.0)).confidence == TENTATIVE


def test_one_feature_that_is_far_larger_is_found() -> None:
    inputs, labels = points(100, 1)
    uneven = rows([[p[0] * 5000, *p[1:]] for p in inputs], labels)
    found = expect(
        "input_not_normalized", make_trace(flat(level=1.39), rows=[forward_row(), loss_row(), *uneven])
    )
    assert "features" in found.why


def test_a_rarely_lit_pixel_is_no_uneven_scale() -> None:
    inputs, labels = points(100, 1)
    dim = rows([[*p[:5], 1e-4 * p[5]] for p in inputs], labels)
    assert (
        run("input_not_normalized", make_trace(flat(level=1.39), rows=[forward_row(), loss_row(), *dim]))
        is None
    )


def test_without_batches_nothing_is_checked() -> None:
    assert isinstance(run("input_not_normalized", make_trace()), Missing)


def test_a_model_that_scales_its_input_itself_is_silent() -> None:
    raw = trace(flat(level=1.39), 257.0, 163.0)

    def answered(std: float) -> Trace:
        first = act_row(1, "inp", "Conv1d", mean=0.01, std=std)
        return raw.model_copy(update={"rows": {**raw.rows, "act": (first,)}})

    assert run("input_not_normalized", answered(0.4)) is None
    assert expect("input_not_normalized", answered(90.0))


def test_a_recurrent_layer_that_answers_little_does_not_tell_that_its_input_was_scaled() -> None:
    """Its answers lie between -1 and 1 whatever it is given: worth a test, no more."""
    call = forward_row(**{"in": [tensor_row(mean=144.0, std=354.0, shape=[32, 24, 8])]})
    first = act_row(1, "head", "Linear", mean=0.01, std=0.4)

    def read(shape: list[int], size: float | None = None) -> Trace:
        layer = {
            "k": "rnn",
            "i": 1,
            "class": "GRU",
            "cell": False,
            "batch_first": True,
            "shape": shape,
            "size": size,
            "grad": True,
        }
        return make_trace(flat(level=1.39), rows=[call, loss_row(), first, layer])

    assert expect("input_not_normalized", read([32, 24, 8])).confidence == TENTATIVE
    assert run("input_not_normalized", read([32, 24, 16])) is None  # of something that was made of the input
    assert expect("input_not_normalized", read([], size=360.0)), "a packed sequence has no shape"
    assert run("input_not_normalized", read([], size=1.2)) is None


def test_what_is_looked_up_in_trained_embeddings_is_no_data() -> None:
    wide = [forward_row(i, computed=True, **{"in": [tensor_row(mean=300.0, std=500.0)]}) for i in (1, 2, 3)]
    data = [forward_row(i, computed=False, **{"in": [tensor_row(mean=300.0, std=500.0)]}) for i in (1, 2, 3)]
    assert (
        run("input_not_normalized", make_trace(flat(level=1.39), rows=[*wide, batch_row(), loss_row()]))
        is None
    )
    assert expect("input_not_normalized", make_trace(flat(level=1.39), rows=[*data, batch_row(), loss_row()]))


def test_the_column_that_stands_out_is_named() -> None:
    call = forward_row(**{"in": [tensor_row(mean=2e4, std=5e4)]})

    def told(factor: float) -> list[str]:
        inputs, labels = points(100, 1)
        data = rows([[v * (factor if k == 4 else 1.0) for k, v in enumerate(p)] for p in inputs], labels)
        finding = expect("input_not_normalized", make_trace(flat(level=1.39), rows=[call, loss_row(), *data]))
        return [str(e.value) for e in finding.evidence if e.quantity.startswith("column")]

    assert [value.partition(",")[0] for value in told(1e5)] == ["4 (counted from 0)"]
    assert told(1.0) == []


@pytest.mark.parametrize(("offset", "found"), [(90.0, True), (3.0, False)])
def test_columns_of_a_table_that_spread_far_less_than_they_are_offset_are_worth_a_test(
    offset: float, found: bool
) -> None:
    inputs, labels = points(200, 1)
    moved = [[offset + p[0] * 0.5, offset + p[1] * 0.5, *p[2:]] for p in inputs]
    call = forward_row(**{"in": [tensor_row(mean=0.5, std=0.5)]})
    outcome = run(
        "input_not_normalized", make_trace(flat(level=1.39), rows=[call, loss_row(), *rows(moved, labels)])
    )
    assert (isinstance(outcome, Finding) and outcome.confidence == TENTATIVE) is found
