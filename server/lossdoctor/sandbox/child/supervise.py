"""Stands between the server and an experiment: starts it, watches its limits, and ends all of it.

``python -I -S supervise.py ORDER.json``. Stdin is the leash: anything on it ends the experiment, and
its end of file (the server is gone, however it died) ends it and removes its folders. What happened is
written to the order's ``outcome`` file.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

if __package__ in (None, ""):
    HERE = Path(__file__).resolve().parent
    for _name, _folder in (("lossdoctor", HERE.parent.parent), ("lossdoctor.sandbox", HERE.parent)):
        _package = types.ModuleType(_name)
        _package.__path__ = [str(_folder)]
        sys.modules[_name] = _package

from lossdoctor.sandbox.child import processes, quota, shm, syscalls
from lossdoctor.sandbox.child.broker import Broker

TICK = 0.05  # seconds between two looks at the process tree: bounds how far a bomb gets
SHARE = 0.05  # of one processor for looking: a busy machine has thousands of processes
ABANDONED = "abandoned"


class Channel:
    """What the confined process tells us before it becomes the script: its report, and its listener."""

    def __init__(self, allowed: list[str]) -> None:
        self.ours, self.theirs = socket.socketpair()
        self.allowed = allowed
        self.broker: Broker | None = None
        self.raw = b""

    def take(self) -> bool:
        """Read what has come; False when the other side is closed."""
        data, handles, _, _ = socket.recv_fds(self.ours, 1 << 16, 1)
        if handles:
            self.broker = Broker(handles[0], self.allowed)
        self.raw += data
        return bool(data)

    def report(self) -> dict[str, Any]:
        """What the self-test said; empty when the confinement did not get that far."""
        self.ours.setblocking(False)
        with contextlib.suppress(OSError):
            while self.take():
                pass
        try:
            found = json.loads(self.raw)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}


class Experiment:
    """One supervised process tree, from start to nothing left."""

    def __init__(self, order: dict[str, Any]) -> None:
        self.order = order
        self.started = time.monotonic()
        self.why: str | None = None
        self.status: int | None = None
        self.disk = quota.Disk([Path(folder) for folder in order["measured"]], order["disk"])
        self.shared = shm.names() if order["shares_memory"] else None
        self.channel = Channel(order["scratch"] + order["measured"])

    def start(self, spawn: Spawn) -> None:
        """Start the confined command, with the decoy services that it must not reach."""
        self.decoys = [socket.create_server(("127.0.0.1", 0)), _file_service(Path(self.order["decoy"]))]
        self.main = spawn(self.order, self.channel.theirs, self.decoys[0].getsockname()[1])
        self.channel.theirs.close()

    def watch(self, wake: int) -> None:
        """Until the main process ends or a limit, the leash or a signal says stop."""
        waiting: dict[int, Callable[[], bool]] = {0: self._leash, wake: lambda: bool(os.read(wake, 512))}
        waiting[self.channel.ours.fileno()] = self.channel.take
        look_again = 0.0
        while self.status is None and self.why is None:
            for ready in select.select(list(waiting), [], [], TICK)[0]:
                if not waiting[ready]():
                    del waiting[ready]
            if self.channel.broker is not None:
                waiting.setdefault(self.channel.broker.listener, self.channel.broker.serve)
            self.status = processes.reap().get(self.main, self.status)
            if time.monotonic() >= look_again:
                began = time.monotonic()
                self.why = self.why or self.exceeded()
                look_again = time.monotonic() + max(TICK, (time.monotonic() - began) / SHARE)

    def _leash(self) -> bool:
        self.why = "stop" if os.read(0, 512) else ABANDONED
        return False

    def exceeded(self) -> str | None:
        """The limit that the tree has passed, in words, or None."""
        if time.monotonic() - self.started > self.order["wall"]:
            return "wall clock"
        tree = processes.descendants(os.getpid())
        if len(tree) > self.order["processes"]:
            return f"{len(tree)} processes at once (limit {self.order['processes']})"
        memory = processes.resident(tree)
        if memory > self.order["memory"]:
            memory = processes.proportional(tree)
        if memory > self.order["memory"]:
            return f"{memory / 2**30:.1f} GiB of memory (limit {self.order['memory'] / 2**30:.1f} GiB)"
        return self.disk.exceeded()

    def finish(self) -> None:
        """End what is left, remove the scratch folders, write the outcome; drop everything if abandoned."""
        left, statuses = processes.end_all(os.getpid())
        status = statuses.get(self.main, self.status)
        for folder in self.order["scratch"]:
            quota.remove(Path(folder))
        if self.shared is not None:
            shm.remove_new(self.shared)
        if self.why == ABANDONED:
            for folder in self.order["abandon"]:
                quota.remove(Path(folder))
            return
        outcome = {
            "why": self.why, "left": left, "report": self.channel.report(),
            "returncode": None if status is None else os.waitstatus_to_exitcode(status),
            "seconds": time.monotonic() - self.started,
        }  # fmt: skip
        Path(self.order["outcome"]).write_text(json.dumps(outcome), encoding="utf-8")


Spawn = Callable[[dict[str, Any], socket.socket, int], int]


def spawn_command(order: dict[str, Any], channel: socket.socket, port: int) -> int:
    """Start the order's command; (order, channel for the report, decoy port) -> process id."""
    tokens = {"@report@": str(channel.fileno()), "@port@": str(port)}
    process = subprocess.Popen(
        [tokens.get(part, part) for part in order["command"]],
        stdin=subprocess.DEVNULL, env=order["env"], cwd=order["cwd"],
        pass_fds=(channel.fileno(),), start_new_session=True,
    )  # fmt: skip
    return process.pid


def _file_service(path: Path) -> socket.socket:
    """A listening socket in the file system, bound from its folder because addresses are short."""
    os.chdir(path.parent)
    service = socket.socket(socket.AF_UNIX)
    service.bind(path.name)
    service.listen()
    os.chdir("/")
    return service


def supervise(order_path: str, spawn: Spawn) -> None:
    """Read the order, run it, leave nothing."""
    experiment = Experiment(json.loads(Path(order_path).read_text(encoding="utf-8")))
    signal.signal(signal.SIGTERM, lambda *_: setattr(experiment, "why", ABANDONED))
    wake = _become_the_parent_of_orphans()
    experiment.start(spawn)
    with contextlib.suppress(OSError):  # only root may: stay able to act while a fork bomb runs
        os.setpriority(os.PRIO_PROCESS, 0, -10)
    _let_go_of_output()
    try:
        experiment.watch(wake)
    finally:
        experiment.finish()


def _become_the_parent_of_orphans() -> int:
    """Double-forked processes come back to us; we hear of every ended child at once."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    if syscalls.supported():
        syscalls.control(syscalls.PR_SET_CHILD_SUBREAPER, 1)
        syscalls.control(syscalls.PR_SET_PDEATHSIG, signal.SIGTERM)
    return reading


def _let_go_of_output() -> None:
    """The experiment alone holds stdout and stderr, so that the server sees their end."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)


if __name__ == "__main__":
    supervise(sys.argv[1], spawn_command)
