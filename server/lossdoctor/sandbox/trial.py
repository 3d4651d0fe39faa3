"""One empty experiment through the whole chain: does this rung work on this machine?"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from lossdoctor.sandbox.child import quota
from lossdoctor.sandbox.experiment import Experiment, Interpreter
from lossdoctor.sandbox.layout import Rung, make_work
from lossdoctor.sandbox.limits import Limits
from lossdoctor.sandbox.prepare import Plan, prepare
from lossdoctor.sandbox.project import Project

PATIENCE_S = 20.0
NOTHING = (shutil.which("true") or "/usr/bin/true",)


def trial(rung: Rung, folder: Path, ask: bool = True) -> tuple[dict[str, Any], frozenset[str], Project]:
    """The self-test's report, the variables that were passed, the project it ran in.

    Raises ValueError with the mechanism's own words where it does not work here.
    """
    script = folder / "project" / "empty.py"
    script.parent.mkdir()
    script.touch()
    own = Interpreter(sys.executable, "", "", "own")
    folders = (sys.prefix, sys.base_prefix, *filter(None, sys.path))
    work = make_work(folder / "trace")
    project = Project(script.parent)
    plan = Plan(Experiment(script), own, folders, project, script.parent, rung, Limits(), work, ask, NOTHING)
    try:
        prepared = prepare(plan)
        said = _run(prepared.command)
        return _report(work.outcome, said), frozenset(prepared.environment), project
    finally:
        quota.remove(work.root)


def _run(command: list[str]) -> bytes:
    """The supervisor's stderr; its leash is held until it has ended."""
    with tempfile.TemporaryFile() as errors:
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=errors, stderr=errors) as supervisor:
            try:
                supervisor.wait(PATIENCE_S)
            finally:
                supervisor.kill()
        errors.seek(0)
        return errors.read(1 << 16)


def _report(outcome: Path, stderr: bytes) -> dict[str, Any]:
    found: dict[str, Any] = (
        json.loads(outcome.read_text(encoding="utf-8"))["report"] if outcome.exists() else {}
    )
    if "error" in found or not found:
        said = stderr.decode("utf-8", "replace").strip().splitlines()
        raise ValueError(found.get("error") or (said[-1] if said else "it did not start"))
    return found
