"""However the server ends in the middle of a probe, nothing of the probe may go on."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.mcp.raw import RawClient, raw_client
from tests.processes import Process, alive, descendants, wait_for

# Trains a little, so that progress is seen, then falls silent with a child of its own that ignores signals.
SILENT = """
import signal, subprocess, sys, time
import torch

model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(5):
    loss = model(torch.randn(8, 4)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    time.sleep(0.3)
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
time.sleep(600)
"""

End = Callable[[RawClient], object]
ENDS: dict[str, End] = {
    "SIGTERM": lambda client: client.process.send_signal(signal.SIGTERM),
    "SIGINT": lambda client: client.process.send_signal(signal.SIGINT),
    "SIGHUP": lambda client: client.process.send_signal(signal.SIGHUP),
    "SIGKILL": lambda client: client.process.kill(),
    "closed stdin": lambda client: client.process.stdin and client.process.stdin.close(),
}


@pytest.fixture
def silent_script(tmp_path: Path) -> Path:
    script = tmp_path / "project" / "train_silent.py"
    script.parent.mkdir()
    script.write_text(SILENT)
    return script


@pytest.mark.parametrize("end", ENDS)
def test_no_end_of_the_server_leaves_a_probe_behind(
    end: str, server_python: str, user_python: str, silent_script: Path
) -> None:
    with raw_client(server_python, silent_script.parent) as client:
        running = started_probe(client, silent_script, user_python)
        ENDS[end](client)
        assert wait_for(lambda: client.process.poll() is not None, 5), "the server goes on"
        assert wait_for(lambda: not alive(running), 5), f"still running: {alive(running)}"


def test_a_cancelled_call_ends_its_probe_and_the_server_serves_on(
    server_python: str, user_python: str, silent_script: Path
) -> None:
    with raw_client(server_python, silent_script.parent) as client:
        running = started_probe(client, silent_script, user_python)
        client.send("notifications/cancelled", {"requestId": 2, "reason": "the person changed their mind"})
        assert wait_for(lambda: not alive(running), 5), f"still running: {alive(running)}"
        client.call("search_sheets", {"query": "clipping"}, number=3)
        assert client.receive()["id"] == 3


def test_a_client_that_dies_takes_the_server_and_its_probe_along(
    server_python: str, user_python: str, silent_script: Path, root: Path
) -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path\n"
        "from tests.mcp.raw import RawClient\n"
        "from tests.mcp.test_process_death import started_probe\n"
        "client = RawClient(sys.argv[2], Path(sys.argv[4]).parent)\n"
        "client.open()\n"
        "started_probe(client, Path(sys.argv[4]), sys.argv[3])\n"
        "print('running', flush=True)\n"
        "client.receive()\n"
    )
    command = [sys.executable, "-c", program, str(root), server_python, user_python, str(silent_script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True) as client:
        assert client.stdout is not None
        assert client.stdout.readline() == "running\n"
        running = descendants(client.pid)
        client.kill()
    assert wait_for(lambda: not alive(running), 8), f"still running: {alive(running)}"


def started_probe(client: RawClient, script: Path, python: str) -> set[Process]:
    """Start a probe of ``script``, wait until it trains; every process below the server."""
    client.call("run_grad_probe", {"script": str(script), "python": python, "max_seconds": 60})
    client.until_progress("step")
    running = descendants(client.process.pid)
    assert running, "the probe runs in a process of its own"
    return running
