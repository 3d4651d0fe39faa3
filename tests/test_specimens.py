"""Specimens, recorded once each without intervention: sick ones are suspected, healthy ones raise no suspicion.

The default run takes the first sick and the first healthy case of each fault that ``faults/long.toml`` does not list,
and every healthy oddity; ``-m slow`` takes the rest. ``faults/known_misses.toml`` lists what is not told rightly yet.
``benchmarks/faults/evaluate.py`` runs the whole protocol over all of them.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.toml import read_toml

from lossdoctor.detectors.base import TENTATIVE
from lossdoctor.detectors.catalogue import fault_ids, run_detectors
from lossdoctor.traces.reader import read_trace

TIMED = frozenset({"sync_bottleneck", "dataloader_bottleneck"})  # depend on the machine: not held to a miss
FAULTS = Path(__file__).parent / "faults"
LONG = read_toml(FAULTS / "long.toml")
KNOWN: dict[str, str] = read_toml(FAULTS / "known_misses.toml")


def _cases() -> list[Any]:
    first: set[tuple[str, bool]] = set()
    found = []
    for path in sorted(FAULTS.rglob("case.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        fault = path.relative_to(FAULTS).parts[0]
        sort = (fault, case["expect"] == "healthy")
        name = str(path.parent.relative_to(FAULTS))
        extra = fault != "_healthy" and (sort in first or name in LONG)
        if not extra:
            first.add(sort)
        marks: list[Any] = [pytest.mark.slow] if extra else []
        if name in KNOWN:
            marks.append(pytest.mark.xfail(reason=KNOWN[name], strict=fault not in TIMED))
        found.append(pytest.param(path.parent, case, id=str(path.parent.relative_to(FAULTS)), marks=marks))
    return found


def _record(folder: Path, case: dict[str, Any], tmp_path: Path, warm: subprocess.Popen[str]) -> Path:
    project = tmp_path / "project"
    shutil.copytree(folder, project)
    config = {"script": str(project / case["entry"]), "module": None, "argv": case.get("args", []), "seed": 0,
              "trace": str(tmp_path / "trace"), "max_steps": None, "max_seconds": 40, "interventions": [],
              "project": str(project), "real_project": str(folder)}  # fmt: skip
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    assert warm.stdin is not None
    assert warm.stdout is not None
    warm.stdin.write(f"{tmp_path / 'config.json'}\n")
    warm.stdin.flush()
    warm.stdout.readline()
    return tmp_path / "trace"


def _suspicions(trace: Path, case: dict[str, Any]) -> set[str]:
    findings, _ = run_detectors(read_trace(trace))
    kept = [f for f in findings if f.severity != "info"]
    return {f.fault for f in kept if f.confidence > TENTATIVE or case["expect"] != "healthy"}


@pytest.mark.parametrize(("folder", "case"), _cases())
def test_a_sick_specimen_is_suspected_and_a_healthy_one_is_not(
    folder: Path, case: dict[str, Any], tmp_path: Path, warm: subprocess.Popen[str]
) -> None:
    suspicions = _suspicions(_record(folder, case, tmp_path, warm), case)
    if case["expect"] == "healthy":
        assert not suspicions
    elif case["expect"] in fault_ids():
        assert suspicions & {case["expect"], *case.get("also_ok", ())}
    else:
        pytest.skip(f"no detector for {case['expect']} yet")
