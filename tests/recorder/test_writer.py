"""A kill at any moment leaves a readable trace."""

from __future__ import annotations

import os
import random
import signal
import subprocess
from pathlib import Path

import pytest
from tests.recorder.harness import ENVIRONMENT, LAUNCH, Record, prepare

from lossdoctor.traces.reader import read_trace

LOOP = """
import torch
net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(10**9):
    opt.zero_grad()
    net(torch.randn(4, 4)).mean().backward()
    opt.step()
"""


def test_a_killed_run_is_readable_up_to_its_last_whole_record(user_python: str, tmp_path: Path) -> None:
    path = prepare(tmp_path, LOOP, max_steps=None)
    records = tmp_path / "trace" / "records.jsonl"
    wanted = random.Random(0).randrange(20_000, 60_000)
    with subprocess.Popen(
        [user_python, "-u", str(LAUNCH), str(path)],
        cwd=tmp_path / "project",
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
    ) as process:
        while process.poll() is None and not (records.is_file() and records.stat().st_size > wanted):
            os.sched_yield()
        process.send_signal(signal.SIGKILL)
    trace = read_trace(tmp_path / "trace")
    assert trace.end is None
    assert [step.i for step in trace.steps] == list(range(1, len(trace.steps) + 1))
    assert len(trace.steps) > 5


def test_a_run_cut_at_random_bytes_still_reads(record: Record) -> None:
    run = record(LOOP)
    records = run.folder / "trace" / "records.jsonl"
    whole = records.read_bytes()
    first = whole.index(b"\n") + 1
    draw = random.Random(1)
    for _ in range(40):
        records.write_bytes(whole[: draw.randrange(first, len(whole))])
        assert len(read_trace(run.folder / "trace").steps) <= 8


@pytest.mark.parametrize("highest", [64, 4096])
def test_a_script_that_closes_all_files_neither_loses_nor_gets_records(record: Record, highest: int) -> None:
    closing = f"import os; os.closerange(3, {highest}); notes = open('notes.txt', 'w')"
    run = record(LOOP.replace("for i", f"{closing}\nfor i"))
    assert run.stop == "max_steps", run.stderr
    assert len(run.trace.steps) == 8
    assert (run.folder / "project" / "notes.txt").read_text() == ""
