"""What a larger rate brings: every sound specimen, and every one of too low a rate, is run once as it is and once with
the first change that `lr_too_low` asks for (ten times the rate where it asks for none), on the same seed.

Prints, per specimen: what it is, how sure the detector is of the run as it is, the loss as it is and with the larger
rate (on held-out samples, else of training), and, of what the larger rate won over the start, the share that the run
missed. `MISSED` and `MISSED_BESIDE` of tools/evaluation_criteria.py lie between the two kinds.

    python benchmarks/thresholds/rates.py tests/faults tests/faults_heldout --python .venv-with-torch
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "faults"))
from evaluate import cases
from record import run

from lossdoctor.detectors import lr_too_low
from lossdoctor.errors import LossDoctorError
from lossdoctor.model import Trace
from lossdoctor.tools.criteria import Runs
from lossdoctor.tools.evaluation_criteria import lost, missed
from lossdoctor.traces.reader import read_trace

KINDS = ("healthy", "lr_too_low")
TENTH = {"name": "scale_lr", "factor": 10.0}


def recorded(folder: Path, python: str | None, **settings: Any) -> Trace:
    """The trace of one run of a specimen. Raises LossDoctorError when nothing was recorded."""
    with tempfile.TemporaryDirectory() as out:
        run(folder, Path(out), python, 60.0, **settings)
        return read_trace(Path(out))


def line(folder: Path, python: str | None) -> str:
    """What to print of a specimen."""
    before = recorded(folder, python)
    found = lr_too_low.check(before)
    change = next(iter(lr_too_low.interventions(before)), TENTH) if found else TENTH
    runs = Runs(before, recorded(folder, python, interventions=(change,)), change)
    seen = lost(runs)
    if seen is None:
        return "broken by the larger rate"
    sure = f"suspected {found.confidence}" if found else "not suspected"
    counts = ", counts" if missed(runs)[0] else ""
    return f"{sure}; {seen.was:.3g} to {seen.now:.3g} from {seen.start:.3g}: missed {seen.share:.2f}{counts}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("roots", type=Path, nargs="+")
    parser.add_argument("--python", help="interpreter with torch and scikit-learn")
    options = parser.parse_args()
    for folder in cases(options.roots):
        kind = json.loads((folder / "case.json").read_text(encoding="utf-8"))["expect"]
        if kind not in KINDS:
            continue
        try:
            print("/".join(folder.parts[-2:]), kind, line(folder.resolve(), options.python), flush=True)
        except LossDoctorError as error:
            print("/".join(folder.parts[-2:]), f"not recorded: {error}", flush=True)


if __name__ == "__main__":
    main()
