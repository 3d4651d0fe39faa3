"""What as many steps again bring: every specimen is run once as it is and once with `train_on`, on the same seed.

Prints, per specimen: what it is, how much of the fall of the training loss its last quarter brought, the share of the
training loss, of the held-out loss and the gain in held-out accuracy that the second round brought. The thresholds of
`falling.py` and of `criteria.trained_on` lie between what sound and what short runs show.

    python benchmarks/thresholds/longer.py tests/faults tests/faults_heldout --python .venv-with-torch [--only healthy]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).parent.parent / "faults"))
from evaluate import cases

from lossdoctor.detectors.falling import late_fall
from lossdoctor.errors import LossDoctorError
from lossdoctor.model import Trace
from lossdoctor.sandbox import Experiment, run_experiment
from lossdoctor.tools.criteria import Runs
from lossdoctor.traces.measure import tail
from lossdoctor.traces.reader import read_trace

CHANGE = {"name": "train_on"}
FLAT = 0.1  # of the training loss, in the last quarter of the run: with less, nothing more is asked


def recorded(folder: Path, python: str | None, **settings: object) -> Trace:
    """One run of a specimen. Raises LossDoctorError when nothing was recorded."""
    case = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as out:
        wanted = Experiment(script=folder / case["entry"], args=tuple(case.get("args", ())), python=python,
                            max_seconds=90, **settings)  # type: ignore[arg-type]  # fmt: skip

        async def run() -> None:
            await run_experiment(wanted, out=Path(out))

        anyio.run(run)
        return read_trace(Path(out))


def line(folder: Path, python: str | None) -> str:
    """What to print of a specimen."""
    expected = json.loads((folder / "case.json").read_text(encoding="utf-8"))["expect"]
    before = recorded(folder, python)
    if before.end is None or before.end["stop"] != "script_end":
        return f"{expected}: did not end by itself"
    late = late_fall(before)
    if late is not None and late < FLAT:
        return f"{expected}: at rest, last quarter {_said(late)}"
    after = recorded(folder, python, interventions=(CHANGE,), max_steps=before.end["steps"])
    runs = Runs(before, after, CHANGE)
    (was, now), (right, more) = runs.held_back(), runs.held_accuracy()
    old, new = (tail(points) for points in runs.losses())
    return (
        f"{expected}: {before.end['steps']} steps, then {after.end['steps'] if after.end else None};"
        f" last quarter {_said(late)}; training {_share(old, new)}, held-out {_share(was, now)},"
        f" accuracy {_said(right)} to {_said(more)}"
    )


def _share(was: float | None, now: float | None) -> str:
    return "-" if was is None or now is None or was <= 0 else f"{was:.3g} to {now:.3g} ({now / was:.2f})"


def _said(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("roots", type=Path, nargs="+")
    parser.add_argument("--python", help="interpreter with torch and scikit-learn")
    options = parser.parse_args()
    for folder in cases(options.roots):
        try:
            print("/".join(folder.parts[-2:]), line(folder.resolve(), options.python), flush=True)
        except LossDoctorError as error:
            print("/".join(folder.parts[-2:]), f"not recorded: {error}", flush=True)


if __name__ == "__main__":
    main()
