from __future__ import annotations

from tests.detectors.build import expect, loader_row, make_trace, run, step

from lossdoctor.detectors.base import Missing
from lossdoctor.model import Step

FAULT = "dataloader_bottleneck"
HOTSPOT = {"k": "hotspot", "what": "data", "file": "/project/data.py", "line": 33, "share": 0.9,
           "code": "time.sleep(0.001)"}  # fmt: skip


def timed(data: float, compute: float, count: int = 30) -> list[Step]:
    times = {"data": data, "fwd": compute, "bwd": compute, "step": compute, "hook": 0.0,
             "total": data + 3 * compute}  # fmt: skip
    return [step(i, 1.0, time=times) for i in range(1, count + 1)]


def test_waiting_longer_than_computing_is_found_on_the_slow_line() -> None:
    finding = expect(FAULT, make_trace(steps=timed(0.05, 0.002), rows=[loader_row(), HOTSPOT]))
    assert (finding.where.file, finding.where.line) == ("/project/data.py", 33)
    assert finding.symptom == "slow_training"


def test_without_a_hot_line_the_loader_is_the_place() -> None:
    assert expect(FAULT, make_trace(steps=timed(0.05, 0.002), rows=[loader_row()])).where.line == 5


def test_a_short_wait_of_an_in_memory_data_set_is_normal() -> None:
    assert run(FAULT, make_trace(steps=timed(0.003, 0.0001), rows=[loader_row()])) is None


def test_a_wait_that_is_short_beside_the_computation_is_normal() -> None:
    assert run(FAULT, make_trace(steps=timed(0.05, 0.05), rows=[loader_row()])) is None


def test_too_few_timed_steps_are_not_checked() -> None:
    outcome = run(FAULT, make_trace(steps=timed(0.05, 0.002, count=6), rows=[loader_row()]))
    assert outcome == Missing("five or more timed steps after the warm-up")


def test_data_from_elsewhere_is_not_checked() -> None:
    assert run(FAULT, make_trace(steps=timed(0.05, 0.002))) == Missing("a torch DataLoader")
