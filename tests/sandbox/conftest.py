"""A stub recorder (no torch), a project in a temporary folder, and the rungs of this machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from lossdoctor.sandbox import Interpreter, isolation, layout, runner
from lossdoctor.sandbox.layout import Rung

LAUNCH = """
import builtins, json, sys, runpy
config = json.load(open(sys.argv[1]))
records = open(config["trace"] + "/records.jsonl", "a", buffering=1)
builtins.step = lambda i: records.write('{"k":"step","i":%d}\\n' % (i + 1))
builtins.config = config
sys.argv = [config["script"], *config["argv"]]
runpy.run_path(config["script"], run_name="__main__")
records.write('{"k":"end"}\\n')
"""
Write = Callable[[str], Path]


@pytest.fixture
def stub_recorder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A recorder that runs the script and offers it ``step(i)``; our own interpreter runs it."""
    folder = tmp_path / "recorder"
    folder.mkdir()
    (folder / "launch.py").write_text(LAUNCH)
    monkeypatch.setattr(layout, "RECORDER", folder)
    own = Interpreter(sys.executable, "3", "0", "argument")
    monkeypatch.setattr(runner, "find_interpreter", lambda script, cwd, python: own)
    return folder


@pytest.fixture(params=["bubblewrap", "unshare", "landlock"])
def rung(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Rung:
    """Every rung that works here, forced; the others are skipped with their reason."""
    level: Rung = request.param
    probe = isolation.probe(level)
    if probe.found is None:
        pytest.skip(f"{level}: {probe.why}")
    monkeypatch.setenv(isolation.FORCE, level)
    return level


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An empty project."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "requirements.txt").write_text("torch\n")
    return folder


@pytest.fixture
def script(project: Path) -> Write:
    """Writes the project's training script."""

    def write(source: str) -> Path:
        path = project / "train.py"
        path.write_text(dedent(source))
        return path

    return write
