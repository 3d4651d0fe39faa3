"""Processes of one experiment may talk to each other through Unix sockets, and to nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.sandbox.conftest import Write

from lossdoctor.sandbox import Experiment, Limits, run_experiment

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("stub_recorder")]

TALK = """
import os, sys
from multiprocessing.connection import Client, Listener
address = {address}
with Listener(address, "AF_UNIX") as listener:
    if os.fork() == 0:
        {before}
        Client({client}, "AF_UNIX").send("hello")
        os._exit(0)
    print(listener.accept().recv())
"""


async def run(script: Path) -> str:
    recording = await run_experiment(Experiment(script, max_seconds=8.0), out=script.parent.parent / "trace")
    return recording.stdout_tail or recording.stderr_tail


@pytest.mark.parametrize(
    ("address", "client", "before"),
    [
        ("os.environ['TMPDIR'] + '/s'", "address", "pass"),
        ("'s'", "address", "pass"),
        ("os.environ['TMPDIR'] + '/s'", "'s'", "os.chdir(os.environ['TMPDIR'])"),
        ("'\\0mine-%d' % os.getpid()", "address", "pass"),
    ],
    ids=["absolute", "relative", "relative to another folder", "abstract"],
)
async def test_own_processes_can_talk(
    rung: str, script: Write, address: str, client: str, before: str
) -> None:
    assert await run(script(TALK.format(address=address, client=client, before=before))) == "hello\n"


async def test_a_connection_from_a_thread_is_served(rung: str, script: Write) -> None:
    source = """
    import socket, threading
    service = socket.socket(socket.AF_UNIX)
    service.bind("s")
    service.listen()
    thread = threading.Thread(target=lambda: socket.socket(socket.AF_UNIX).connect("s"))
    thread.start()
    service.accept()
    thread.join()
    print("served")
    """
    assert await run(script(source)) == "served\n"


async def test_a_missing_socket_is_the_usual_error(rung: str, script: Write) -> None:
    text = await run(script("import socket; socket.socket(socket.AF_UNIX).connect('nothing')"))
    assert text.rstrip().endswith("FileNotFoundError: [Errno 2] No such file or directory")


async def test_full_queues_do_not_stop_the_watch(rung: str, script: Write) -> None:
    source = """
    import socket, threading
    service = socket.socket(socket.AF_UNIX)
    service.bind("s")
    service.listen(0)
    for _ in range(40):
        threading.Thread(target=lambda: socket.socket(socket.AF_UNIX).connect("s"), daemon=True).start()
    while True:
        pass
    """
    path = script(source)
    recording = await run_experiment(
        Experiment(path, max_seconds=1.0),
        limits=Limits(startup_s=0.0, grace_s=0.2),
        out=path.parent.parent / "trace",
    )
    assert recording.stop == "max_seconds"
    assert recording.seconds < 15  # the supervisor would wait forever


async def test_a_forkserver_works(rung: str, script: Write) -> None:
    source = """
    import multiprocessing
    if __name__ == "__main__":
        context = multiprocessing.get_context("forkserver")
        with context.Pool(1) as pool:
            print(pool.map(abs, [-1, -2]))
    """
    assert await run(script(source)) == "[1, 2]\n"
