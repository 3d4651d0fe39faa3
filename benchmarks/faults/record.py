"""Records every specimen once, without interventions, and keeps the recordings for benchmarks/thresholds/sweep.py.

python benchmarks/faults/record.py tests/faults tests/faults_heldout --out recordings --python .venv-with-torch
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

import anyio
from evaluate import cases

from lossdoctor.errors import LossDoctorError
from lossdoctor.sandbox import Experiment, run_experiment


def run(folder: Path, out: Path, python: str | None, seconds: float, **settings: Any) -> float:
    """Run one specimen once, with further ``settings`` of ``Experiment``; the seconds it took. Raises LossDoctorError
    when nothing was recorded.
    """
    case = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    script, arguments = folder / case["entry"], tuple(case.get("args", ()))
    wanted = Experiment(script=script, args=arguments, python=python, max_seconds=seconds, **settings)

    async def recorded() -> float:
        return (await run_experiment(wanted, out=out)).seconds

    return anyio.run(recorded)


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
    parser.add_argument("--python", help="interpreter with torch and scikit-learn")
    parser.add_argument("--seconds", type=float, default=60.0, help="longest time for one recording")
    options = parser.parse_args()
    for folder in cases(options.roots):
        name = "_".join(folder.resolve().parts[-3:])
        print(name, record(folder.resolve(), options.out / name, options.python, options.seconds), flush=True)


if __name__ == "__main__":
    main()
