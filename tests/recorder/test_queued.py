"""Time in which the thread was ready to run and had no processor."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.recorder.harness import Record

from lossdoctor.recorder import queued
from lossdoctor.recorder.queued import SOURCE, Queued

TOLD = Path(SOURCE).exists()
BUSY = "while True: pass"


@pytest.mark.skipif(not TOLD, reason="the system does not tell")
def test_a_thread_that_shares_its_processor_waits_and_one_that_sleeps_does_not() -> None:
    whole = os.sched_getaffinity(0)
    one = {min(whole)}
    os.sched_setaffinity(0, one)
    other = subprocess.Popen([sys.executable, "-c", BUSY])
    try:
        clock = Queued()
        end = time.perf_counter() + 1.0
        while time.perf_counter() < end:
            pass
        waited = clock.since()
        assert waited is not None
        assert waited > 0.1
    finally:
        other.kill()
        other.wait()
        os.sched_setaffinity(0, whole)
    clock.since()
    time.sleep(0.3)
    slept = clock.since()
    assert slept is not None
    assert slept < 0.2


def test_where_the_system_does_not_tell_nothing_is_claimed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(queued, "SOURCE", str(tmp_path / "none"))
    assert Queued().since() is None
    (tmp_path / "odd").write_text("what", encoding="utf-8")
    monkeypatch.setattr(queued, "SOURCE", str(tmp_path / "odd"))
    assert Queued().since() is None


def test_each_step_tells_it(record: Record) -> None:
    steps = (
        "import torch\nw = torch.nn.Parameter(torch.zeros(1))\nopt = torch.optim.SGD([w], lr=0.1)\n"
        + 3 * "(w - 1).square().sum().backward(); opt.step()\n"
    )
    run = record(steps)
    assert all(("queued" in s.time) == TOLD for s in run.trace.steps)
