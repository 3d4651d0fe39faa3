"""Which isolation this machine offers, tried for real, and what a finished run's self-test proves."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

from lossdoctor.errors import BadArgument, IsolationRefused
from lossdoctor.model import Isolation
from lossdoctor.sandbox import bubblewrap, devices
from lossdoctor.sandbox.hidden import home_folder
from lossdoctor.sandbox.layout import LEVELS, Level, Rung
from lossdoctor.sandbox.project import Project

FORCE = "LOSSDOCTOR_ISOLATION"  # namespaces | landlock | seatbelt | none: tests and troubleshooting
MADE_BY_PROGRAMS = frozenset(("PWD", "OLDPWD", "SHLVL", "_", "LC_CTYPE", "__CF_USER_TEXT_ENCODING"))
VISIBLE = "system folders, /opt and shared data roots can be read"
MECHANISMS: dict[Rung, tuple[str, str]] = {
    "bubblewrap": ("bubblewrap: own network, processes and mounts; seccomp, limits", VISIBLE),
    "unshare": ("own user, network, process and mount namespaces; seccomp, limits", VISIBLE),
    "landlock": (
        "Landlock ABI {abi}, seccomp, limits",
        "/dev/shm is shared, process names and command lines are visible, chmod has no effect, "
        "no TCP even on loopback (torchrun)",
    ),
    "seatbelt": ("sandbox-exec, limits", "not yet run on a Mac"),
    "none": ("no isolation", "time, memory and process limits only"),
}


def judge(rung: Rung, report: dict[str, Any], project: Project, allowed: Iterable[str]) -> Isolation:
    """The truth about one run: what its self-test reached, compared with what lies outside."""
    home = home_folder()
    same_home = report["home_identity"] == _identity(home)
    same_project = report["project_identity"] == _identity(project.root)
    surplus = set(report["environment"]) - set(allowed) - MADE_BY_PROGRAMS
    return Isolation(
        level=LEVELS[rung],
        network_blocked=not report["host_service"] and not report["outside"],
        project_protected=not (same_project and report["project_written"]),
        home_hidden=not (same_home and (report["home_listed"] or report["secrets_listed"])),
        environment_scrubbed=not surplus,
        details=_details(rung, report),
    )


def _identity(folder: Path) -> list[int]:
    try:
        found = folder.stat()
    except OSError:
        return []
    return [found.st_dev, found.st_ino]


def _details(rung: Rung, report: dict[str, Any]) -> str:
    mechanism, holes = MECHANISMS[rung]
    remarks = [mechanism.format(abi=report.get("landlock_abi", 0)), holes]
    if report["file_service"] and rung != "none":
        remarks.append("sockets of other programs in the file system can be reached")
    if devices.has_gpu() and not report["gpu_nodes"]:
        remarks.append("a GPU exists but is not visible inside")
    return "; ".join(remarks)


def ladder(allow_unsandboxed: bool, forked: bool = False) -> Iterator[Rung]:
    """The rungs that work here, best first, each tried only when it is asked for.

    ``forked`` prefers our own namespaces to bubblewrap, which can only start programs. Raises
    IsolationRefused when none works and there is no consent to run without.
    """
    forced = os.environ.get(FORCE)
    known = {*get_args(Level), *get_args(Rung)}
    if forced and forced not in known:
        raise BadArgument(
            f"{FORCE}={forced!r} is no isolation level", hint=f"use one of {', '.join(sorted(known))}"
        )
    some = False
    for rung in _rungs(forked):
        if (not forced or forced in (rung, LEVELS[rung])) and probe(rung).found is not None:
            some = True
            yield rung
    if some:
        return
    if not allow_unsandboxed or forced not in (None, "", "none"):
        hint = (
            "install bubblewrap (apt install bubblewrap), or run code you trust with allow_unsandboxed=true"
        )
        raise IsolationRefused("no isolation works on this machine", where=_reasons(), hint=hint)
    yield "none"


def _rungs(forked: bool = False) -> tuple[Rung, ...]:
    if sys.platform == "darwin":
        return ("seatbelt",)
    return ("unshare", "bubblewrap", "landlock") if forked else ("bubblewrap", "unshare", "landlock")


def _reasons() -> str:
    forced = os.environ.get(FORCE)
    return f"{FORCE}={forced}" if forced else "; ".join(f"{rung}: {probe(rung).why}" for rung in _rungs())


def available_isolation() -> tuple[Isolation, ...]:
    """Every rung that works here, best first, as its self-test found it; tried once per process."""
    best: dict[Level, Isolation] = {}
    for rung in _rungs():
        found = probe(rung).found
        if found is not None:
            best.setdefault(found.level, found)
    return tuple(best.values())


def unix_sockets_are_asked() -> bool:
    """Whether the supervisor can decide on Unix sockets here (seccomp notification, pidfd_getfd)."""
    return probe("landlock").ask


@dataclass(frozen=True)
class Probe:
    """One rung's trial: what it holds, or why it does not work here."""

    found: Isolation | None = None
    why: str = ""
    ask: bool = False


@lru_cache(maxsize=8)
def probe(rung: Rung) -> Probe:
    """Start an empty program through the whole chain, if need be without deciding on Unix sockets."""
    if rung == "bubblewrap" and bubblewrap.executable() is None:
        return Probe(why="bubblewrap is not installed")
    asking = _try(rung, ask=True)
    if rung != "landlock" or asking.found is not None:
        return asking
    return _try(rung, ask=False)


def _try(rung: Rung, ask: bool) -> Probe:
    from lossdoctor.sandbox.trial import trial

    with tempfile.TemporaryDirectory(prefix="lossdoctor-probe-") as folder:
        try:
            report, allowed, project = trial(rung, Path(folder), ask)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            return Probe(why=str(error)[:200])
    found = judge(rung, report, project, allowed)
    held = found.network_blocked and found.project_protected and found.home_hidden and report["own_service"]
    return Probe(found, ask=ask) if held else Probe(why=f"does not hold: {found}")
