"""Which isolation this machine offers, tried for real, and what a finished run's self-test proves."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
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
    "landlock": "file sockets of other programs can be reached, /dev/shm is shared, process names and "
    "command lines are visible, no loopback TCP (torchrun)",
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


def choose(allow_unsandboxed: bool) -> Level:
    """The best rung that works here; raises IsolationRefused when there is none and no consent."""
    forced = os.environ.get(FORCE)
    if forced and forced not in get_args(Level):
        raise BadArgument(
            f"{FORCE}={forced!r} is no isolation level", hint=f"use one of {', '.join(get_args(Level))}"
        )
    working = [found.level for found in available_isolation() if not forced or found.level == forced]
    if working:
        return working[0]
    if allow_unsandboxed and forced in (None, "none"):
        return "none"
    hint = (
        "install bubblewrap (apt install bubblewrap), or allow running without isolation for code you trust"
    )
    raise IsolationRefused("no isolation works on this machine", where=_reasons(), hint=hint)


def _reasons() -> str:
    forced = os.environ.get(FORCE)
    return (
        f"{FORCE}={forced}"
        if forced
        else "; ".join(f"{level}: {why}" for level, (_, why) in _probes().items())
    )


def available_isolation() -> tuple[Isolation, ...]:
    """Every rung that works here, best first, as its self-test found it; tried once per process."""
    return tuple(found for found, _ in _probes().values() if found is not None)


@lru_cache(maxsize=1)
def _probes() -> dict[Level, tuple[Isolation | None, str]]:
    levels: tuple[Level, ...] = ("seatbelt",) if sys.platform == "darwin" else ("namespaces", "landlock")
    return {level: _probe(level) for level in levels}


def _probe(level: Level) -> tuple[Isolation | None, str]:
    """Start an empty program through the whole chain; (what held, why it did not)."""
    from lossdoctor.sandbox.trial import trial

    if level == "namespaces" and bubblewrap.executable() is None:
        return None, "bubblewrap is not installed"
    with tempfile.TemporaryDirectory(prefix="lossdoctor-probe-") as folder:
        try:
            report, allowed, project = trial(level, Path(folder))
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            return None, str(error)[:200]
    found = judge(level, report, project, allowed)
    held = found.network_blocked and found.project_protected and found.home_hidden
    return (found, "") if held else (None, f"does not hold: {found}")
