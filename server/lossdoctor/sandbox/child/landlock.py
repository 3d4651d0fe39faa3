"""Landlock by system call: a process gives up file, TCP, signal and abstract-socket access for good.

Constants are those of linux/landlock.h; see https://docs.kernel.org/userspace-api/landlock.html.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable

from lossdoctor.sandbox.child.syscalls import call, no_new_privileges, number

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
MAKE_CHAR, MAKE_BLOCK = 1 << 6, 1 << 11
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
ALL_OF_ABI_1 = (1 << 13) - 1
READ = EXECUTE | READ_FILE | READ_DIR
ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
BIND_TCP, CONNECT_TCP = 1, 2
SCOPE_ABSTRACT_UNIX, SCOPE_SIGNAL = 1, 2
RULE_PATH_BENEATH = 1
VERSION_FLAG = 1


def abi() -> int:
    """The kernel's Landlock version, 0 where there is none."""
    try:
        return call(number("landlock_create_ruleset"), 0, 0, VERSION_FLAG)
    except OSError:
        return 0


def handled_rights(version: int) -> int:
    """All file-system rights that this ABI can take away."""
    extra = {2: REFER, 3: TRUNCATE, 5: IOCTL_DEV}
    return ALL_OF_ABI_1 | sum(right for needed, right in extra.items() if version >= needed)


def restrict(read: Iterable[str], write: Iterable[str], devices: Iterable[str], tcp: bool) -> int:
    """Allow reading below ``read``, everything but device nodes below ``write``; returns the ABI.

    Raises OSError where the kernel has no Landlock. ``tcp`` leaves TCP alone (ABI >= 4 can deny it).
    """
    version = abi()
    rights = handled_rights(version)
    ruleset = _create(version, rights, tcp)
    for path in read:
        _allow(ruleset, path, READ & rights)
    for path in write:
        _allow(ruleset, path, rights & ~(MAKE_CHAR | MAKE_BLOCK))
    for path in devices:
        _allow(ruleset, path, (READ_FILE | WRITE_FILE | IOCTL_DEV) & rights)
    no_new_privileges()
    call(number("landlock_restrict_self"), ruleset, 0)
    os.close(ruleset)
    return version


def _create(version: int, rights: int, tcp: bool) -> int:
    network = BIND_TCP | CONNECT_TCP if version >= 4 and not tcp else 0
    scoped = SCOPE_ABSTRACT_UNIX | SCOPE_SIGNAL if version >= 6 else 0
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    attributes = ctypes.create_string_buffer(struct.pack("QQQ", rights, network, scoped)[:size], size)
    return call(number("landlock_create_ruleset"), ctypes.addressof(attributes), size, 0)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not stat.S_ISDIR(os.fstat(place).st_mode):
        rights &= ON_FILES
    rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, place), 12)
    try:
        call(number("landlock_add_rule"), ruleset, RULE_PATH_BENEATH, ctypes.addressof(rule), 0)
    finally:
        os.close(place)
