"""A seccomp filter: system calls that no training script needs are refused, the rest is untouched.

The program format is classic BPF (linux/filter.h, linux/seccomp.h); see seccomp(2).
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
from collections.abc import Sequence

from lossdoctor.sandbox.child.syscalls import call, no_new_privileges, number

AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16
SOCK_STREAM, SOCK_SEQPACKET = 1, 5
LOAD, AND, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
ALLOW, ASK, ERRNO, KILL = 0x7FFF0000, 0x7FC00000, 0x00050000, 0x80000000
AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32_BIT = 0x40000000
NEW_NAMESPACES = 0x7E020080  # CLONE_NEWNS|NEWCGROUP|NEWUTS|NEWIPC|NEWUSER|NEWPID|NEWNET|NEWTIME, sched.h
SET_MODE_FILTER, NEW_LISTENER = 1, 8

# io_uring opens sockets and files behind the filter's back; the others reach into other processes,
# the kernel, mounts or the clock. AF_UNIX stays: DataLoader workers pass file descriptors through it.
REFUSED = (
    "io_uring_setup", "io_uring_enter", "io_uring_register", "ptrace", "process_vm_readv",
    "process_vm_writev", "pidfd_getfd", "kcmp", "bpf", "userfaultfd", "perf_event_open", "keyctl",
    "add_key", "request_key", "mount", "umount2", "pivot_root", "chroot", "open_tree", "move_mount",
    "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "unshare", "setns", "kexec_load",
    "kexec_file_load", "init_module", "finit_module", "delete_module", "swapon", "swapoff", "reboot",
    "acct", "quotactl", "settimeofday", "clock_settime", "iopl", "ioperm", "open_by_handle_at",
    "sethostname", "setdomainname", "syslog", "fanotify_init",
)  # fmt: skip
# Landlock has no right for these: without mount namespace they would reach the user's own files.
# They report success and do nothing, because shutil.copy and friends call chmod on their own copies.
METADATA = (
    "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat", "utime",
    "utimes", "utimensat", "futimesat", "setxattr", "lsetxattr", "fsetxattr", "removexattr",
    "lremovexattr", "fremovexattr",
)  # fmt: skip
# System V objects and message queues outlive their process where there is no IPC namespace.
LASTING = ("mq_open", "shmget", "msgget", "semget")

Instruction = tuple[int, int, int, int]


def program(families: Sequence[int], shared_ipc: bool, ask: bool) -> list[Instruction]:
    """The filter: ``families`` of sockets that may be opened; ``shared_ipc`` where namespaces are missing.

    ``ask`` hands each ``connect`` to a listener (broker.py) instead of letting it through.
    """
    code: list[Instruction] = [(LOAD, 0, 0, 4), (EQUAL, 1, 0, AUDIT_ARCH[platform.machine()])]
    code += [(RETURN, 0, 0, KILL), (LOAD, 0, 0, 0)]
    if platform.machine() == "x86_64":
        code += [(AT_LEAST, 0, 1, X32_BIT), _error(errno.EPERM)]
    code += _refuse(REFUSED + (LASTING if shared_ipc else ()), errno.EPERM)
    code += _refuse(METADATA, 0) if shared_ipc else []
    code += _refuse(("clone3",), errno.ENOSYS)  # its flags lie in memory; libc falls back to clone
    code += _when("clone", [(LOAD, 0, 0, 16), (ANY_BIT, 0, 1, NEW_NAMESPACES), _error(errno.EPERM)])
    code += _when("socket", _only(0, families, errno.EACCES))
    if shared_ipc:  # datagrams name their receiver with each message: syslog, the notify socket
        code += _when("socket", _unix_streams_only())
        code += _when("socketpair", _unix_streams_only())
    code += _when("connect", [(RETURN, 0, 0, ASK)]) if ask else []
    return [*code, (RETURN, 0, 0, ALLOW)]


def install(families: Sequence[int], shared_ipc: bool, ask: bool) -> int | None:
    """Apply the filter to this (single-threaded) process and all it will start; returns the listener.

    Raises OSError where seccomp, or with ``ask`` its user notification (Linux 5.0), is missing.
    """
    code = b"".join(struct.pack("HBBI", *line) for line in program(families, shared_ipc, ask))
    lines = ctypes.create_string_buffer(code, len(code))
    head = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(code) // 8, ctypes.addressof(lines)), 16)
    no_new_privileges()
    found = call(number("seccomp"), SET_MODE_FILTER, NEW_LISTENER if ask else 0, ctypes.addressof(head))
    return found if ask else None


def _error(code: int) -> Instruction:
    return (RETURN, 0, 0, ERRNO | code)


def _refuse(names: Sequence[str], code: int) -> list[Instruction]:
    lines: list[Instruction] = []
    for name in names:
        lines += _when(name, [_error(code)])
    return lines


def _when(name: str, then: list[Instruction]) -> list[Instruction]:
    """``then`` for one system call; the number is loaded again behind it."""
    try:
        nr = number(name)
    except OSError:
        return []
    reload = [] if then[-1][0] == RETURN and len(then) == 1 else [(LOAD, 0, 0, 0)]
    return [(EQUAL, 0, len(then) + len(reload), nr), *then, *reload]


def _only(argument: int, values: Sequence[int], code: int) -> list[Instruction]:
    """Refuse unless argument number ``argument`` is one of ``values`` (low 32 bits, little endian)."""
    checks: list[Instruction] = [(EQUAL, len(values) - index, 0, value) for index, value in enumerate(values)]
    return [(LOAD, 0, 0, 16 + 8 * argument), *checks, _error(code)]


def _unix_streams_only() -> list[Instruction]:
    stream = [(LOAD, 0, 0, 24), (AND, 0, 0, 0xF), (EQUAL, 2, 0, SOCK_STREAM), (EQUAL, 1, 0, SOCK_SEQPACKET)]
    inner: list[Instruction] = [*stream, _error(errno.EACCES)]
    return [(LOAD, 0, 0, 16), (EQUAL, 0, len(inner), AF_UNIX), *inner]
