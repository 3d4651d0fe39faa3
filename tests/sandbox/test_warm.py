"""A fork of a warm interpreter must be the same run as a cold start, only sooner."""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.sandbox.conftest import Write
from tests.sandbox.watching import wait_until, with_token

from lossdoctor.sandbox import Experiment, Limits, Recording, run_experiment, warm

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

TRAINING = """
import random, torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

def main():
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 3))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    data = DataLoader(TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,))), batch_size=8, shuffle=True)
    for x, y in data:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        print(f"loss {loss.item():.6f} {random.random():.6f}")

if __name__ == "__main__":
    main()
"""
OF_THE_PROCESS = {"t", "dt", "wait", "hook", "pid", "mem"}  # times, identity and resident memory


@pytest.fixture(autouse=True)
def switched_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Warm starts, with a temporary folder of our own that must be empty in the end."""
    temporary = tmp_path / "t"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setenv(warm.SWITCH, "1")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    yield
    warm.end()
    assert list(temporary.iterdir()) == []


@pytest.fixture
def forked(rung: str) -> str:
    if rung not in warm.FORKED:
        pytest.skip("bubblewrap only starts programs")
    return rung


async def run(script: Path, python: str, **options: Any) -> Recording:
    out = script.parent.parent / f"trace-{uuid.uuid4().hex}"
    limits = options.pop("limits", None)
    return await run_experiment(Experiment(script, python=python, **options), out=out, limits=limits)


async def warmed_up() -> None:
    """Until the zygote listens."""
    assert await anyio.to_thread.run_sync(wait_until, warm._warm[0].socket.exists, 120.0)


def rows(recording: Recording) -> list[dict[str, Any]]:
    """What was recorded, without times and memory."""
    lines = (recording.folder / "records.jsonl").read_text().splitlines()
    return [{k: v for k, v in json.loads(line).items() if k not in OF_THE_PROCESS} for line in lines]


async def test_a_warm_run_records_exactly_what_a_cold_run_records(
    forked: str, script: Write, user_python: str
) -> None:
    path = script(TRAINING)
    cold = await run(path, user_python, seed=3)
    await warmed_up()
    first, second = await run(path, user_python, seed=3), await run(path, user_python, seed=3)
    assert first.stdout_tail == second.stdout_tail == cold.stdout_tail
    assert "loss" in cold.stdout_tail
    steps = [row for row in rows(cold) if row["k"] == "step"]
    assert len(steps) == 8
    assert [row for row in rows(first) if row["k"] == "step"] == steps
    assert [row["k"] for row in rows(first)] == [row["k"] for row in rows(cold)]
    assert first.isolation == cold.isolation
    assert (await run(path, user_python, seed=4)).stdout_tail != first.stdout_tail


async def test_a_crash_in_a_fork_looks_like_a_crash(forked: str, script: Write, user_python: str) -> None:
    path = script("import torch\nraise ValueError('boom')")
    cold = await run(path, user_python)
    await warmed_up()
    fork = await run(path, user_python)
    assert (fork.returncode, fork.stderr_tail[-60:]) == (cold.returncode, cold.stderr_tail[-60:])
    assert fork.stderr_tail.endswith("ValueError: boom\n")


async def test_compilation_in_a_fork_uses_the_runs_own_folders(
    forked: str, script: Write, user_python: str
) -> None:
    path = script(
        """
        import os, torch
        f = torch.compile(lambda x: (x * 2).relu().sum())
        print(float(f(torch.ones(8))), os.path.isdir(os.environ["TORCHINDUCTOR_CACHE_DIR"]))
        """
    )
    await run(script_of_nothing(path), user_python)
    await warmed_up()
    assert (await run(path, user_python, max_seconds=240.0)).stdout_tail == "16.0 True\n"


def script_of_nothing(path: Path) -> Path:
    """An empty script beside another one."""
    empty = path.with_name("empty.py")
    empty.touch()
    return empty


async def test_a_hanging_fork_is_ended(forked: str, script: Write, user_python: str) -> None:
    await run(script("import torch"), user_python)
    await warmed_up()
    limits = Limits(startup_s=0.0, grace_s=0.2)
    recording = await run(script("while True: pass"), user_python, max_seconds=0.5, limits=limits)
    assert recording.stop == "max_seconds"


async def test_without_a_living_parent_the_start_is_cold(
    forked: str, script: Write, user_python: str
) -> None:
    await run(script("print('hello')"), user_python)
    await warmed_up()
    os.kill(warm._warm[0].process.pid, signal.SIGKILL)
    assert (await run(script("print('hello')"), user_python)).stdout_tail == "hello\n"


async def test_the_warm_interpreter_ends_with_the_server(tmp_path: Path, user_python: str) -> None:
    token, temporary = uuid.uuid4().hex, tmp_path / "server"
    temporary.mkdir()
    code = (
        "import sys, time; from lossdoctor.sandbox import warm;"
        "warm.keep(sys.argv[1], (), {'TOKEN': sys.argv[2]}); print(flush=True); time.sleep(100)"
    )
    command = [sys.executable, "-c", code, user_python, token]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": str(temporary)}
    ) as server:
        assert server.stdout is not None
        server.stdout.readline()
        assert with_token(token) != []
        server.kill()
    assert wait_until(lambda: with_token(token) == [], 60.0)
    assert list(temporary.iterdir()) == []


async def test_an_interpreter_inside_the_project_is_never_forked(project: Path) -> None:
    inside = project / ".venv/bin/python"
    assert not warm.usable("landlock", str(inside), project, project / "train.py")
    assert warm.usable("landlock", "/usr/bin/python3", project, project / "train.py")
    assert not warm.usable("bubblewrap", "/usr/bin/python3", project, project / "train.py")
    assert not warm.usable("landlock", "/usr/bin/python3", project, project / "run.sh")


async def test_it_is_off_unless_switched_on(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(warm.SWITCH)
    assert not warm.usable("landlock", "/usr/bin/python3", project, project / "train.py")


@pytest.mark.benchmark
async def test_a_warm_start_reaches_its_third_step_within_150_ms(
    forked: str, script: Write, user_python: str
) -> None:
    path = script(TRAINING)
    await run(path, user_python, max_steps=3)
    await warmed_up()
    third, ended = [], []
    for _ in range(9):
        asked = time.time()
        recording = await run(path, user_python, max_steps=3)
        ended.append(time.time() - asked)
        third.append(max(f.stat().st_mtime for f in recording.folder.glob("*.jsonl")) - asked)
    step, whole = (1e3 * statistics.median(times) for times in (third, ended))
    print(f"{forked}: third step after {step:.0f} ms, all ended and cleaned up after {whole:.0f} ms")
    assert step <= 150
