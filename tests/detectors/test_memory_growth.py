from __future__ import annotations

from collections.abc import Callable
from typing import Any

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


LOOKS = (5, 10, 20, 40, 80)


def tensor(size: Callable[[int], int], looks: tuple[int, ...] = LOOKS, epochs: int = 2) -> Trace:
    held: list[dict[str, Any]] = [{"k": "held", "i": i, "steps": 2, "nodes": 9} for i in LOOKS]
    ids = [{"k": "ids", "i": i, "grad": True, "epoch": 1 + (i * epochs - 1) // LOOKS[-1], "h": [1.0], "y": None}
           for i in range(1, LOOKS[-1] + 1)]  # fmt: skip
    grown = [{"k": "grown", "i": i, "name": "keys", "bytes": size(i) * 1024, "site": 3} for i in looks]
    return make_trace(steps=[step(k, 1.0) for k in range(1, 81)], rows=[*held, *ids, *grown])


def test_a_tensor_that_every_step_makes_larger_is_found_however_small() -> None:
    finding = expect(FAULT, tensor(lambda i: 64 + 32 * i))
    assert ("'keys'" in finding.why, finding.where.line) == (True, 22)


def test_a_tensor_that_stopped_growing_or_grows_ever_less_is_normal() -> None:
    assert isinstance(run(FAULT, tensor(lambda i: 64 + 32 * i, looks=LOOKS[:-1])), Missing)
    assert isinstance(run(FAULT, tensor(lambda i: int(1000 * i**0.5))), Missing)


def test_what_one_epoch_collects_may_be_let_go_at_its_end() -> None:
    assert isinstance(run(FAULT, tensor(lambda i: 64 + 32 * i, epochs=1)), Missing)


def test_a_store_with_a_bound_that_is_still_filling_explains_the_growth() -> None:
    def filling(limit: int) -> Trace:
        rows = [{"k": "store", "i": i, "name": "memory", "len": 2 * i, "limit": limit} for i in (40, 80)]
        return trace(lambda k: 400 + 10 * k).model_copy(update={"rows": {"store": tuple(rows)}})

    assert run(FAULT, filling(8000)) is None
    expect(FAULT, filling(200))


def test_a_store_that_the_machine_could_not_hold_is_told() -> None:
    def filling(limit: int, memory: int | None) -> Trace:
        rows = [
            {"k": "store", "i": i, "name": "items", "len": 2 * i, "limit": limit, "site": 3} for i in (40, 80)
        ]
        seen = trace(lambda k: 400 + 10 * k + 8 * (k % 2))
        start = {**seen.start, "memory": memory}
        return seen.model_copy(update={"rows": {"store": tuple(rows)}, "start": start})

    # half a MiB per item
    finding = expect(FAULT, filling(1_000_000, 64 * 2**30))
    assert 480 <= finding.evidence[0].value <= 540  # type: ignore[operator]
    assert (finding.where.line, "'items'" in finding.why) == (22, True)
    assert run(FAULT, filling(1_000, 64 * 2**30)) is None
    assert run(FAULT, filling(1_000_000, None)) is None
