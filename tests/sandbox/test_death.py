"""Whatever ends the server, nothing of an experiment stays: the rows of a table of deaths."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from tests.sandbox.conftest import LAUNCH
from tests.sandbox.watching import wait_until, with_token

from lossdoctor.sandbox import isolation
from lossdoctor.sandbox.child import processes

# a server with one silent experiment: it neither prints nor reads, so a broken pipe never reaches it
SERVER = """
import anyio, os, signal, sys
from pathlib import Path
from lossdoctor.sandbox import Experiment, Interpreter, kill_all_experiments, layout, run_experiment, runner

layout.RECORDER = Path(sys.argv[1])
runner.find_interpreter = lambda script, cwd, python: Interpreter(sys.executable, "3", "0", "own")
if sys.argv[3] == "receiver":
    signal.signal(signal.SIGTERM, lambda *_: (kill_all_experiments(), os._exit(143)))

async def main():
    await run_experiment(Experiment(Path(sys.argv[2]), env={"TOKEN": sys.argv[4]}))

anyio.run(main)
"""
SILENT = """
import os, signal, subprocess, sys, time
for name in ("SIGTERM", "SIGINT", "SIGHUP"):
    signal.signal(getattr(signal, name), signal.SIG_IGN)
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"], start_new_session=True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(100)
    os._exit(0)
time.sleep(100)
"""


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    folder = tmp_path / "t"
    folder.mkdir()
    return folder


@pytest.fixture
def token() -> Iterator[str]:
    token = f"token-{uuid.uuid4().hex}"
    yield token
    for pid in with_token(token):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def start(
    tmp_path: Path, temporary: Path, rung: str, token: str, mode: str = "plain"
) -> subprocess.Popen[bytes]:
    """The server, with the three processes of its experiment running."""
    for name, text in (("recorder/launch.py", LAUNCH), ("project/train.py", SILENT), ("server.py", SERVER)):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(dedent(text))
    command = [sys.executable, str(tmp_path / "server.py"), str(tmp_path / "recorder")]
    server = subprocess.Popen(
        [*command, str(tmp_path / "project/train.py"), mode, token],
        stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, isolation.FORCE: rung, "TMPDIR": str(temporary)},
    )  # fmt: skip
    launchers = (
        0 if rung == "landlock" else 2
    )  # what starts the script in its namespaces carries the token too
    started = wait_until(lambda: len(with_token(token)) >= launchers + 3)
    if not started:
        server.kill()
        server.wait()
    assert started
    return server


@pytest.mark.parametrize(
    ("death", "mode"),
    [
        (signal.SIGKILL, "plain"),
        (signal.SIGTERM, "plain"),
        (signal.SIGTERM, "receiver"),
        (signal.SIGINT, "plain"),
    ],
)
def test_the_death_of_the_server_leaves_no_process_and_no_file(
    tmp_path: Path, temporary: Path, rung: str, token: str, death: signal.Signals, mode: str
) -> None:
    server = start(tmp_path, temporary, rung, token, mode)
    server.send_signal(death)
    server.wait(10)
    assert wait_until(lambda: not with_token(token), 5.0)
    assert wait_until(lambda: not list(temporary.iterdir()), 5.0), list(temporary.iterdir())


def test_after_kill_all_nothing_is_left_when_the_server_exits(
    tmp_path: Path, temporary: Path, rung: str, token: str
) -> None:
    server = start(tmp_path, temporary, rung, token, "receiver")
    server.terminate()
    assert server.wait(10) == 143
    assert with_token(token) == []


def test_the_death_of_the_supervisor_ends_the_script(
    tmp_path: Path, temporary: Path, rung: str, token: str
) -> None:
    server = start(tmp_path, temporary, rung, token)
    supervisor = next(pid for pid, parent in processes.parents().items() if parent == server.pid)
    os.kill(supervisor, signal.SIGKILL)
    server.wait(10)
    assert wait_until(lambda: not with_token(token), 5.0)
