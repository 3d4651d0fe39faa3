"""Records every specimen once, without interventions, and keeps the recordings for benchmarks/thresholds/sweep.py.

python benchmarks/faults/record.py tests/faults tests/faults_heldout --out recordings --python .venv-with-torch
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
from evaluate import cases, interpreter

from lossdoctor.errors import LossDoctorError
from lossdoctor.model import Trace
from lossdoctor.sandbox import Experiment, run_experiment
from lossdoctor.traces.reader import read_trace


async def once(folder: Path, out: Path, python: str | None, seconds: float, **settings: Any) -> float:
    """Run one specimen once, with further ``settings`` of ``Experiment``, other ``args`` than its own among them; the
    seconds it took. Raises LossDoctorError when nothing was recorded.
    """
    case = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    given = {"args": tuple(map(str, case.get("args", ()))), **settings}
    wanted = Experiment(script=folder / case["entry"], python=python, max_seconds=seconds, **given)
    return (await run_experiment(wanted, out=out)).seconds


async def traced(folder: Path, python: str | None, seconds: float, **settings: Any) -> Trace:
    """The trace of ``once``, of which nothing else is kept."""
    with tempfile.TemporaryDirectory() as out:
        await once(folder, Path(out), python, seconds, **settings)
        return read_trace(Path(out))


def run(folder: Path, out: Path, python: str | None, seconds: float, **settings: Any) -> float:
    """``once``, for scripts that do one thing at a time."""
    return anyio.run(lambda: once(folder, out, python, seconds, **settings))


def trace_of(folder: Path, python: str | None, seconds: float, **settings: Any) -> Trace:
    """``traced``, for the same."""
    return anyio.run(lambda: traced(folder, python, seconds, **settings))


def print_each(about: str, line: Callable[[Path, str | None], str | None]) -> None:
    """The whole of a script that prints a ``line`` of each specimen below the folders it is given; of those without one
    nothing.
    """
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("roots", type=Path, nargs="+")
    parser.add_argument("--python", type=interpreter, help="interpreter with torch and scikit-learn")
    options = parser.parse_args()
    for folder in cases(options.roots):
        try:
            told = line(folder.resolve(), options.python)
        except LossDoctorError as error:
            told = f"not recorded: {error}"
        if told is not None:
            print("/".join(folder.parts[-2:]), told, flush=True)


def record(folder: Path, out: Path, python: str | None, seconds: float) -> str:
    """Record one specimen into ``out``, in place of an earlier recording; what to print of it."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    try:
        taken = run(folder, out, python, seconds)
    except LossDoctorError as error:
        return f"not recorded: {error}"
    shutil.copy(folder / "case.json", out / "case.json")
    return f"{taken:.0f} s"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("roots", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--python", type=interpreter, help="interpreter with torch and scikit-learn")
    parser.add_argument("--seconds", type=float, default=60.0, help="longest time for one recording")
    options = parser.parse_args()
    for folder in cases(options.roots):
        name = "_".join(folder.resolve().parts[-3:])
        print(name, record(folder.resolve(), options.out / name, options.python, options.seconds), flush=True)


if __name__ == "__main__":
    main()
