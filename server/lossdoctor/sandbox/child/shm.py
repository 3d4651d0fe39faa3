"""Shared memory that a run leaves behind where /dev/shm is the machine's own."""

# ruff: noqa: PTH115, PTH208
from __future__ import annotations

import contextlib
import os
from pathlib import Path

FOLDER = Path("/dev/shm")


def names() -> frozenset[str]:
    """What lies in shared memory now."""
    try:
        return frozenset(os.listdir(FOLDER))
    except OSError:
        return frozenset()


def remove_new(before: frozenset[str]) -> None:
    """Delete files of this user that appeared since ``before`` and that no process uses any more."""
    new = names() - before
    if not new:
        return
    used = _in_use()
    for name in new:
        path = FOLDER / name
        with contextlib.suppress(OSError):
            if path.lstat().st_uid == os.getuid() and str(path) not in used:
                path.unlink()


def _in_use() -> set[str]:
    """Every path in shared memory that a process has open or mapped."""
    found: set[str] = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            lines = (folder / "maps").read_text(encoding="utf-8", errors="replace").splitlines()
            found.update(line.split(maxsplit=5)[-1] for line in lines if f" {FOLDER}/" in line)
        with contextlib.suppress(OSError):
            found.update(os.readlink(link) for link in (folder / "fd").iterdir())
    return found
