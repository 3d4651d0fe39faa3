"""Which isolation this machine offers, tried for real, and what a finished run's self-test proves."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

from lossdoctor.errors import BadArgument, IsolationRefused
from lossdoctor.model import Isolation
from lossdoctor.sandbox import bubblewrap, devices
from lossdoctor.sandbox.layout import Level
from lossdoctor.sandbox.project import Project

FORCE = "LOSSDOCTOR_ISOLATION"  # namespaces | landlock | seatbelt | none: tests and troubleshooting
MADE_BY_PROGRAMS = frozenset(("PWD", "OLDPWD", "SHLVL", "_", "LC_CTYPE", "__CF_USER_TEXT_ENCODING"))
HOLES = {
    "namespaces": "system folders, /opt and shared data roots can be read",
    "landlock": "/dev/shm is shared, process names and command lines are visible, chmod has no effect, "
    "no TCP even on loopback (torchrun)",
    "seatbelt": "not yet run on a Mac",
    "none": "time, memory and process limits only",
}


def judge(level: Level, report: dict[str, Any], project: Project, allowed: Iterable[str]) -> Isolation:
    """The truth about one run: what its self-test reached, compared with what lies outside."""
    home = Path.home()
    same_home = report["home_identity"] == _identity(home)
    same_project = report["project_identity"] == _identity(project.root)
    surplus = set(report["environment"]) - set(allowed) - MADE_BY_PROGRAMS
    return Isolation(
        level=level,
        network_blocked=not report["host_service"] and not report["outside"],
        project_protected=not (same_project and report["project_written"]),
        home_hidden=not (same_home and (report["home_listed"] or report["secrets_listed"])),
        environment_scrubbed=not surplus,
        details=_details(level, report),
    )


def _identity(folder: Path) -> list[int]:
    try:
        found = folder.stat()
    except OSError:
        return []
    return [found.st_dev, found.st_ino]


def _details(level: Level, report: dict[str, Any]) -> str:
    mechanism = {
        "namespaces": "bubblewrap, own network, processes and mounts, seccomp",
        "landlock": f"Landlock ABI {report.get('landlock_abi', 0)}, seccomp",
        "seatbelt": "sandbox-exec",
        "none": "no isolation",
    }[level]
    hidden_gpu = devices.has_gpu() and not report["gpu_nodes"]
    return f"{mechanism}, limits; {HOLES[level]}" + (
        "; a GPU exists but is not visible inside" if hidden_gpu else ""
    )


def ladder(allow_unsandboxed: bool) -> tuple[Level, ...]:
    """The rungs to try, best first; raises IsolationRefused when none works and there is no consent."""
    forced = os.environ.get(FORCE)
    if forced and forced not in get_args(Level):
        raise BadArgument(
            f"{FORCE}={forced!r} is no isolation level", hint=f"use one of {', '.join(get_args(Level))}"
        )
    working = tuple(found.level for found in available_isolation() if not forced or found.level == forced)
    if working:
        return working
    if allow_unsandboxed and forced in (None, "", "none"):
        return ("none",)
    hint = (
        "install bubblewrap (apt install bubblewrap), or run code you trust with allow_unsandboxed=true"
    )
    raise IsolationRefused("no isolation works on this machine", where=_reasons(), hint=hint)


def _reasons() -> str:
    forced = os.environ.get(FORCE)
    return (
        f"{FORCE}={forced}"
        if forced
        else "; ".join(f"{level}: {probe.why}" for level, probe in _probes().items())
    )


def available_isolation() -> tuple[Isolation, ...]:
    """Every rung that works here, best first, as its self-test found it; tried once per process."""
    return tuple(probe.found for probe in _probes().values() if probe.found is not None)


def unix_sockets_are_asked() -> bool:
    """Whether the supervisor can decide on Unix sockets here (seccomp notification, pidfd_getfd)."""
    return _probes().get("landlock", Probe()).ask


@dataclass(frozen=True)
class Probe:
    """One rung's trial: what it holds, or why it does not work here."""

    found: Isolation | None = None
    why: str = ""
    ask: bool = False


@lru_cache(maxsize=1)
def _probes() -> dict[Level, Probe]:
    levels: tuple[Level, ...] = ("seatbelt",) if sys.platform == "darwin" else ("namespaces", "landlock")
    return {level: _probe(level) for level in levels}


def _probe(level: Level) -> Probe:
    """Start an empty program through the whole chain, if need be without deciding on Unix sockets."""
    if level == "namespaces" and bubblewrap.executable() is None:
        return Probe(why="bubblewrap is not installed")
    asking = _try(level, ask=True)
    if level != "landlock" or asking.found is not None:
        return asking
    return _try(level, ask=False)


def _try(level: Level, ask: bool) -> Probe:
    from lossdoctor.sandbox.trial import trial

    with tempfile.TemporaryDirectory(prefix="lossdoctor-probe-") as folder:
        try:
            report, allowed, project = trial(level, Path(folder), ask)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            return Probe(why=str(error)[:200])
    found = judge(level, report, project, allowed)
    held = found.network_blocked and found.project_protected and found.home_hidden and report["own_service"]
    return Probe(found, ask=ask) if held else Probe(why=f"does not hold: {found}")
