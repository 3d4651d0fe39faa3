"""How long the thread was ready to run and did not get a processor: time that other programs took, not the script."""

from __future__ import annotations

import os
from contextlib import suppress

SOURCE = (
    "/proc/thread-self/schedstat"  # Linux: nanoseconds on a processor, nanoseconds of waiting for one, slices
)


class Queued:
    """Seconds of waiting since the last question, of the thread that made it; None where the system does not tell."""

    def __init__(self) -> None:
        self._file: int | None = None
        with suppress(OSError):
            self._file = os.open(SOURCE, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        self._last = self._read() or 0.0

    def since(self) -> float | None:
        now = self._read()
        if now is None:
            return None
        before, self._last = self._last, now
        return max(0.0, now - before)

    def _read(self) -> float | None:
        if self._file is None:
            return None
        try:
            return int(os.pread(self._file, 64, 0).split()[1]) * 1e-9
        except (OSError, ValueError, IndexError):
            return None
