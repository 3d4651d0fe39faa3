"""Paths that a client names: relative ones belong to the project that is open there."""

from __future__ import annotations

import os
from pathlib import Path


def project_folder(cwd: str | None = None) -> Path:
    """The folder that relative paths start from: ``cwd``, Claude Code's open project, or our own folder."""
    base = Path(os.environ.get("CLAUDE_PROJECT_DIR") or Path.cwd())
    return base / Path(cwd).expanduser() if cwd else base


def absolute(path: str, cwd: str | None = None) -> str:
    """``path`` made absolute; whether it exists is for the experiment runner to say."""
    return str(project_folder(cwd) / Path(path).expanduser())
