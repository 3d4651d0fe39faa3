"""What the confined process can still reach: tried from inside, right before the script starts.

Each answer is what happened, not a judgement: the server compares it with what it knows outside.
"""

# ruff: noqa: PTH109, PTH207, PTH208
# Bare system calls: pathlib would add cost and lazy iterators here.
from __future__ import annotations

import glob
import os
import socket
from pathlib import Path
from typing import Any

TEST_NET = ("192.0.2.1", 9)  # RFC 5737: documentation only, nobody answers
UNREACHABLE = (1, 13, 97, 101)  # EPERM, EACCES, EAFNOSUPPORT, ENETUNREACH


def report(test: dict[str, Any]) -> dict[str, Any]:
    """Try network, project, home and environment as the script could, and say what worked."""
    home, project = Path(test["home"]), Path(test["project"])
    return {
        "host_service": _reaches(test["port"]),
        "outside": _leaves_the_machine(),
        "file_service": _connects(Path(test["decoy"])),
        "own_service": _serves_itself(Path(os.environ["TMPDIR"])),
        "project_written": _writes(project / test["sentinel"]),
        "project_identity": _identity(project),
        "home_written": _writes(home / test["sentinel"]),
        "home_listed": _lists(home),
        "home_identity": _identity(home),
        "secrets_listed": [name for name in test["secrets"] if _opens(home / name)],
        "environment": sorted({*os.environ, *_names_in("/proc/1/environ"), *_names_in(_parent())}),
        "gpu_nodes": sorted(glob.glob("/dev/nvidia[0-9]*") + glob.glob("/dev/kfd")),
    }


def _reaches(port: int) -> bool:
    """Whether a service that listens on the machine's own loopback address accepts us."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1.0):
            return True
    except OSError:
        return False


def _leaves_the_machine() -> bool:
    """Whether a connection or a datagram to a foreign address would be sent at all."""
    return _sends(socket.SOCK_STREAM) or _sends(socket.SOCK_DGRAM)


def _sends(kind: int) -> bool:
    try:
        with socket.socket(socket.AF_INET, kind) as line:
            line.setblocking(False)
            line.connect(TEST_NET)
    except BlockingIOError:
        return True
    except OSError as error:
        return error.errno not in UNREACHABLE
    return True


def _connects(path: Path) -> bool:
    """Whether a socket in the file system accepts us; from its folder, since addresses are short."""
    here = os.getcwd()
    try:
        os.chdir(path.parent)
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(path.name)
    except OSError:
        return False
    finally:
        os.chdir(here)
    return True


def _serves_itself(folder: Path) -> bool:
    """Whether our own processes can still talk to each other, as DataLoader workers must."""
    here, name = os.getcwd(), f"selftest-{os.getpid()}"
    try:
        os.chdir(folder)
        with socket.socket(socket.AF_UNIX) as service:
            service.bind(name)
            service.listen()
            return _connects(folder / name)
    except OSError:
        return False
    finally:
        (folder / name).unlink(missing_ok=True)
        os.chdir(here)


def _writes(path: Path) -> bool:
    try:
        path.open("x").close()
        path.unlink()
    except OSError:
        return False
    return True


def _lists(folder: Path) -> bool:
    try:
        os.listdir(folder)
    except OSError:
        return False
    return True


def _identity(folder: Path) -> list[int]:
    try:
        found = folder.stat()
    except OSError:
        return []
    return [found.st_dev, found.st_ino]


def _opens(path: Path) -> bool:
    try:
        os.listdir(path) if path.is_dir() else path.open("rb").close()
    except OSError:
        return False
    return True


def _parent() -> str:
    return f"/proc/{os.getppid()}/environ"


def _names_in(environ: str) -> list[str]:
    try:
        raw = Path(environ).read_bytes()
    except OSError:
        return []
    return [entry.split(b"=", 1)[0].decode("utf-8", "replace") for entry in raw.split(b"\0") if entry]
