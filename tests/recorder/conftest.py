"""Ways to run the recorder: forked from a warm interpreter (fast), or cold, as the sandbox starts it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.recorder.harness import Change, Record, Recorded, cold, prepare, result


@pytest.fixture
def record(warm: subprocess.Popen[str], tmp_path: Path) -> Record:
    """Record a script given as text. ``files`` are further project files, the rest overrides the config."""
    count = iter(range(1000))

    def run(source: str, files: dict[str, str] | None = None, **config: Any) -> Recorded:
        folder = tmp_path / f"run{next(count)}"
        path = prepare(folder, source, files, **config)
        assert warm.stdin is not None
        assert warm.stdout is not None
        warm.stdin.write(f"{path}\n")
        warm.stdin.flush()
        return result(folder, int(warm.stdout.readline()))

    return run


@pytest.fixture
def run_bare(warm: subprocess.Popen[str], tmp_path: Path) -> Callable[..., str]:
    """What a script prints without any recorder."""

    def run(source: str, **config: Any) -> str:
        folder = tmp_path / "bare"
        path = prepare(folder, source, bare=True, **config)
        assert warm.stdin is not None
        assert warm.stdout is not None
        warm.stdin.write(f"{path}\n")
        warm.stdin.flush()
        status = int(warm.stdout.readline())
        assert status == 0, (folder / "stderr.txt").read_text()
        return (folder / "stdout.txt").read_text()

    return run


@pytest.fixture
def record_cold(user_python: str, tmp_path: Path) -> Record:
    """The same as ``python -u launch.py config.json``, the way the sandbox starts it."""
    count = iter(range(1000))

    def run(source: str, files: dict[str, str] | None = None, **config: Any) -> Recorded:
        return cold(user_python, tmp_path / f"cold{next(count)}", source, files, **config)

    return run


@pytest.fixture
def change(record: Record) -> Change:
    """Record with one intervention; without a name, as the script is."""

    def run(source: str, name: str | None = None, **parameters: Any) -> Recorded:
        return record(source, interventions=[{"name": name, **parameters}] if name else [])

    return run
