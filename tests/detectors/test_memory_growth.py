from __future__ import annotations

from collections.abc import Callable

from tests.detectors.build import expect, make_trace, run, step

from lossdoctor.detectors.base import Missing
from lossdoctor.model import Trace

FAULT = "memory_growth"
MIB = 2**20


def trace(at: Callable[[int], float], count: int = 30) -> Trace:
    return make_trace(steps=[step(10 * k, 1.0, memory=int(at(k) * MIB)) for k in range(1, count + 1)])


def test_memory_that_rises_with_every_step_is_found_with_its_pace() -> None:
    finding = expect(FAULT, trace(lambda k: 400 + 10 * k))
    assert finding.evidence[1].value == 1.0


def test_growth_during_warm_up_is_normal() -> None:
    assert run(FAULT, trace(lambda k: 400 + 30 * min(k, 9))) is None


def test_a_cache_that_fills_and_stays_is_normal() -> None:
    assert run(FAULT, trace(lambda k: 400 + 10 * min(k, 20))) is None


def test_memory_that_goes_up_and_down_is_normal() -> None:
    assert run(FAULT, trace(lambda k: 400 + 5 * k + 40 * (k % 2))) is None


def test_a_few_megabytes_are_the_allocator() -> None:
    assert run(FAULT, trace(lambda k: 400 + 0.2 * k)) is None


def test_few_samples_are_not_checked() -> None:
    assert run(FAULT, trace(lambda k: 400 + 10 * k, count=5)) == Missing("memory at nine steps")
