"""Append-only records: every line is written by one ``write(2)``, so a kill leaves at most one torn line."""

from __future__ import annotations

import fcntl
import json
import os
from typing import Any

Row = dict[str, Any]
MAX_BYTES = 64 << 20
HIGH = 700
FLAGS = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC


class Writer:
    """Writes rows to ``<folder>/records.jsonl`` until the size limit; then only rows marked essential."""

    ESSENTIAL = frozenset({"start", "end", "error", "params", "optimizer", "nonfinite", "site"})

    def __init__(self, folder: str, name: str = "records.jsonl", max_bytes: int = MAX_BYTES) -> None:
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, name)
        self._path = os.path.abspath(path)
        self._fd = _high(os.open(self._path, FLAGS, 0o600))
        self._left = max_bytes
        self.dropped = 0

    def rename(self, name: str) -> bool:
        """Give the file its final name unless that is taken; returns whether it has it now."""
        wanted = os.path.join(os.path.dirname(self._path), name)
        try:
            os.link(self._path, wanted)
        except OSError:
            return False
        os.unlink(self._path)
        self._path = wanted
        return True

    def write(self, row: Row) -> None:
        line = (json.dumps(row, default=str, separators=(",", ":")) + "\n").encode(
            "utf-8", "backslashreplace"
        )
        if len(line) > self._left and row.get("k") not in self.ESSENTIAL:
            self.dropped += 1
            return
        self._left -= len(line)
        try:
            os.write(self._fd, line)
        except OSError:  # the script closed every descriptor that it did not know
            self._fd = _high(os.open(self._path, FLAGS, 0o600))
            os.write(self._fd, line)


def _high(descriptor: int) -> int:
    """The same file under a large number, out of the way of scripts that close or reuse small ones."""
    try:
        moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, HIGH)
    except OSError:  # the limit on open files is below
        return descriptor
    os.close(descriptor)
    return moved
