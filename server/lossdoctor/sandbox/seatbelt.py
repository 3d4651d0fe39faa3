"""The macOS rung: a Seatbelt profile for sandbox-exec.

Built from Apple's SBPL as used by other tools; the profile text is tested, no Mac has run it yet.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

SANDBOX_EXEC = "/usr/bin/sandbox-exec"
# libomp registers itself in shared memory, the Metal compiler is a service, the GPU an IOKit class
ALWAYS = """(version 1)
(deny default)
(allow process-fork process-exec process-info* sysctl-read)
(allow signal (target same-sandbox))
(allow file-read-metadata)
(allow file-read* (subpath "/System") (subpath "/Library") (subpath "/private/var/db/dyld") (subpath "/dev"))
(allow file-write-data (literal "/dev/null") (literal "/dev/zero"))
(allow ipc-posix-sem ipc-posix-shm (ipc-posix-name-regex #"^/(__KMP_REGISTERED_LIB_|torch_|psm_|mp-)"))
(allow mach-lookup (global-name "com.apple.MTLCompilerService") (global-name "com.apple.system.logger"))
(allow iokit-open (iokit-user-client-class "AGXDeviceUserClient" "IOSurfaceRootUserClient"))
"""


def profile(read: Iterable[Path], write: Iterable[Path], network: bool) -> str:
    """SBPL that denies everything but computing, reading below ``read`` and writing below ``write``."""
    lines = [ALWAYS]
    lines += [f"(allow file-read* (subpath {_quoted(path)}))" for path in read]
    lines += [f"(allow file-read* file-write* (subpath {_quoted(path)}))" for path in write]
    lines.append(
        "(allow network*)" if network else "(allow network* (local unix-socket) (remote unix-socket))"
    )
    return "\n".join(lines) + "\n"


def command(read: Iterable[Path], write: Iterable[Path], network: bool) -> list[str]:
    """sandbox-exec with the profile, up to the program to run."""
    return [SANDBOX_EXEC, "-p", profile(read, write, network)]


def _quoted(path: Path) -> str:
    return json.dumps(str(path), ensure_ascii=False)
