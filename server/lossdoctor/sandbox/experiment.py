"""What goes into an experiment and what comes out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lossdoctor.model import Isolation, Stop


@dataclass(frozen=True)
class Interpreter:
    """A Python that can import torch, and where it was found ("argument", "VIRTUAL_ENV", ...)."""

    path: str
    version: str
    torch: str
    source: str


@dataclass(frozen=True)
class Edit:
    """One line of one file of the project that reads otherwise in the copy."""

    file: Path
    line: int
    text: str


@dataclass(frozen=True)
class Experiment:
    """One run of the user's script: what to run, for how long, with which one thing changed.

    ``cwd`` defaults to the script's folder. ``max_seconds`` counts from the script's first line.
    ``recorder`` holds further settings that are handed to the recorder as they are. ``edits`` are made in the copy of
    the project alone.
    """

    script: Path
    args: tuple[str, ...] = ()
    cwd: Path | None = None
    python: str | None = None
    module: str | None = None
    seed: int = 0
    max_steps: int | None = None
    max_seconds: float = 60.0
    interventions: tuple[dict[str, Any], ...] = ()
    edits: tuple[Edit, ...] = ()
    recorder: dict[str, Any] = field(default_factory=dict)
    allow_network: bool = False
    allow_unsandboxed: bool = False
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Progress:
    """How far a running experiment is."""

    steps: int
    seconds: float
    message: str


@dataclass(frozen=True)
class Recording:
    """What an experiment left: the trace folder, which the caller keeps or deletes, and how it ended.

    ``stop`` is "killed" or "max_seconds" when we ended it, None when the process ended by itself.
    The tails hold at most 8 KB each; ``stdout_bytes`` counts all that was printed.
    """

    folder: Path
    stop: Stop | None
    returncode: int | None
    seconds: float
    stdout_tail: str
    stderr_tail: str
    stdout_bytes: int
    isolation: Isolation
    interpreter: Interpreter
    project: Path
    notes: tuple[str, ...]
