"""Append-only records: every line is written by one ``write(2)``, so a kill leaves at most one torn line."""

from __future__ import annotations

import json
import os
from typing import Any

Row = dict[str, Any]
MAX_BYTES = 64 << 20


class Writer:
    """Writes rows to ``<folder>/records.jsonl`` until the size limit; then only rows marked essential."""

    ESSENTIAL = frozenset({"start", "end", "error", "params", "optimizer", "nonfinite", "site"})

    def __init__(self, folder: str, max_bytes: int = MAX_BYTES) -> None:
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, "records.jsonl")
        self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self._left = max_bytes
        self.dropped = 0

    def write(self, row: Row) -> None:
        line = (json.dumps(row, default=str, separators=(",", ":")) + "\n").encode(
            "utf-8", "backslashreplace"
        )
        if len(line) > self._left and row.get("k") not in self.ESSENTIAL:
            self.dropped += 1
            return
        self._left -= len(line)
        os.write(self._fd, line)
