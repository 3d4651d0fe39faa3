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
from pathlib import Path
from typing import Any

if __package__ in (None, ""):
    HERE = Path(__file__).resolve().parent
    for _name, _folder in (("lossdoctor", HERE.parent.parent), ("lossdoctor.sandbox", HERE.parent)):
        _package = types.ModuleType(_name)
        _package.__path__ = [str(_folder)]
        sys.modules[_name] = _package

from lossdoctor.sandbox.child import processes, quota, syscalls

TICK = 0.05  # seconds between two looks at the process tree: bounds how far a bomb gets
ABANDONED = "abandoned"


class Experiment:
    """One supervised process tree, from start to nothing left."""

    def __init__(self, order: dict[str, Any]) -> None:
        self.order = order
        self.started = time.monotonic()
        self.why: str | None = None
        self.status: int | None = None
        self.peak = 0
        self.disk = quota.Disk([Path(folder) for folder in order["measured"]], order["disk"])
        self.report, self.main = self._start()

    def _start(self) -> tuple[int, int]:
        """Start the confined command with the report pipe and the decoy service it must not reach."""
        reading, writing = os.pipe()
        self.decoy = socket.create_server(("127.0.0.1", 0))
        tokens = {"@report@": str(writing), "@port@": str(self.decoy.getsockname()[1])}
        command = [tokens.get(part, part) for part in self.order["command"]]
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, env=self.order["env"], cwd=self.order["cwd"],
            pass_fds=(writing,), start_new_session=True,
        )  # fmt: skip
        os.close(writing)
        os.set_blocking(reading, False)
        return reading, process.pid

    def watch(self, wake: int) -> None:
        """Until the main process ends or a limit, the leash or a signal says stop."""
        while self.status is None and self.why is None:
            ready, _, _ = select.select([0, wake], [], [], TICK)
            if wake in ready:
                os.read(wake, 512)
            if 0 in ready:
                self.why = "stop" if os.read(0, 512) else ABANDONED
            self.status = processes.reap().get(self.main, self.status)
            self.why = self.why or self.exceeded()

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
        self.peak = max(self.peak, memory)
        if memory > self.order["memory"]:
            return f"{memory / 2**30:.1f} GiB of memory (limit {self.order['memory'] / 2**30:.1f} GiB)"
        return self.disk.exceeded()

    def finish(self) -> None:
        """End what is left, remove the scratch folders, write the outcome; drop everything if abandoned."""
        left, statuses = processes.end_all(os.getpid())
        status = statuses.get(self.main, self.status)
        for folder in self.order["scratch"]:
            quota.remove(Path(folder))
        if self.why == ABANDONED:
            for folder in self.order["abandon"]:
                quota.remove(Path(folder))
            return
        outcome = {
            "why": self.why, "left": left, "peak_memory": self.peak, "report": self._reported(),
            "returncode": None if status is None else os.waitstatus_to_exitcode(status),
            "seconds": time.monotonic() - self.started,
        }  # fmt: skip
        Path(self.order["outcome"]).write_text(json.dumps(outcome), encoding="utf-8")

    def _reported(self) -> dict[str, Any]:
        """What the self-test said; empty when the confinement did not get that far."""
        raw = b""
        with contextlib.suppress(BlockingIOError):
            while chunk := os.read(self.report, 65536):
                raw += chunk
        try:
            found = json.loads(raw)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}


def main() -> None:
    """Read the order, run it, leave nothing."""
    order = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    wake = _become_the_parent_of_orphans()
    experiment = Experiment(order)
    signal.signal(signal.SIGTERM, lambda *_: setattr(experiment, "why", ABANDONED))
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
    main()
