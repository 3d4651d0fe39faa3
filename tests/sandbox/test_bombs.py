"""Scripts that try to use the whole machine, or to stay after their time."""

from __future__ import annotations

import os
import tempfile
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from tests.sandbox.conftest import Write
from tests.sandbox.watching import with_token

from lossdoctor.sandbox import Experiment, Limits, Recording, run_experiment

pytestmark = [pytest.mark.anyio, pytest.mark.alone, pytest.mark.usefixtures("stub_recorder")]
SMALL = Limits(memory=256 << 20, disk=128 << 20, processes=60, startup_s=0.0, grace_s=0.5)

FORK_BOMB = """
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
"""
MEMORY_BOMB = """
keep = []
while True:
    keep.append(bytearray(b"x") * (16 << 20))
"""
MEMORY_SWARM = """
import os, time
for _ in range(8):
    if os.fork() == 0:
        break
keep = bytearray(b"x") * (60 << 20)
time.sleep(60)
"""
DISK_FILLER = """
import itertools
for i in itertools.count():
    with open(f"f{i}", "wb") as file:
        file.write(b"x" * (8 << 20))
"""
ONE_HUGE_FILE = """
with open("f", "wb") as file:
    while True:
        file.write(b"x" * (8 << 20))
"""
SWARM = """
import os, signal, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
    signal.signal(number, signal.SIG_IGN)
for _ in range(5):
    os.fork()
    os.setsid() if os.getpid() != os.getsid(0) and os.getpgid(0) != os.getpid() else None
time.sleep(60)
"""
ORPHAN = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 64)
        time.sleep(60)
    os._exit(0)
os.wait()
"""
BURROW = """
import os
for _ in range(300):
    os.mkdir("d" * 200)
    os.chdir("d" * 200)
os.chmod(".", 0)
"""


@pytest.fixture
def token() -> str:
    return uuid.uuid4().hex


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A temporary folder of our own, which must be empty again in the end."""
    folder = tmp_path / "t"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


async def run(script: Path, token: str, limits: Limits = SMALL, seconds: float = 20.0) -> Recording:
    experiment = Experiment(script, env={"TOKEN": token}, max_seconds=seconds)
    recording = await run_experiment(experiment, limits=limits, out=script.parent.parent / "trace")
    assert with_token(token) == []
    return recording


async def test_a_fork_bomb_is_ended(rung: str, script: Write, token: str) -> None:
    recording = await run(script(FORK_BOMB), token, replace(SMALL, memory=4 << 30), seconds=4.0)
    assert recording.stop in ("killed", "max_seconds")
    assert recording.seconds < 20


async def test_a_memory_bomb_ends_at_the_limit(rung: str, script: Write, token: str) -> None:
    recording = await run(script(MEMORY_BOMB), token)
    assert recording.stop == "killed"
    assert "GiB of memory (limit 0.2 GiB)" in recording.notes[0]


async def test_memory_is_summed_over_all_processes(rung: str, script: Write, token: str) -> None:
    recording = await run(script(MEMORY_SWARM), token)
    assert recording.stop == "killed"
    assert "of memory" in recording.notes[0]


async def test_a_disk_filler_ends_at_the_quota(rung: str, script: Write, token: str) -> None:
    recording = await run(script(DISK_FILLER), token)
    assert recording.stop == "killed"
    assert "GiB written to disk" in recording.notes[0]


async def test_one_file_cannot_be_larger_than_the_quota(rung: str, script: Write, token: str) -> None:
    recording = await run(script(ONE_HUGE_FILE), token)
    assert recording.stop == "killed" or "File too large" in recording.stderr_tail


async def test_a_swarm_that_ignores_signals_is_gone(rung: str, script: Write, token: str) -> None:
    recording = await run(script(SWARM), token, seconds=0.6)
    assert recording.stop == "max_seconds"


async def test_a_double_forked_orphan_is_gone(rung: str, script: Write, token: str) -> None:
    recording = await run(script(ORPHAN), token)
    assert recording.returncode == 0


async def test_a_burrow_of_folders_is_removed(rung: str, script: Write, token: str) -> None:
    recording = await run(script(BURROW), token)
    assert recording.returncode == 0


async def test_shared_memory_of_a_run_is_gone(rung: str, script: Write, token: str) -> None:
    source = f"open('/dev/shm/torch_{token}', 'w').write('x'); open('/dev/shm/{token}', 'w').write('x')"
    recording = await run(script(source), token)
    assert recording.returncode == 0
    assert list(Path("/dev/shm").glob(f"*{token}*")) == []


@pytest.mark.slow
async def test_two_hundred_hostile_runs_leave_nothing(rung: str, script: Write, token: str) -> None:
    sources = [ORPHAN, SWARM, BURROW, "import os; os.abort()", "import shutil; shutil.rmtree('.')"]
    mounts = Path("/proc/self/mounts").read_text()
    async with anyio.create_task_group() as group:
        slots = anyio.CapacityLimiter(os.cpu_count() or 2)

        async def one(index: int) -> None:
            async with slots:
                await run_one(script(sources[index % len(sources)]), index)

        async def run_one(path: Path, index: int) -> None:
            own = path.with_name(f"train{index}.py")
            path.rename(own)
            experiment = Experiment(own, env={"TOKEN": token}, max_seconds=0.3)
            await run_experiment(experiment, limits=SMALL, out=path.parent.parent / f"trace{index}")

        for index in range(200):
            group.start_soon(one, index)
    assert with_token(token) == []
    assert Path("/proc/self/mounts").read_text() == mounts
