from __future__ import annotations

from typing import Any

from tests.detectors.build import (
    expect,
    falling,
    forward_row,
    loader_row,
    make_trace,
    optimizer,
    parameter,
    run,
    steps_of,
    tensor_row,
)

from lossdoctor.detectors.base import MERE, Missing
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Trace

FAULT = "batch_size_too_large"
WHOLE = [loader_row(len=1000, batch_size=1000), forward_row(**{"in": [tensor_row(shape=[1000, 8])]})]


def test_a_handful_of_updates_with_the_whole_data_set_in_each_is_found() -> None:
    finding = expect(FAULT, make_trace(falling(12, 2.3, 2.0), rows=WHOLE))
    assert "12 updates" in finding.why


def gathering(passes: int, pool: int | None = 2000, cls: str = "AdamW") -> Trace:
    """Twenty updates, each of the gradients of so many passes of 16 samples."""
    steps = steps_of(falling(20, 2.3, 1.5), backwards=passes)
    held = [] if pool is None else [loader_row(len=pool, batch_size=16), {"k": "pool", "i": 3, "n": pool}]
    rows = [*held, forward_row(**{"in": [tensor_row(shape=[16, 8])]})]
    return make_trace(steps=steps, rows=rows, optimizers=[optimizer(cls=cls)])


def test_gradients_that_are_gathered_over_half_of_the_data_are_found() -> None:
    finding = expect(FAULT, gathering(62))
    assert "62 backward passes" in finding.why
    assert interventions(FAULT, gathering(62)) == ({"name": "step_each_pass", "factor": 63, "scale": 1.0},)
    assert interventions(FAULT, gathering(62, cls="SGD"))[0]["scale"] == 62.0


def test_a_few_passes_or_data_of_unknown_size_are_no_large_batch() -> None:
    assert run(FAULT, gathering(2)) is None
    assert run(FAULT, gathering(8)) is None, "128 of 2000 samples"
    assert isinstance(run(FAULT, gathering(62, pool=None)), Missing)


def test_few_updates_of_the_usual_size_that_leave_something_are_tested() -> None:
    """Well above the fit that the detector calls poor, and a batch of less than a fifth of the data."""

    def told(end: float, moved: float = 3e-3, batch: int = 100, n: int = 30) -> Any:
        rows = [loader_row(len=1000, batch_size=batch), forward_row(**{"in": [tensor_row(shape=[batch, 8])]})]
        steps = steps_of(falling(n, 2.3, end), updates={0: (moved, 1.0, 1.0)})
        return run(
            FAULT, make_trace(steps=steps, rows=rows, parameters=[parameter(0, "0.weight", shape=(4, 8))])
        )

    assert told(0.4).confidence == MERE
    assert told(0.1) is None, "nothing is left"
    assert told(0.4, moved=3e-4) is None, "the steps are small, not few"
    assert told(0.4, batch=32) is None
    assert told(0.4, n=400) is None


def test_full_batch_training_that_fits_is_healthy() -> None:
    assert run(FAULT, make_trace(falling(100, 2.3, 0.05), rows=WHOLE)) is None


def test_many_updates_are_enough() -> None:
    assert run(FAULT, make_trace(falling(500, 2.3, 1.9), rows=WHOLE)) is None


def test_a_recording_that_was_cut_short_is_not_judged() -> None:
    assert run(FAULT, make_trace(falling(12, 2.3, 2.0), rows=WHOLE, stop="max_steps")) is None


def test_without_inputs_it_is_not_checked() -> None:
    assert isinstance(run(FAULT, make_trace(falling(12, 2.3, 2.0))), Missing)


def test_the_nodes_of_one_graph_are_one_batch() -> None:
    nodes, edges = tensor_row(shape=[1000, 8]), tensor_row("1", shape=[2, 4000], dtype="int64")
    for second in (tensor_row("1", shape=[1000, 1000]), edges):
        graph = [forward_row(**{"in": [nodes, second]})]
        assert run(FAULT, make_trace(falling(12, 2.3, 2.0), rows=[WHOLE[0], *graph])) is None
    for other in ([1000, 3], [50, 50]):  # a matrix for as many things as there are rows is one of a graph
        beside = [forward_row(**{"in": [nodes, tensor_row("1", shape=other)]})]
        expect(FAULT, make_trace(falling(12, 2.3, 2.0), rows=[WHOLE[0], *beside]))
