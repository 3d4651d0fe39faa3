"""Own namespaces without bubblewrap: user, network, processes, IPC, host name and a root of listed mounts.

For machines that allow unprivileged user namespaces but have no bubblewrap, and for processes that are
forked instead of started. See user_namespaces(7), pivot_root(2), mount_setattr(2).
"""

# ruff: noqa: PTH112, PTH114, PTH115
from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import socket
import struct
from collections.abc import Sequence
from pathlib import Path

from lossdoctor.sandbox.child.syscalls import PR_SET_DUMPABLE, PR_SET_PDEATHSIG, call, control, number

NEW_MOUNTS, NEW_CGROUP, NEW_UTS, NEW_IPC = 0x00020000, 0x02000000, 0x04000000, 0x08000000
NEW_USER, NEW_PROCESSES, NEW_NETWORK = 0x10000000, 0x20000000, 0x40000000
NOSUID, NODEV, NOEXEC, BIND, RECURSIVE, PRIVATE = 2, 4, 8, 4096, 16384, 1 << 18
HERE, ALL_BELOW, READ_ONLY = -100, 0x8000, 1  # AT_FDCWD, AT_RECURSIVE, MOUNT_ATTR_RDONLY
DETACH = 2
SET_FLAGS, UP, RUNNING = 0x8914, 0x1, 0x40
STREAMS = (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2"))


def enter(
    root: str, mounts: Sequence[tuple[str, str, bool]], devices: Sequence[str], shm: int, network: bool
) -> None:
    """Return only in the process that is to become the script; the ones above it wait and pass its status on.

    ``mounts`` are (source, target, writable), parents first; ``root`` is an empty folder. The caller must
    have a single thread. Raises OSError where the machine refuses (Ubuntu's AppArmor, Docker's seccomp).
    """
    _unshare(network)
    control(PR_SET_PDEATHSIG, 9)  # forgotten with each change of credentials and each fork
    _wait_for(os.fork())  # the first process of the new process namespace
    control(PR_SET_PDEATHSIG, 9)
    _build(Path(root), mounts, devices, shm)
    _switch_to(root)
    _wait_for(os.fork())
    control(PR_SET_PDEATHSIG, 9)
    control(PR_SET_DUMPABLE, 1)  # or a process that is not started anew could not read its own /proc/self


def _unshare(network: bool) -> None:
    user, group = os.getuid(), os.getgid()
    wanted = NEW_USER | NEW_MOUNTS | NEW_PROCESSES | NEW_IPC | NEW_UTS | NEW_CGROUP
    call(number("unshare"), wanted | (0 if network else NEW_NETWORK))
    Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")
    if not network:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:  # ranks meet on the loopback device
            fcntl.ioctl(line, SET_FLAGS, struct.pack("16sH14x", b"lo", UP | RUNNING))


def _wait_for(child: int) -> None:
    """In the parent: reap until the child ends, then end with its status. In the child: return."""
    if child == 0:
        return
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (1, 2):  # the script alone holds the output
        os.dup2(nothing, stream)
    while True:
        try:
            pid, status = os.wait()
        except ChildProcessError:
            os._exit(1)
        if pid == child:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)


def _build(root: Path, mounts: Sequence[tuple[str, str, bool]], devices: Sequence[str], shm: int) -> None:
    """A root that holds what was listed and nothing else."""
    _mount("none", Path("/"), "", RECURSIVE | PRIVATE)
    _mount("tmpfs", root, "tmpfs", NOSUID | NODEV, "mode=755,size=16m")
    for source, target, writable in mounts:
        place = root / target.lstrip("/")
        if source == target and os.path.islink(source) and target.count("/") == 1:
            place.symlink_to(os.readlink(source))
            continue
        _bind(source, place)
        if not writable:
            _make_read_only(place)
    (root / "proc").mkdir(exist_ok=True)
    _mount("proc", root / "proc", "proc", NOSUID | NODEV | NOEXEC)
    _devices(root / "dev", devices, shm)


def _devices(folder: Path, devices: Sequence[str], shm: int) -> None:
    folder.mkdir(exist_ok=True)
    _mount("tmpfs", folder, "tmpfs", NOSUID, "mode=755,size=1m")
    for node in devices:
        _bind(node, folder / node.removeprefix("/dev/"))
    for name, suffix in STREAMS:
        (folder / name).symlink_to(f"/proc/self/fd{suffix}")
    (folder / "shm").mkdir()
    _mount("tmpfs", folder / "shm", "tmpfs", NOSUID | NODEV, f"mode=1777,size={shm}")
    (folder / "pts").mkdir()
    with contextlib.suppress(OSError):
        _mount("devpts", folder / "pts", "devpts", NOSUID | NOEXEC, "newinstance,ptmxmode=0666")
        (folder / "ptmx").symlink_to("pts/ptmx")


def _bind(source: str, place: Path) -> None:
    if os.path.isdir(source):
        place.mkdir(parents=True, exist_ok=True)
    elif not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
    _mount(source, place, "", BIND | RECURSIVE)


def _make_read_only(place: Path) -> None:
    """Also every mount below it; flags that are locked by the outer namespace stay as they are."""
    path = ctypes.create_string_buffer(os.fsencode(place))
    wanted = ctypes.create_string_buffer(struct.pack("QQQQ", READ_ONLY, 0, 0, 0), 32)
    addresses = ctypes.addressof(path), ALL_BELOW, ctypes.addressof(wanted), 32
    call(number("mount_setattr"), HERE, *addresses)


def _mount(source: str, place: Path, kind: str, flags: int, options: str = "") -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    words = [os.fsencode(word) if word else None for word in (source, str(place), kind)]
    if libc.mount(*words, ctypes.c_ulong(flags), options.encode() or None) != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"mounting {source}: {os.strerror(error)}")


def _switch_to(root: str) -> None:
    """The new root becomes the only one."""
    old = Path(root, ".old")
    old.mkdir()
    words = [ctypes.create_string_buffer(os.fsencode(word)) for word in (root, str(old), "/.old")]
    call(number("pivot_root"), ctypes.addressof(words[0]), ctypes.addressof(words[1]))
    os.chdir("/")
    call(number("umount2"), ctypes.addressof(words[2]), DETACH)
    Path("/.old").rmdir()
