"""What probes read from traces made by hand, and how kinds are planned."""

from __future__ import annotations

import pytest
from tests.detectors.build import falling, flat, loss_row, parameter, step, steps_of

from lossdoctor.errors import BadArgument
from lossdoctor.model import Trace
from lossdoctor.tools.probes import comparisons, readings
from lossdoctor.tools.probes.kinds import KINDS
from lossdoctor.tools.probes.plan import Sweep, planned


def test_the_range_test_suggests_a_tenth_of_the_rate_with_the_lowest_loss() -> None:
    row = {"k": "ramp", "lr": [1e-4, 1e-3, 1e-2, 1e-1, 1.0], "loss": [2.3, 2.2, 1.0, 0.5, 9.0],
           "best": 0.1, "steepest": 0.01, "diverged": 1.0}  # fmt: skip
    read = readings.lr_range((Trace(rows={"ramp": (row,)}),))
    assert read["suggestion"] == 0.01
    assert read["curve"][0] == [1e-4, 2.3]
    assert read["diverged_at"] == 1.0


def test_a_range_test_without_an_end_says_so() -> None:
    assert "did not end" in readings.lr_range((Trace(),))["conclusion"]


@pytest.mark.parametrize(("losses", "fits"), [(falling(end=0.01), True), (flat(), False)])
def test_one_batch_tells_whether_the_loss_fell_to_nothing(losses: list[float], fits: bool) -> None:
    trace = Trace(steps=steps_of(losses), rows={"loader": ({"k": "loader"},)})
    assert readings.one_batch((trace,))["fits"] is fits


def test_one_batch_without_a_loader_claims_nothing() -> None:
    read = readings.one_batch((Trace(steps=steps_of(falling())),))
    assert read["fits"] is None
    assert "could not be repeated" in read["conclusion"]


def test_throughput_adds_up_and_names_the_largest_part() -> None:
    times = {"data": 0.006, "fwd": 0.001, "bwd": 0.002, "step": 0.001, "hook": 0.0, "total": 0.012}
    read = readings.throughput((Trace(steps=steps_of(flat(20), time=times)),))
    assert read["other_ms"] == pytest.approx(2.0)
    assert read["conclusion"] == "50 % of the step is data"


def test_the_noise_scale_of_pure_signal_is_zero_and_of_known_noise_is_known() -> None:
    """|G|^2 = 4 and noise S = 12 per batch: 16 at the batch in use, 4 + 12 / 8 = 5.5 at eight times of it."""
    small = Trace(steps=tuple(step(i, 1.0, grad_norm=4.0) for i in range(1, 9)))
    large = Trace(steps=(step(1, 1.0, grad_norm=5.5**0.5),))
    read = comparisons.noise_scale((small, large))
    assert read["noise_scale_batches"] == pytest.approx(3.0)
    same = Trace(steps=(step(1, 1.0, grad_norm=4.0),))
    assert "hardly any noise" in comparisons.noise_scale((small, same))["conclusion"]


def test_precision_reports_updates_that_changed_nothing_by_dtype() -> None:
    weights = parameter(0, dtype="bfloat16")
    steps = tuple(step(i, 1.0, updates={0: (1e-3, 1.0, 0.25)}) for i in range(1, 6))
    read = comparisons.precision((Trace(steps=steps, parameters=(weights,)), Trace(steps=steps_of(flat(5)))))
    assert read["unchanged_share_by_dtype"] == {"bfloat16": 0.75}


def test_the_coordinate_check_finds_what_grows_with_the_width() -> None:
    def run(scale: float) -> Trace:
        rows = (
            {"k": "act", "i": 6, "name": "out", "std": scale},
            {"k": "act", "i": 6, "name": "hidden", "std": 1.0},
        )
        return Trace(rows={"act": rows})

    read = comparisons.coord_check((run(1.0), run(2.0), run(4.0)), ("64", "128", "256"))
    assert read["growing"] == ["out"]
    assert read["activation_std"]["out"] == [1.0, 2.0, 4.0]


def test_the_data_reading_gives_the_loss_of_a_constant_prediction() -> None:
    read = readings.data((Trace(rows={"loss": (loss_row(),)}),))
    assert read["conclusion"] == "a constant prediction reaches a loss of 1.39"


def test_every_kind_reads_an_empty_trace_without_failing() -> None:
    for kind in KINDS.values():
        assert kind.read((Trace(), Trace()))["conclusion"]


def test_a_coordinate_check_needs_the_width_argument_and_runs_once_per_width() -> None:
    with pytest.raises(BadArgument, match="width"):
        planned("coord_check", (), None)
    _, runs, _ = planned("coord_check", ("--epochs", "1"), Sweep("--width", ("64", "128")))
    assert runs == (
        {"args": ("--epochs", "1", "--width", "64")},
        {"args": ("--epochs", "1", "--width", "128")},
    )


def test_an_unknown_kind_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadArgument, match="lr_range"):
        planned("magic", (), None)
