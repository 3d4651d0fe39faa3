"""The tree of processes below one: who they are, what memory they hold, and how to end them all."""

# ruff: noqa: PTH208, PTH123
# Bare system calls: pathlib would add cost and lazy iterators here.
from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def parents() -> dict[int, int]:
    """Every process of the machine with its parent."""
    if not sys.platform.startswith("linux"):
        return _parents_by_ps()
    found: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                line = file.read()
        except OSError:
            continue
        found[int(name)] = int(line[line.rindex(b")") + 2 :].split()[1])
    return found


def _parents_by_ps() -> dict[int, int]:
    out = subprocess.run(
        ["/bin/ps", "-axo", "pid=,ppid="], capture_output=True, text=True, check=False
    ).stdout
    rows = (line.split() for line in out.splitlines())
    return {int(pid): int(parent) for pid, parent in rows}


def descendants(root: int) -> list[int]:
    """All processes below ``root``, without itself."""
    children: dict[int, list[int]] = {}
    for pid, parent in parents().items():
        children.setdefault(parent, []).append(pid)
    found: list[int] = []
    waiting = list(children.get(root, ()))
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        waiting += children.get(pid, ())
    return found


def resident(pids: list[int]) -> int:
    """Sum of resident memory in bytes; pages that several processes share count once for each."""
    return sum(_resident(pid) for pid in pids)


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE
    except (OSError, IndexError):
        return 0


def proportional(pids: list[int]) -> int:
    """Sum of proportional memory in bytes: shared pages are divided. Slower, so asked only in doubt."""
    return sum(_proportional(pid) for pid in pids)


def _proportional(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as lines:
            sizes = [int(line.split()[1]) for line in lines if line.startswith("Pss:")]
        return sum(sizes) * 1024
    except (OSError, ValueError):
        return _resident(pid)


def reap() -> dict[int, int]:
    """Exit statuses (as from waitpid) of every child that has ended."""
    ended: dict[int, int] = {}
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if pid == 0:
            return ended
        ended[pid] = status


def end_all(root: int, seconds: float = 10.0) -> tuple[int, dict[int, int]]:
    """Stop every descendant first, so that none can fork on, then kill; returns what is left, statuses."""
    deadline = time.monotonic() + seconds
    statuses: dict[int, int] = {}
    alive = descendants(root)
    for _ in range(3):
        _signal(alive, signal.SIGSTOP)
        alive = descendants(root)
    while alive and time.monotonic() < deadline:
        _signal(alive, signal.SIGKILL)
        statuses |= reap()
        alive = descendants(root)
        if alive:
            time.sleep(0.005)
    return len(alive), statuses | reap()


def end_marked(mark: bytes) -> None:
    """Kill every process whose environment holds ``mark``: what remains when a supervisor was killed."""
    for name in os.listdir("/proc") if sys.platform.startswith("linux") else []:
        with contextlib.suppress(OSError, ValueError):
            if mark in Path(f"/proc/{int(name)}/environ").read_bytes():
                os.kill(int(name), signal.SIGKILL)


def _signal(pids: list[int], which: int) -> None:
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, which)
