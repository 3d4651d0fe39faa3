"""Recording small scripts with the real recorder, in the user's interpreter, outside any sandbox."""

from __future__ import annotations

import json
import subprocess
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lossdoctor.model import Trace
from lossdoctor.traces.reader import read_trace

LAUNCH = Path(__file__).resolve().parents[2] / "server" / "lossdoctor" / "recorder" / "launch.py"
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}
VOLATILE = frozenset(
    {"t", "dt", "wait", "pid", "hook", "script", "file", "files", "executable", "interventions"}
)


@dataclass(frozen=True)
class Recorded:
    """What one recorded run left."""

    trace: Trace
    status: int
    stdout: str
    stderr: str
    folder: Path

    def of(self, kind: str) -> tuple[dict[str, Any], ...]:
        return self.trace.of(kind)

    @property
    def losses(self) -> list[tuple[float, ...]]:
        return [step.losses for step in self.trace.steps]

    @property
    def stop(self) -> str | None:
        return self.trace.end["stop"] if self.trace.end else None


Record = Callable[..., Recorded]
Change = Callable[..., Recorded]


def prepare(folder: Path, source: str, files: dict[str, str] | None = None, **config: Any) -> Path:
    """Write ``train.py`` (or the script that ``config`` names) into ``folder/project``; path of the config."""
    project = folder / "project"
    name = config.pop("script", "train.py")
    for path, text in {name: source, **(files or {})}.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
    whole = {"script": str(project / name), "module": None, "argv": [], "trace": str(folder / "trace"), "seed": 0,
             "max_steps": 8, "max_seconds": 30, "interventions": [], "project": str(project),
             "real_project": str(project), **config}  # fmt: skip
    path = folder / "config.json"
    path.write_text(json.dumps(whole), encoding="utf-8")
    return path


def result(folder: Path, status: int) -> Recorded:
    names = ("stdout.txt", "stderr.txt")
    out, err = ((folder / name).read_text(encoding="utf-8", errors="replace") for name in names)
    assert (folder / "trace" / "records.jsonl").is_file(), err[-3000:]
    return Recorded(read_trace(folder / "trace"), status, out, err, folder)


def cold(
    python: str,
    folder: Path,
    source: str,
    files: dict[str, str] | None = None,
    env: dict[str, str] | None = None,
    **config: Any,
) -> Recorded:
    """Record in a fresh process of the interpreter ``python``."""
    path = prepare(folder, source, files, **config)
    with (folder / "stdout.txt").open("w") as out, (folder / "stderr.txt").open("w") as err:
        done = subprocess.run(
            [python, "-u", str(LAUNCH), str(path)], cwd=folder / "project", stdin=subprocess.DEVNULL, stdout=out,
            stderr=err, timeout=250, check=False, env={**ENVIRONMENT, **(env or {})},
        )  # fmt: skip
    return result(folder, done.returncode)


def comparable(recorded: Recorded) -> list[dict[str, Any]]:
    """All rows without what differs between two identical runs: clocks, process ids, paths."""
    lines = (recorded.folder / "trace" / "records.jsonl").read_text(encoding="utf-8").splitlines()
    return [{k: v for k, v in json.loads(line).items() if k not in VOLATILE} for line in lines]


def one(recorded: Recorded, kind: str, **match: Any) -> dict[str, Any]:
    """The only record of a kind whose fields equal ``match``."""
    found = [r for r in recorded.of(kind) if all(r.get(k) == v for k, v in match.items())]
    assert len(found) == 1, found
    return found[0]
