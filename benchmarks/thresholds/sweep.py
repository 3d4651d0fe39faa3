"""What each threshold of the detectors decides: every named number is moved, and the verdicts that change are counted.

    python benchmarks/faults/record.py tests/faults tests/faults_heldout --out recordings
    python benchmarks/thresholds/sweep.py recordings                            every detector: about an hour
    python benchmarks/thresholds/sweep.py recordings --only overfitting label_noise
    python benchmarks/thresholds/sweep.py recordings --shared reordered streams     constants of ``traces/`` modules

A recording is a folder with the records of one run and the specimen's ``case.json``. Per constant and factor it prints
how many sick runs of that fault the detector no longer (or newly) reports, and how many *other* runs it newly (or no
longer) accuses: reports above the tentative confidence alone count, before causes are told from consequences. A
constant with no change between half and twice its value lies in an empty stretch: no recording speaks against it, and
none for its exact place. Only module constants that are numbers are moved; counts stay whole, shares below 1. Constants
of a shared module are moved wherever they are imported to, and counted over the detectors that use the module directly.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from lossdoctor.detectors.base import TENTATIVE
from lossdoctor.detectors.catalogue import fault_ids
from lossdoctor.model import Finding, Trace
from lossdoctor.traces import data
from lossdoctor.traces.reader import read_trace

FACTORS = (0.5, 0.7, 1.4, 2.0)


@dataclass(frozen=True)
class Run:
    """One recording and the faults that a fair judge accepts for it."""

    name: str
    expected: frozenset[str]
    trace: Trace


def runs(root: Path) -> Iterator[Run]:
    """Every recording below ``root``."""
    for case in sorted(root.rglob("case.json")):
        if (case.parent / "records.jsonl").exists():
            asked: dict[str, Any] = json.loads(case.read_text(encoding="utf-8"))
            expected = frozenset((asked["expect"], *asked.get("also_ok", ())))
            yield Run(case.parent.name, expected, read_trace(case.parent))


def constants(module: ModuleType) -> dict[str, float]:
    """The module's own numbers, by name."""
    named = {name: value for name, value in vars(module).items() if name.isupper()}
    return {n: v for n, v in named.items() if isinstance(v, (int, float)) and n != "TENTATIVE"}


def moved(value: float, factor: float) -> float:
    """The constant times the factor; for numbers between 0.5 and 2 their distance from 1 is what is multiplied."""
    if isinstance(value, int):
        return round(value * factor) if round(value * factor) != value else value + (1 if factor > 1 else -1)
    if 0.5 < value < 1:
        return 1 - (1 - value) / factor
    return 1 + (value - 1) * factor if 1 < value < 2 else value * factor


def accused(users: list[ModuleType], recorded: list[Run]) -> set[tuple[str, str]]:
    """(fault, run) for all runs that the detectors report with more than tentative confidence."""
    return {(fault(m), run.name) for m in users for run in recorded if _reports(m, run.trace)}


def fault(module: ModuleType) -> str:
    return module.__name__.rpartition(".")[2]


def _reports(module: ModuleType, trace: Trace) -> bool:
    try:
        found = module.check(trace)
    except (ArithmeticError, IndexError, KeyError, StopIteration, TypeError, ValueError):
        return False  # a constant moved to where it makes no sense
    return isinstance(found, Finding) and found.confidence > TENTATIVE


def holders(module: ModuleType, name: str) -> list[ModuleType]:
    """The module and those that import the constant from it."""
    value = getattr(module, name)
    ours = [m for key, m in sys.modules.items() if key.startswith("lossdoctor.") and m is not module]
    return [
        module,
        *(m for m in ours if name in vars(m) and vars(m)[name] is value and _imports(m, module, name)),
    ]


def _imports(module: ModuleType, other: ModuleType, name: str) -> bool:
    tree = ast.parse(Path(module.__file__ or "").read_text(encoding="utf-8"))
    last = other.__name__.rpartition(".")[2]
    found = (n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and (n.module or "").endswith(last))
    return any(alias.name == name for node in found for alias in node.names)


def users(shared: ModuleType) -> list[ModuleType]:
    """The detectors that use something of a shared module directly."""
    modules = [importlib.import_module(f"lossdoctor.detectors.{f}") for f in fault_ids()]
    return [
        m for m in modules if any(getattr(v, "__module__", "") == shared.__name__ for v in vars(m).values())
    ]


def sweep(module: ModuleType, detectors: list[ModuleType], recorded: list[Run]) -> list[str]:
    """One line per constant that decides something, and one that names those that decide nothing."""
    sick = {(fault(m), run.name) for m in detectors for run in recorded if fault(m) in run.expected}
    usual, lines, idle = accused(detectors, recorded), [], []
    for name, value in constants(module).items():
        changes = []
        for factor in FACTORS:
            now = _moved(module, name, moved(value, factor), detectors, recorded)
            hits, alarms = len(now & sick) - len(usual & sick), len(now - sick) - len(usual - sick)
            changes.append(f"{hits:+d}/{alarms:+d}" if hits or alarms else "=")
        if any(change != "=" for change in changes):
            lines.append(f"  {name:16}{value:>10.4g}  " + "".join(f"{change:>10}" for change in changes))
        else:
            idle.append(name)
    first = f"{fault(module)}: {len(usual & sick)} of {len(sick)} sick, {len(usual - sick)} others accused"
    return [first, *lines, *([f"  no change: {', '.join(idle)}"] if idle else [])]


def _moved(
    module: ModuleType, name: str, value: float, detectors: list[ModuleType], recorded: list[Run]
) -> set[tuple[str, str]]:
    """What is accused with the constant at another value."""
    kept, places = getattr(module, name), holders(module, name)
    try:
        for place in places:
            setattr(place, name, value)
        data._neighbourhood.cache_clear()
        return accused(detectors, recorded)
    finally:
        for place in places:
            setattr(place, name, kept)
        data._neighbourhood.cache_clear()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("recordings", type=Path)
    parser.add_argument("--only", nargs="+", default=fault_ids(), metavar="FAULT")
    parser.add_argument(
        "--shared", nargs="+", metavar="MODULE", help="modules of traces/ instead of detectors"
    )
    options = parser.parse_args()
    recorded = list(runs(options.recordings))
    print(f"{len(recorded)} recordings; per factor: sick runs found / other runs accused, as changes")
    print(f"  {'constant':16}{'value':>10}  " + "".join(f"{f'x{factor:g}':>10}" for factor in FACTORS))
    for name in options.shared or options.only:
        module = importlib.import_module(f"lossdoctor.{'traces' if options.shared else 'detectors'}.{name}")
        detectors = users(module) if options.shared else [module]
        print("\n".join(sweep(module, detectors, recorded)), flush=True)


if __name__ == "__main__":
    main()
