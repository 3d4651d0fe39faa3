"""What this machine can do for a diagnosis: one line each, and for what is missing its cause and remedy."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from . import __version__
from .errors import LossDoctorError
from .sandbox import find_interpreter
from .sandbox.devices import has_gpu
from .tools.isolation import isolation_here


class Ability(NamedTuple):
    """One thing that a diagnosis needs or can use."""

    name: str
    state: str
    needed: bool = False
    missing: bool = False


def machine_report() -> tuple[bool, str]:
    """(whether a script can be diagnosed here, the report)."""
    abilities = list(_abilities())
    lines = [f"{_mark(ability)} {ability.name:<13}{ability.state}" for ability in abilities]
    able = not any(ability.needed and ability.missing for ability in abilities)
    closing = "ready: lossdoctor diagnose SCRIPT" if able else "not ready: see the line that begins with '-'"
    return able, "\n".join([*lines, "", closing])


def _mark(ability: Ability) -> str:
    return "+" if not ability.missing else "-" if ability.needed else "o"


def _abilities() -> Iterator[Ability]:
    own = f"{__version__}, Python {platform.python_version()} at {sys.executable}"
    yield Ability("lossdoctor", own)
    yield _interpreter()
    yield _isolation()
    gpu = "a GPU is visible" if has_gpu() else "none visible; scripts run on the CPU"
    yield Ability("GPU", gpu, missing=not has_gpu())


def _interpreter() -> Ability:
    here = Path.cwd()
    try:
        found = find_interpreter(here / "train.py", here, None)
    except LossDoctorError as error:
        remedy = "activate the environment that trains, or pass --python PATH"
        return Ability("interpreter", f"{error.what}: {error.where}. {remedy}", needed=True, missing=True)
    state = f"{found.path} (torch {found.torch}, Python {found.version}, found by {found.source})"
    return Ability("interpreter", state, needed=True)


def _isolation() -> Ability:
    best = isolation_here()
    if best is None:
        remedy = "install bubblewrap (apt install bubblewrap), or use Linux >= 5.13, which has Landlock"
        return Ability("isolation", f"none works here: {remedy}", missing=True)
    return Ability("isolation", f"{best.level} ({best.details})")
