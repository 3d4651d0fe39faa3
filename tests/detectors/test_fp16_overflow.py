from __future__ import annotations

import math
from typing import Any

from tests.detectors.build import expect, falling, forward_row, make_trace, run, step, steps_of

from lossdoctor.detectors.base import Missing
from lossdoctor.model import Finding

FAULT = "fp16_overflow"
HALF = forward_row(autocast="float16")


def skips(count: int) -> list[dict[str, Any]]:
    return [{"k": "skip", "i": k, "scale": 65536.0 / 2**k, "loss": []} for k in range(count)]


def test_steps_that_are_skipped_all_the_time_are_found() -> None:
    finding = expect(FAULT, make_trace(steps=steps_of(falling(30)), rows=[HALF, *skips(200)]))
    assert finding.evidence[0].value == 200


def test_a_run_without_a_single_step_points_at_the_loss() -> None:
    passes = [step(i, None, optimizer=-1, moved=False) for i in range(1, 31)]
    assert expect(FAULT, make_trace(steps=passes, rows=[HALF, *skips(30)])).where.line == 20


def test_calibration_at_the_start_is_normal() -> None:
    assert run(FAULT, make_trace(steps=steps_of(falling(30)), rows=[HALF, *skips(8)])) is None


def test_a_skip_now_and_then_is_how_the_scale_is_found() -> None:
    assert run(FAULT, make_trace(steps=steps_of(falling(300)), rows=[HALF, *skips(20)])) is None


def test_an_fp32_run_is_not_checked() -> None:
    assert run(FAULT, make_trace()) == Missing("a half-precision run")


def test_infinite_gradients_that_the_script_itself_passes_over_are_found() -> None:
    passes = [step(i, 9e5, optimizer=-1, moved=False, grad_norm=math.inf) for i in range(1, 31)]
    finding = expect(FAULT, make_trace(steps=passes, rows=[HALF]))
    assert (finding.evidence[0].value, finding.where.line) == (30, 21)
    assert not isinstance(run("missing_optimizer_step", make_trace(steps=passes, rows=[HALF])), Finding)
    assert run(FAULT, make_trace(steps=passes, rows=[forward_row(autocast="bfloat16")])) is None
    some = [s.model_copy(update={"grad_norm": 1.0}) if s.i % 3 else s for s in passes]
    assert run(FAULT, make_trace(steps=some, rows=[HALF])) is None
