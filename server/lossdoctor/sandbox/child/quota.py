"""Disk space of an experiment's folders: measured cheaply while it runs, removed when it has ended."""

# ruff: noqa: PTH101, PTH106, PTH108
# Bare system calls: pathlib would add cost and lazy iterators here.
from __future__ import annotations

import contextlib
import os
import stat
import subprocess
from pathlib import Path

LOOK_AGAIN = 64 << 20  # bytes that the file system must have lost before the folders are measured again
FILES_LOOK_AGAIN = 20_000


class Disk:
    """A quota over folders; walks them only when the file system itself has become fuller."""

    def __init__(self, folders: list[Path], limit: int) -> None:
        self.folders, self.limit = folders, limit
        self.before = self._free()

    def exceeded(self) -> str | None:
        """The quota that was passed, in words, or None."""
        blocks, files = self._free()
        if self.before[0] - blocks < LOOK_AGAIN and self.before[1] - files < FILES_LOOK_AGAIN:
            return None
        self.before = (blocks, files)
        used = sum(size(folder, self.limit) for folder in self.folders)
        if used <= self.limit:
            return None
        return f"more than {self.limit / 2**30:.1f} GiB written to disk"

    def _free(self) -> tuple[int, int]:
        if not self.folders:
            return 0, 0
        state = os.statvfs(self.folders[0])
        return state.f_bavail * state.f_frsize, state.f_favail


def size(folder: Path, enough: int) -> int:
    """Bytes on disk below ``folder``, counted until there are more than ``enough``."""
    total = 0
    waiting = [str(folder)]
    while waiting and total <= enough:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                total += entry.stat(follow_symlinks=False).st_blocks * 512
    return total


def remove(folder: Path) -> None:
    """Delete a folder whatever the script has done to its permissions or depth; missing is fine."""
    found = [str(folder)]
    for path in found:  # grows while it is read
        with contextlib.suppress(OSError):
            os.chmod(path, stat.S_IRWXU)
            found += _emptied(path)
    for path in reversed(found):
        with contextlib.suppress(OSError):
            os.rmdir(path)
    if os.path.lexists(folder):  # deeper than a path may be long
        subprocess.run(["rm", "-rf", "--", str(folder)], check=False, stderr=subprocess.DEVNULL)


def _emptied(path: str) -> list[str]:
    """Unlink the files of one directory; returns the directories in it."""
    folders: list[str] = []
    with os.scandir(path) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
            else:
                os.unlink(entry.path)
    return folders
