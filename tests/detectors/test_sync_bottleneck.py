from __future__ import annotations

from typing import Any

from tests.detectors.build import expect, loader_row, make_trace, run, step

from lossdoctor.detectors.base import Missing
from lossdoctor.model import Site, Trace

FAULT = "sync_bottleneck"


def trace(
    stall: float, share: float | None = 0.9, count: int = 30, compute: float = 1e-3, queued: float = 0.0
) -> Trace:
    times = {"data": 1e-4, "fwd": compute, "bwd": compute, "step": compute, "hook": 0.0, "queued": queued,
             "total": stall + 1e-4 + 3 * compute}  # fmt: skip
    rows: list[dict[str, Any]] = [loader_row()]
    if share is not None:
        rows.append({"k": "hotspot", "what": "step", "file": "/project/train.py", "line": 44, "share": share,
                     "code": "torch.save(model.state_dict(), path)"})  # fmt: skip
    return make_trace(steps=[step(i, 1.0, time=times) for i in range(1, count + 1)], rows=rows)


def test_a_slow_line_in_every_step_is_found() -> None:
    finding = expect(FAULT, trace(0.05))
    assert (finding.where.line, finding.symptom) == (44, "slow_training")


def test_what_is_written_down_or_stands_below_the_update_makes_no_data() -> None:
    """Without a loader half of the step may go into data; into a log or a score it may not."""

    def by_hand(code: str, after: float = 0.0) -> Trace:
        given = trace(0.03, compute=7e-3)
        rows = {k: v for k, v in given.rows.items() if k != "loader"}
        hot = tuple({**r, "code": code, "after": after} for r in given.of("hotspot"))
        return given.model_copy(update={"rows": {**rows, "hotspot": hot}})

    expect(FAULT, by_hand("json.dump(points, fh)"))
    assert run(FAULT, by_hand("x, y = env.rollout(net)")) is None
    expect(FAULT, by_hand("scores.update(out, y)", after=0.9))


def test_time_that_other_programs_took_is_no_stall() -> None:
    assert run(FAULT, trace(0.05, queued=0.045)) is None
    expect(FAULT, trace(0.05, queued=0.002))


def test_other_programs_slow_down_every_part_of_a_step_alike() -> None:
    finding = expect(FAULT, trace(0.06, compute=5e-3, queued=0.045))
    assert finding.why.startswith("80 %")


def test_the_cost_of_python_itself_is_normal() -> None:
    assert run(FAULT, trace(0.004)) is None


def test_a_stall_that_is_short_beside_the_computation_is_normal() -> None:
    assert run(FAULT, trace(0.05, compute=0.05)) is None


def test_a_stall_that_is_spread_over_the_lines_of_one_function_is_found() -> None:
    def spread(first: int, last: int, share: float = 0.7) -> Trace:
        row = {"k": "hotspot", "what": "function", "file": "/project/train.py", "line": 52, "share": share,
               "code": "k = int(g.item())", "lines": [first, last]}  # fmt: skip
        given = trace(0.05, share=0.2)
        return given.model_copy(update={"rows": {**given.rows, "hotspot": (*given.of("hotspot"), row)}})

    finding = expect(FAULT, spread(50, 55))
    assert (finding.where.line, "mostly in one function" in finding.why) == (52, True)
    assert run(FAULT, spread(15, 55)) is None, "the loop itself: its lines train"
    assert run(FAULT, spread(50, 55, 0.3)) is None


def test_time_that_no_single_line_explains_is_not_accused() -> None:
    assert run(FAULT, trace(0.05, share=0.2)) is None
    assert run(FAULT, trace(0.05, share=None)) is None


def test_the_line_of_the_step_itself_is_where_the_recorder_works() -> None:
    rows = trace(0.05).rows
    on_step = {**rows, "hotspot": ({**rows["hotspot"][0], "line": 22},)}
    assert run(FAULT, trace(0.05).model_copy(update={"rows": on_step})) is None


def test_a_script_that_makes_its_own_data_must_stall_much_more() -> None:
    def alone(stall: float) -> Trace:
        whole = trace(stall)
        return whole.model_copy(update={"rows": {"hotspot": whole.rows["hotspot"]}})

    assert run(FAULT, alone(0.01)) is None
    assert expect(FAULT, alone(0.05)).where.line == 44


def test_too_few_timed_steps_are_not_checked() -> None:
    assert run(FAULT, trace(0.05, count=6)) == Missing("five or more timed steps after the warm-up")


def test_a_short_stall_beside_far_shorter_training_is_found_where_data_are_loaded() -> None:
    short = trace(0.012, compute=2e-4)
    expect(FAULT, short)
    assert (
        run(FAULT, short.model_copy(update={"rows": {k: v for k, v in short.rows.items() if k != "loader"}}))
        is None
    )


def test_a_simulation_that_gives_the_gradients_is_what_the_step_is_for() -> None:
    slow = trace(0.05)
    added = tuple(s.model_copy(update={"grad_made": 0.01}) for s in slow.steps)
    assert run(FAULT, slow.model_copy(update={"steps": added})) is None


def test_an_evaluation_that_stands_above_the_loop_ends_there() -> None:
    above = Site(id=9, what="evaluation", file="/project/train.py", line=15)
    below = Site(id=9, what="evaluation", file="/project/train.py", line=30)
    stalls = trace(0.05)
    expect(FAULT, stalls.model_copy(update={"sites": (*stalls.sites, above)}))
    assert run(FAULT, stalls.model_copy(update={"sites": (*stalls.sites, below)})) is None
