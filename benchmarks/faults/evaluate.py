"""Runs every specimen through ``diagnose`` and prints what was found, what was missed and what it cost.

    python benchmarks/faults/evaluate.py                          all of tests/faults
    python benchmarks/faults/evaluate.py tests/faults_heldout     specimens no detector was developed on
    python benchmarks/faults/evaluate.py tests/faults/lr_too_low --python .venv-with-torch

A specimen is a folder with ``case.json`` (see tests/faults/README.md). Detection: a sick run is called faulty. Top-1
and top-3: the expected fault, or an accepted synonym, is the first, or among the first three findings. False alarm:
a healthy run is called faulty. Pairs: both twins of an identical-code pair are right. Line: the finding points within
two lines of the culprit, or names the parameter, where the case gives one; then the same with the other places that the
case accepts (``also_at``).
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

import anyio

from lossdoctor.errors import LossDoctorError
from lossdoctor.model import Diagnosis
from lossdoctor.tools.chain import DiagnoseRequest, diagnose
from lossdoctor.tools.shaping import shaped, tokens

NEAR = 2


@dataclass(frozen=True)
class Outcome:
    """One specimen: what was expected and what ``diagnose`` said."""

    case: str
    expect: str
    verdict: str
    found: tuple[str, ...]
    top1: bool
    top3: bool
    confirmed: bool
    exact: bool | None
    place: bool | None
    seconds: float
    tokens: int
    pair: str | None
    error: str | None = None

    @property
    def healthy(self) -> bool:
        return self.expect == "healthy"

    @property
    def right(self) -> bool:
        return self.verdict != "faulty" if self.healthy else self.top1


def interpreter(given: str) -> str:
    """What ``--python`` names: a path is meant from the current folder, anything else is a command on PATH."""
    return str(Path(given).absolute()) if Path(given).exists() else given


def cases(roots: list[Path]) -> list[Path]:
    return sorted(path.parent for root in roots for path in root.rglob("case.json"))


def expected(folder: Path) -> str:
    """The fault that the author of a specimen names, or ``healthy``."""
    return str(json.loads((folder / "case.json").read_text(encoding="utf-8"))["expect"])


def options(about: str | None, seconds: float) -> argparse.ArgumentParser:
    """What every script takes that runs specimens: an interpreter, a budget of ``seconds`` each, how many at a time."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", type=interpreter, help="with torch (default: found as the tool finds it)")
    parser.add_argument(
        "--seconds", type=float, default=seconds, help="budget of each recording or diagnosis"
    )
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write all outcomes to this file")
    return parser


def chosen_of(folders: list[Path], sample: int | None) -> list[Path]:
    """So many of the folders, drawn with seed 0; all where none or more are asked for."""
    return random.Random(0).sample(folders, min(sample, len(folders))) if sample else folders


async def evaluate(folder: Path, python: str | None, seconds: float) -> Outcome:
    """Diagnose one specimen."""
    case = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    request = DiagnoseRequest(
        script=str(folder / case["entry"]),
        args=tuple(case.get("args", ())),
        python=python,
        max_seconds=seconds,
    )
    started = time.monotonic()
    name, expect = str(folder), case["expect"]
    try:
        result = await diagnose(request, _silent)
    except LossDoctorError as error:
        took = time.monotonic() - started
        return Outcome(
            name, expect, "error", (), False, False, False, None, None, took, 0, case.get("pair"), str(error)
        )
    return _outcome(name, case, result, time.monotonic() - started)


async def _silent(progress: float, total: float | None, message: str) -> None:
    return None


def _outcome(name: str, case: dict[str, Any], result: Diagnosis, seconds: float) -> Outcome:
    counted = [f for f in result.findings if f.status != "refuted" and f.severity != "info"]
    found = tuple(f.fault for f in counted)
    accepted = {case["expect"], *case.get("also_ok", ())}
    return Outcome(
        case=name, expect=case["expect"], verdict=result.verdict, found=found,
        top1=bool(found) and found[0] in accepted, top3=bool(accepted & set(found[:3])),
        confirmed=bool(counted) and counted[0].status == "confirmed",
        exact=_place({**case, "also_at": ()}, counted), place=_place(case, counted),
        seconds=round(seconds, 1), tokens=tokens(shaped(result, "concise")), pair=case.get("pair"),
    )  # fmt: skip


def _place(case: dict[str, Any], counted: list[Any]) -> bool | None:
    if not case.get("line") and not case.get("parameter"):
        return None
    if not counted:
        return False
    return any(_points_at(counted[0].where, place) for place in (case, *case.get("also_at", ())))


def _points_at(where: Any, place: dict[str, Any]) -> bool:
    wanted = place.get("line")
    line = wanted is not None and where.line is not None and abs(where.line - wanted) <= NEAR
    file = not place.get("file") or (where.file or "").endswith(place["file"])
    named = place.get("parameter") and _plain(where.parameter) == _plain(place["parameter"])
    return bool((line and file) or named)


def _plain(name: str | None) -> str:
    """The name of a parameter or an option, however its dashes are written."""
    return (name or "").lstrip("-").replace("-", "_")


async def run_all(folders: list[Path], jobs: int, one: Callable[[Path], Awaitable[Outcome]]) -> list[Outcome]:
    """Evaluate with at most ``jobs`` at a time; prints each as it ends."""
    outcomes: list[Outcome] = []
    limiter = anyio.CapacityLimiter(jobs)

    async def work(folder: Path) -> None:
        async with limiter:
            outcome = await one(folder)
        outcomes.append(outcome)
        mark = "ok  " if outcome.right else "MISS"
        said = ", ".join(outcome.found) or outcome.error or "-"
        print(
            f"{mark} {outcome.case}: expected {outcome.expect}; {outcome.verdict}: {said[:110]} ({outcome.seconds} s)"
        )

    async with anyio.create_task_group() as group:
        for folder in folders:
            group.start_soon(work, folder)
    return sorted(outcomes, key=lambda o: o.case)


def table(outcomes: list[Outcome]) -> str:
    """The summary as a Markdown table."""
    sick, healthy = [o for o in outcomes if not o.healthy], [o for o in outcomes if o.healthy]
    pairs: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.pair:
            pairs.setdefault(outcome.pair, []).append(outcome)
    whole = [p for p in pairs.values() if len(p) > 1]
    placed = [o for o in sick if o.place is not None]
    right = [o for o in sick if o.top1]
    rows = [
        ("sick runs called faulty", _share([o.verdict == "faulty" for o in sick])),
        ("root cause first", _share([o.top1 for o in sick])),
        ("root cause among the first three", _share([o.top3 for o in sick])),
        ("healthy runs called faulty", _share([o.verdict == "faulty" for o in healthy])),
        ("identical-code pairs, both twins right", _share([all(o.right for o in p) for p in whole])),
        ("right line or parameter", _share([bool(o.exact) for o in placed])),
        ("the same, or another place that the case accepts", _share([bool(o.place) for o in placed])),
        ("first findings confirmed by an intervention", _share([o.confirmed for o in right])),
        ("median seconds of diagnose", f"{median(o.seconds for o in outcomes):.1f}" if outcomes else "-"),
        ("median tokens of the result", f"{median(o.tokens for o in outcomes):.0f}" if outcomes else "-"),
    ]
    return "\n".join(["| measure | value |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)])


def _share(hits: list[bool]) -> str:
    return f"{sum(hits)} of {len(hits)} ({100 * sum(hits) / len(hits):.0f} %)" if hits else "-"


def main() -> None:
    parser = options(__doc__, seconds=120)
    parser.add_argument("folders", nargs="*", type=Path, default=[Path("tests/faults")])
    chosen = parser.parse_args()
    folders = [f.resolve() for f in cases(chosen.folders)]
    outcomes = anyio.run(run_all, folders, chosen.jobs, lambda f: evaluate(f, chosen.python, chosen.seconds))
    if chosen.json:
        chosen.json.write_text(json.dumps([asdict(o) for o in outcomes], indent=1), encoding="utf-8")
    print(table(outcomes))


if __name__ == "__main__":
    main()
