"""What a ramp to the same rate brings, and what lower rates for the whole run bring, on the same seed.

Prints, per specimen of a missing warm-up or of too high a rate: what it is, and the training loss at the end as it is,
with a ramp, with a tenth and with a hundredth of the rate. `FAR_BETTER` of tools/confirm.py lies between the two kinds.

    python benchmarks/thresholds/ramps.py tests/faults tests/faults_heldout --python .venv-with-torch
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "faults"))
from evaluate import cases, expected, interpreter
from record import run

from lossdoctor.detectors import warmup_missing
from lossdoctor.errors import LossDoctorError
from lossdoctor.traces.measure import objective, tail
from lossdoctor.traces.reader import read_trace

FAULTS = ("warmup_missing", "lr_too_high")
CHANGES = ({"name": "warm_up"}, {"name": "scale_lr", "factor": 0.1}, {"name": "scale_lr", "factor": 0.01})


def ends(folder: Path, python: str | None) -> list[float | None]:
    """Training loss at the end as it is and after each change; only the first where no ramp would be tried."""
    found: list[float | None] = []
    for change in (None, *CHANGES):
        with tempfile.TemporaryDirectory() as out:
            run(folder, Path(out), python, 60.0, interventions=(change,) if change else ())
            trace = read_trace(Path(out))
        found.append(tail(objective(trace)))
        if change is None and warmup_missing.check(trace) is None:
            break
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("roots", nargs="+", type=Path)
    parser.add_argument("--python", type=interpreter, help="interpreter with torch")
    args = parser.parse_args()
    for folder in cases(args.roots):
        kind = expected(folder)
        if kind not in FAULTS:
            continue
        with tempfile.TemporaryDirectory() as copy:  # a project of its own, not a part of this one
            place = Path(copy) / folder.name
            shutil.copytree(folder, place)
            try:
                told = ", ".join("none" if v is None else f"{v:.4g}" for v in ends(place, args.python))
            except (LossDoctorError, OSError) as error:
                told = str(error)[:80]
        if "," in told:
            print(f"{folder.name:12}{kind}: {told}", flush=True)


if __name__ == "__main__":
    main()
