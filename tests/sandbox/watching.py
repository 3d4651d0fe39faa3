"""What tests see of other processes: who carries a token, and waiting for that to change."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path


def with_token(token: str) -> list[int]:
    """Processes whose environment carries the token."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if token.encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def wait_until(condition: Callable[[], bool], seconds: float = 15.0) -> bool:
    """Poll a condition: other processes offer nothing to wait on."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return False
