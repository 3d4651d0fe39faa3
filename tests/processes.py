"""Which processes there are below another one, read from /proc."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

_NEVER = threading.Event()


class Process(NamedTuple):
    """A process for as long as it lives: a number is used again, with another start time."""

    pid: int
    started: str


def descendants(pid: int) -> set[Process]:
    """Every process below ``pid``, however deep, at this moment."""
    table = _table()
    below: set[int] = set()
    grown = {pid}
    while grown:
        below |= grown
        grown = {child for child, (parent, _) in table.items() if parent in grown} - below
    return {Process(child, table[child][1]) for child in below - {pid} if child in table}


def alive(processes: set[Process]) -> set[Process]:
    """Those that still run; zombies are dead."""
    table = _table()
    return {process for process in processes if table.get(process.pid, (0, ""))[1] == process.started}


def wait_for(condition: Callable[[], object], seconds: float) -> bool:
    """Whether ``condition`` became true within ``seconds``."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        _NEVER.wait(0.02)
    return bool(condition())


def _table() -> dict[int, tuple[int, str]]:
    """pid -> (parent, start time), without zombies."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:  # it ended meanwhile
            continue
        # The command name may hold spaces and brackets; the fields begin after the last one. proc(5)
        fields = text.rpartition(")")[2].split()
        if fields[0] not in "ZX":
            found[int(stat.parent.name)] = (int(fields[1]), fields[19])
    return found
