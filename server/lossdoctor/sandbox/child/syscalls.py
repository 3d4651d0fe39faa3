"""System calls that Python has no function for: numbers per machine and the call itself."""

from __future__ import annotations

import ctypes
import os
import platform

# name: (x86_64, aarch64); None where the machine has no such call (asm/unistd_64.h, asm-generic/unistd.h)
NUMBERS: dict[str, tuple[int | None, int | None]] = {
    "socket": (41, 198), "socketpair": (53, 199), "clone": (56, 220), "clone3": (435, 435),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438), "kcmp": (312, 272), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "bpf": (321, 280),
    "userfaultfd": (323, 282), "perf_event_open": (298, 241), "keyctl": (250, 219),
    "add_key": (248, 217), "request_key": (249, 218), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428), "move_mount": (429, 429),
    "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "mount_setattr": (442, 442), "unshare": (272, 97), "setns": (308, 268),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "init_module": (175, 105),
    "finit_module": (313, 273), "delete_module": (176, 106), "swapon": (167, 224),
    "swapoff": (168, 225), "reboot": (169, 142), "acct": (163, 89), "quotactl": (179, 60),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "iopl": (172, None),
    "ioperm": (173, None), "open_by_handle_at": (304, 265), "sethostname": (170, 161),
    "setdomainname": (171, 162), "syslog": (103, 116), "fanotify_init": (300, 262),
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, None), "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54),
    "utime": (132, None), "utimes": (235, None), "utimensat": (280, 88), "futimesat": (261, None),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "removexattr": (197, 14),
    "lremovexattr": (198, 15), "fremovexattr": (199, 16), "connect": (42, 203), "seccomp": (317, 277),
    "landlock_create_ruleset": (444, 444), "landlock_add_rule": (445, 445),
    "landlock_restrict_self": (446, 446), "mq_open": (240, 180), "shmget": (29, 194),
    "msgget": (68, 186), "semget": (64, 190), "capset": (126, 91),
}  # fmt: skip
MACHINES = ("x86_64", "aarch64")
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP = 1, 4, 24
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 36, 38


def supported() -> bool:
    """Whether the numbers of this machine are known."""
    return os.name == "posix" and platform.system() == "Linux" and platform.machine() in MACHINES


def number(name: str) -> int:
    """The call's number on this machine; raises OSError (ENOSYS) where there is none."""
    known = NUMBERS[name][MACHINES.index(platform.machine())] if supported() else None
    if known is None:
        raise OSError(38, f"no system call {name} on {platform.machine()}")
    return known


def call(nr: int, *arguments: int) -> int:
    """One raw system call with integer or address arguments; raises OSError on failure."""
    libc = ctypes.CDLL(None, use_errno=True)
    result = int(libc.syscall(ctypes.c_long(nr), *(ctypes.c_long(value) for value in arguments)))
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def control(option: int, value: int = 0) -> None:
    """prctl(option, value); raises OSError on failure."""
    libc = ctypes.CDLL(None, use_errno=True)
    zero = ctypes.c_ulong(0)
    if libc.prctl(ctypes.c_int(option), ctypes.c_ulong(value), zero, zero, zero) != 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


def no_new_privileges() -> None:
    """Set-user-id programs keep our rights from now on; Landlock and seccomp require it."""
    control(PR_SET_NO_NEW_PRIVS, 1)


def drop_capabilities() -> None:
    """Give up every capability, also of programs started later (a root user becomes an ordinary one)."""
    for capability in range(64):
        try:
            control(PR_CAPBSET_DROP, capability)
        except OSError:
            break
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    nothing = (ctypes.c_uint32 * 6)()
    call(number("capset"), ctypes.addressof(header), ctypes.addressof(nothing))
