"""Decides, for a process without mount namespace, which Unix sockets it may connect to.

Landlock has no right for sockets in the file system (docker.sock, ssh-agent, the session bus), and a
seccomp filter cannot read an address. So the filter hands every ``connect`` to the supervisor, which
reads the address once, checks it, and connects the caller's own socket itself: nothing can be swapped
between check and use. See seccomp_unotify(2) and pidfd_getfd(2).
"""

# ruff: noqa: PTH115, PTH118, PTH123, PTH208
from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import socket
import struct
import threading
from collections.abc import Sequence
from pathlib import Path

from lossdoctor.sandbox.child import processes
from lossdoctor.sandbox.child.syscalls import call, number

RECEIVE, SEND, STILL_VALID = 0xC0502100, 0xC0182101, 0x40082102  # linux/seccomp.h
REQUEST = struct.Struct("=QIIiIQ6Q")
RESPONSE = struct.Struct("=QqiI")
LONGEST_ADDRESS = 110  # sizeof(struct sockaddr_un)


class Broker:
    """Answers the ``connect`` calls that arrive at a seccomp listener."""

    def __init__(self, listener: int, allowed: Sequence[str]) -> None:
        self.listener = listener
        self.allowed = [os.path.realpath(folder) for folder in allowed]

    def serve(self) -> bool:
        """Take one waiting call and answer it in a thread of its own; False when the callers are gone."""
        request = bytearray(REQUEST.size)
        try:
            fcntl.ioctl(self.listener, RECEIVE, request, True)
        except OSError as error:
            return error.errno in (errno.ENOENT, errno.EINTR)
        ident, pid, _, _, _, _, fd, address, length, *_ = REQUEST.unpack(request)
        # a connection to a full queue blocks: the watch over the limits must go on meanwhile
        arguments = (ident, pid, fd, address, min(length, LONGEST_ADDRESS))
        threading.Thread(target=self._answer, args=arguments, daemon=True).start()
        return True

    def _answer(self, ident: int, pid: int, fd: int, address: int, length: int) -> None:
        try:
            raw = _memory(pid, address, length)
            with _socket_of(_process_of(pid), fd) as caller:
                fcntl.ioctl(self.listener, STILL_VALID, struct.pack("=Q", ident))
                self._connect(caller, pid, raw)
            error = 0
        except OSError as failure:
            error = failure.errno or errno.EACCES
        with contextlib.suppress(OSError):
            fcntl.ioctl(self.listener, SEND, RESPONSE.pack(ident, 0, -error, 0))

    def _connect(self, caller: socket.socket, pid: int, raw: bytes) -> None:
        family, name = struct.unpack_from("=H", raw)[0], raw[2:]
        if family != socket.AF_UNIX or not name:
            raise PermissionError(errno.EACCES, "only Unix sockets")
        if name.startswith(b"\0"):
            _check_abstract(name)
            caller.connect(name)
            return
        place = self._permitted(pid, name.split(b"\0", 1)[0])
        try:
            caller.connect(f"/proc/self/fd/{place}")
        finally:
            os.close(place)

    def _permitted(self, pid: int, name: bytes) -> int:
        """A handle on the socket that a path names, if it lies in the script's own folders."""
        path = os.path.join(os.readlink(f"/proc/{pid}/cwd"), os.fsdecode(name))
        path = path.replace("/proc/self/", f"/proc/{pid}/", 1) if path.startswith("/proc/self/") else path
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        real = os.readlink(f"/proc/self/fd/{place}")
        if not any(real.startswith(f"{folder}/") for folder in self.allowed):
            os.close(place)
            raise PermissionError(errno.EACCES, "a socket of another program")
        return place


def _memory(pid: int, address: int, length: int) -> bytes:
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        memory.seek(address)
        return memory.read(length)


def _process_of(thread: int) -> int:
    """The process that a thread belongs to: process handles exist for whole processes only."""
    for line in Path(f"/proc/{thread}/status").read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith("Tgid:"):
            return int(line.split()[1])
    raise ProcessLookupError(errno.ESRCH, "gone")


def _socket_of(pid: int, fd: int) -> socket.socket:
    """The caller's socket itself, shared with us."""
    handle = os.pidfd_open(pid)
    try:
        return socket.socket(fileno=call(number("pidfd_getfd"), handle, fd, 0))
    finally:
        os.close(handle)


def _check_abstract(name: bytes) -> None:
    """Refuse an abstract name that no process of the experiment listens on (forkservers use them)."""
    wanted = "@" + os.fsdecode(name[1:]).replace("\0", "@")
    with open("/proc/net/unix", encoding="utf-8", errors="surrogateescape") as table:
        rows = [line.rstrip("\n").split(maxsplit=7) for line in table]
    links = {f"socket:[{row[6]}]" for row in rows if len(row) == 8 and row[7] == wanted}
    if not any(links & _open_files(pid) for pid in processes.descendants(os.getpid())):
        raise PermissionError(errno.EACCES, "a socket of another program")


def _open_files(pid: int) -> set[str]:
    found: set[str] = set()
    with contextlib.suppress(OSError):
        for name in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):
                found.add(os.readlink(f"/proc/{pid}/fd/{name}"))
    return found
