"""Warm interpreters: torch imported once per environment, then each experiment starts in a fork.

Off unless LOSSDOCTOR_WARM=1. Only for interpreters outside the project (its code would run before it is
confined), only on Linux, at most one at a time; it ends when idle, with the server, or when another
environment is wanted. A run that finds none ready starts cold: nothing ever waits for a warm one.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lossdoctor.sandbox import layout
from lossdoctor.sandbox.child import quota
from lossdoctor.sandbox.layout import PREFIX, PROGRAMS, Rung

SWITCH = "LOSSDOCTOR_WARM"
IDLE_S = 300.0
FORKED: tuple[Rung, ...] = ("unshare", "landlock", "none")  # bubblewrap can only start programs
PER_RUN = ("HOME", "TMPDIR", "XDG_", "MPLCONFIGDIR", "TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR", "NUMBA_")
_lock = threading.Lock()
_warm: list[Warm] = []


@dataclass(frozen=True)
class Warm:
    """A running zygote, and the environment that it has imported torch in."""

    key: tuple[object, ...]
    process: subprocess.Popen[bytes]
    socket: Path


def wanted() -> bool:
    """Whether the user has switched warm starts on and the platform can fork safely."""
    return os.environ.get(SWITCH) == "1" and sys.platform.startswith("linux")


def usable(rung: Rung, interpreter: str, project: Path, script: Path) -> bool:
    """Whether an experiment may run in a fork of an interpreter that is not confined itself."""
    outside = not Path(interpreter).is_relative_to(project)
    return wanted() and rung in FORKED and outside and script.suffix != ".sh"


def command_for(
    interpreter: str, folders: tuple[str, ...], environment: Mapping[str, str], order: Path
) -> list[str] | None:
    """The command that runs ``order`` in a warm interpreter of this environment; None where none is ready."""
    key = _key(interpreter, folders, environment)
    with _lock:
        for warm in _warm:
            if warm.key == key and warm.socket.exists() and warm.process.poll() is None:
                return [sys.executable, "-I", "-S", str(PROGRAMS / "warmed.py"), str(warm.socket), str(order)]
    return None


def keep(interpreter: str, folders: tuple[str, ...], environment: Mapping[str, str]) -> None:
    """Start warming this environment for the next run, in place of any other; returns at once."""
    key = _key(interpreter, folders, environment)
    with _lock:
        if any(warm.key == key and warm.process.poll() is None for warm in _warm):
            return
        _end_all()
        folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}warm-"))
        process = subprocess.Popen(
            [interpreter, "-u", str(PROGRAMS / "zygote.py"), str(folder / "s"), str(IDLE_S), str(layout.RECORDER)],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/",
            env=_shared(environment, folder), start_new_session=True,
        )  # fmt: skip
        _warm.append(Warm(key, process, folder / "s"))


def end() -> None:
    """End the warm interpreter, if there is one; its running experiments end with it."""
    with _lock:
        _end_all()


def _end_all() -> None:
    while _warm:
        warm = _warm.pop()
        with contextlib.suppress(OSError):
            warm.process.kill()
            if warm.process.stdin is not None:
                warm.process.stdin.close()
        warm.process.wait()
        quota.remove(warm.socket.parent)


def _shared(environment: Mapping[str, str], folder: Path) -> dict[str, str]:
    """The environment without the folders of one run: importing torch._dynamo creates its cache folder."""
    kept = {name: value for name, value in environment.items() if not name.startswith(PER_RUN)}
    return {
        **kept,
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor"),
    }


def _key(interpreter: str, folders: tuple[str, ...], environment: Mapping[str, str]) -> tuple[object, ...]:
    """What must be equal for an imported torch to be the same: packages as installed, and the environment."""
    changed = [Path(folder).stat().st_mtime_ns for folder in folders if Path(folder).is_dir()]
    settings = sorted((name, value) for name, value in environment.items() if not name.startswith(PER_RUN))
    programs = sorted(file.stat().st_mtime_ns for file in layout.RECORDER.rglob("*.py"))
    return (interpreter, tuple(changed), tuple(programs), tuple(settings))
