"""How much of the machine one experiment may use."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

STARTUP_S = 15.0  # importing torch and the script's own packages, before the recorder's clock starts
GRACE_S = 5.0  # the recorder stops by itself at max_seconds; only then do we
SHARE_OF_MEMORY, MOST_MEMORY = 0.75, 16 << 30
SHARE_OF_DISK, MOST_DISK = 0.25, 16 << 30
MOST_PROCESSES = 512
CGROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def machine_memory() -> int:
    """Bytes of memory that this machine, or the container around us, may use."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for file in CGROUP_LIMITS:
        try:
            total = min(total, int(Path(file).read_text(encoding="ascii")))
        except (OSError, ValueError):
            continue
    return total


def _memory() -> int:
    return min(int(machine_memory() * SHARE_OF_MEMORY), MOST_MEMORY)


def _disk() -> int:
    return min(int(shutil.disk_usage(tempfile.gettempdir()).free * SHARE_OF_DISK), MOST_DISK)


@dataclass(frozen=True)
class Limits:
    """Bytes over the whole process tree, bytes written to disk, processes at once, seconds of grace."""

    memory: int = field(default_factory=_memory)
    disk: int = field(default_factory=_disk)
    processes: int = MOST_PROCESSES
    startup_s: float = STARTUP_S
    grace_s: float = GRACE_S

    def wall(self, max_seconds: float) -> float:
        """Seconds after which an experiment is killed, whatever it does."""
        return max_seconds + self.startup_s + self.grace_s

    def for_process(self, gpu: bool) -> dict[str, int]:
        """setrlimit values. No address-space limit: CUDA reserves far more than it uses."""
        threads = self.processes + 16 * (os.cpu_count() or 1)
        limits = {"RLIMIT_CORE": 0, "RLIMIT_FSIZE": self.disk, "RLIMIT_NPROC": threads}
        return limits if gpu else {**limits, "RLIMIT_DATA": max(self.memory, 2 << 30)}
