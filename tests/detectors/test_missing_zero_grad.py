from __future__ import annotations

from tests.detectors.build import SITES, expect, flat, make_trace, parameter, run, step, steps_of

from lossdoctor.model import Site

FAULT = "missing_zero_grad"


def stale_steps(count: int, of: int = 40, **more: object) -> list:
    return [step(i, 2.0, stale=i <= count + 1, **more) for i in range(1, of + 1)]


def test_steps_on_leftover_gradients_are_found_at_the_backward_call() -> None:
    finding = expect(FAULT, make_trace(steps=stale_steps(39)))
    assert (finding.where.line, finding.severity) == (21, "critical")
    assert finding.evidence[0].value == 39


def test_one_uncleared_step_is_no_fault() -> None:
    assert run(FAULT, make_trace(steps=stale_steps(1))) is None


def test_two_uncleared_steps_in_a_short_run_are_no_fault() -> None:
    assert run(FAULT, make_trace(steps=stale_steps(2, of=6))) is None


def test_clearing_once_per_epoch_is_not_enough() -> None:
    steps = [step(i, 2.0, stale=i % 10 != 1) for i in range(1, 41)]
    cleared = Site(id=9, what="zero_grad", file="/project/train.py", line=45, code="opt.zero_grad()")
    others = tuple(s for s in SITES if s.what != "zero_grad")
    finding = expect(FAULT, make_trace(steps=steps, sites=(*others, cleared)))
    assert finding.where.line == 45, "the clearing is there, in the wrong place"


def test_a_branch_that_forgets_to_clear_now_and_then_stays_below_the_threshold() -> None:
    steps = [step(i, 2.0, stale=i % 10 == 0) for i in range(1, 101)]
    assert run(FAULT, make_trace(steps=steps)) is None


def test_accumulation_with_clearing_is_healthy() -> None:
    steps = steps_of(flat(40), backwards=4, zeroed=1, sequence="ZFBFBFBFBS")
    assert run(FAULT, make_trace(steps=steps)) is None


def test_gradients_that_are_written_by_hand_each_time_are_not_left_over() -> None:
    copies = parameter(0, "full.0"), parameter(1, "model.weight", optimizers=())
    graph = {"k": "graph", "n": 1, "nodes": 5, "reach": [1], "strangers": []}
    assert run(FAULT, make_trace(steps=stale_steps(39), parameters=copies, rows=[graph])) is None
    expect(FAULT, make_trace(steps=stale_steps(39), parameters=copies, rows=[graph | {"reach": [0, 1]}]))
