"""Where traces are kept: a bounded number in the user's cache folder."""

from __future__ import annotations

import json
import os
import shutil
import time
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import TraceInvalid

if TYPE_CHECKING:
    from ..model import Trace
    from ..traces.trials import Trial

KEPT = 20
IN_USE_S = 900.0  # since a file of a trace was last written: another diagnosis may still be working with it


def traces_folder() -> Path:
    """``$LOSSDOCTOR_TRACES``, else ``$XDG_CACHE_HOME/lossdoctor/traces``, else under ``~/.cache``."""
    named = os.environ.get("LOSSDOCTOR_TRACES")
    if named:
        return Path(named)
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "lossdoctor" / "traces"


def new_folder() -> Path:
    """A fresh folder for one diagnosis; the oldest ones beyond the limit are removed, if nobody writes to them."""
    root = traces_folder()
    root.mkdir(parents=True, exist_ok=True)
    _prune(root)
    folder = root / f"{time.strftime('%m%d-%H%M%S')}-{uuid.uuid4().hex[:6]}"
    folder.mkdir()
    return folder


def _prune(root: Path) -> None:
    written = {folder: _written(folder) for folder in root.iterdir() if folder.is_dir()}
    oldest = sorted(written, key=lambda folder: written[folder])[: max(0, len(written) - KEPT + 1)]
    for folder in oldest:
        if time.time() - written[folder] > IN_USE_S:
            discard(folder)


def _written(folder: Path) -> float:
    """When the folder or a file in it was last written, in seconds since the epoch."""
    try:
        return max(path.stat().st_mtime for path in (folder, *folder.iterdir()))
    except OSError:  # another process has just removed it
        return time.time()


def last_torch() -> str | None:
    """torch version of the newest trace: what the user's project runs; None when nothing was recorded yet."""
    try:
        folders = sorted(
            (f for f in traces_folder().iterdir() if f.is_dir()), key=lambda f: f.stat().st_mtime
        )
        with (folders[-1] / "records.jsonl").open(encoding="utf-8") as file:
            row = json.loads(file.readline())
    except (OSError, IndexError, ValueError):
        return None
    version = row.get("torch") if isinstance(row, dict) else None
    return version if isinstance(version, str) else None


def discard(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def find(identity: str) -> Path:
    """The folder of a trace id. Raises TraceInvalid for an unknown one."""
    folder = traces_folder() / identity
    if "/" in identity or identity in ("", ".", "..") or not folder.is_dir():
        raise TraceInvalid(
            f"no trace {identity[:60]!r}", hint=f"the last {KEPT} are kept; run the probe again"
        )
    return folder


def recorded(identity: str) -> tuple[Trace, tuple[Trial, ...]]:
    """The trace of this id, and what its experiments came to. Raises TraceInvalid for an unknown one."""
    from ..traces.reader import (
        read_trace,  # here: the server starts with this module, and reads traces when asked
    )
    from ..traces.trials import read_trials

    folder = find(identity)
    return read_trace(folder), read_trials(folder)
