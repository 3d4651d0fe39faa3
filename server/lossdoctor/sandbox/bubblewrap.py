"""The command line of bubblewrap: new namespaces, and only what was listed is mounted in them."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

SHARED_MEMORY = 2 << 30  # bytes of /dev/shm: DataLoader workers hand their batches over in it


@dataclass(frozen=True)
class Mount:
    """``source`` becomes visible at ``target``, read-only unless ``writable``."""

    source: Path
    target: Path
    writable: bool = False


def executable() -> str | None:
    """bubblewrap's path, None where it is not installed."""
    return shutil.which("bwrap")


def command(
    mounts: Sequence[Mount], devices: Iterable[str], network: bool, cwd: Path, shared_memory: int
) -> list[str]:
    """bwrap and its options, up to the program to run; raises FileNotFoundError without bubblewrap."""
    program = executable()
    if program is None:
        raise FileNotFoundError("bwrap")
    options = [program, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    options += ["--share-net"] if network else []
    options += ["--proc", "/proc", "--dev", "/dev", "--size", str(shared_memory), "--tmpfs", "/dev/shm"]
    for mount in parents_first(mounts):
        options += _mount(mount)
    for node in devices:
        options += ["--dev-bind-try", node, node]
    return [*options, "--chdir", str(cwd), "--"]


def parents_first(mounts: Sequence[Mount]) -> list[Mount]:
    """Later mounts cover earlier ones: what lies deeper comes later; one mount for each place."""
    first: dict[Path, Mount] = {}
    for mount in mounts:
        first.setdefault(mount.target, mount)
    return sorted(first.values(), key=lambda mount: len(mount.target.parts))


def _mount(mount: Mount) -> list[str]:
    if mount.source == mount.target and mount.source.is_symlink() and len(mount.target.parts) == 2:
        return ["--symlink", str(mount.source.readlink()), str(mount.target)]  # /bin -> usr/bin
    kind = "--bind" if mount.writable else "--ro-bind-try"
    return [kind, str(mount.source), str(mount.target)]
