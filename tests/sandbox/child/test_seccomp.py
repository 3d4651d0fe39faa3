"""The filter, run on an interpreter of its own machine language."""

from __future__ import annotations

import errno
import struct

import pytest

from lossdoctor.sandbox.child import seccomp, syscalls

pytestmark = pytest.mark.skipif(not syscalls.supported(), reason="numbers of this machine are not known")
ALLOWED = seccomp.ALLOW
STREAM, DATAGRAM = 1, 2
INTERNET = (seccomp.AF_UNIX, seccomp.AF_INET, seccomp.AF_INET6, seccomp.AF_NETLINK)


def decide(program: list[seccomp.Instruction], name: str, *arguments: int, arch: int | None = None) -> int:
    """What the kernel would answer: classic BPF over struct seccomp_data."""
    own = seccomp.AUDIT_ARCH[syscalls.platform.machine()]
    padded = [*arguments, *([0] * (6 - len(arguments)))]
    data = struct.pack("=iIQ6Q", syscalls.number(name), own if arch is None else arch, 0, *padded)
    accumulator, line = 0, 0
    while True:
        code, true, false, value = program[line]
        if code == seccomp.RETURN:
            return value
        if code == seccomp.LOAD:
            accumulator = struct.unpack_from("=I", data, value)[0]
        elif code == seccomp.AND:
            accumulator &= value
        else:
            met = {
                seccomp.EQUAL: accumulator == value,
                seccomp.AT_LEAST: accumulator >= value,
                seccomp.ANY_BIT: bool(accumulator & value),
            }[code]
            line += true if met else false
        line += 1


def refused(code: int) -> int:
    return seccomp.ERRNO | code


@pytest.fixture
def shared() -> list[seccomp.Instruction]:
    """The filter of the Landlock rung."""
    return seccomp.program([seccomp.AF_UNIX], shared_ipc=True, ask=True)


@pytest.fixture
def alone() -> list[seccomp.Instruction]:
    """The filter inside namespaces."""
    return seccomp.program(INTERNET, shared_ipc=False, ask=False)


@pytest.mark.parametrize(
    "name", ["io_uring_setup", "ptrace", "bpf", "mount", "setns", "keyctl", "pidfd_getfd"]
)
def test_calls_that_reach_around_the_sandbox_are_refused(
    shared: list[seccomp.Instruction], alone: list[seccomp.Instruction], name: str
) -> None:
    assert decide(shared, name) == decide(alone, name) == refused(errno.EPERM)


def test_sockets_of_the_internet_need_a_network_of_ones_own(
    shared: list[seccomp.Instruction], alone: list[seccomp.Instruction]
) -> None:
    assert decide(shared, "socket", seccomp.AF_INET, STREAM) == refused(errno.EACCES)
    assert decide(alone, "socket", seccomp.AF_INET, STREAM) == ALLOWED


@pytest.mark.parametrize("family", [17, 38, 40])
def test_families_that_no_namespace_separates_are_refused(
    alone: list[seccomp.Instruction], family: int
) -> None:
    assert decide(alone, "socket", family, STREAM) == refused(errno.EACCES)


def test_unix_streams_stay_and_datagrams_go_where_files_are_shared(
    shared: list[seccomp.Instruction], alone: list[seccomp.Instruction]
) -> None:
    assert decide(shared, "socket", seccomp.AF_UNIX, STREAM | 0o2000000) == ALLOWED
    assert decide(shared, "socketpair", seccomp.AF_UNIX, STREAM) == ALLOWED
    assert decide(shared, "socket", seccomp.AF_UNIX, DATAGRAM) == refused(errno.EACCES)
    assert decide(shared, "socketpair", seccomp.AF_UNIX, DATAGRAM) == refused(errno.EACCES)
    assert decide(alone, "socket", seccomp.AF_UNIX, DATAGRAM) == ALLOWED


def test_connections_are_asked_about_where_files_are_shared(
    shared: list[seccomp.Instruction], alone: list[seccomp.Instruction]
) -> None:
    assert decide(shared, "connect") == seccomp.ASK
    assert decide(alone, "connect") == ALLOWED


def test_threads_and_processes_start_but_user_namespaces_do_not(alone: list[seccomp.Instruction]) -> None:
    threads = 0x003D0F00  # what pthread_create asks for
    assert decide(alone, "clone", threads) == ALLOWED
    assert decide(alone, "clone", 0x10000000) == refused(errno.EPERM)
    assert decide(alone, "clone3") == refused(errno.ENOSYS)


def test_changes_of_metadata_do_nothing_where_files_are_shared(
    shared: list[seccomp.Instruction], alone: list[seccomp.Instruction]
) -> None:
    assert decide(shared, "fchmod") == refused(0)
    assert decide(alone, "fchmod") == ALLOWED


def test_another_machine_language_is_killed(alone: list[seccomp.Instruction]) -> None:
    assert decide(alone, "socket", arch=0x40000003) == seccomp.KILL
