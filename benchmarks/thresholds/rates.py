"""What a larger rate brings: every sound specimen, and every one of too low a rate, is run once as it is and once with
the first change that `lr_too_low` asks for (ten times the rate where it asks for none), on the same seed.

Prints, per specimen: what it is, how sure the detector is of the run as it is, the loss as it is and with the larger
rate (on held-out samples, else of training), and, of what the larger rate won over the start, the share that the run
missed. `MISSED` and `MISSED_BESIDE` of tools/evaluation_criteria.py lie between the two kinds.

    python benchmarks/thresholds/rates.py tests/faults tests/faults_heldout --python .venv-with-torch
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "faults"))
from evaluate import expected
from record import print_each, trace_of

from lossdoctor.detectors import lr_too_low
from lossdoctor.tools.criteria import Runs
from lossdoctor.tools.evaluation_criteria import lost, missed

KINDS = ("healthy", "lr_too_low")
TENFOLD = {"name": "scale_lr", "factor": 10.0}
SECONDS = 60.0


def line(folder: Path, python: str | None) -> str | None:
    """What to print of a specimen; None of one that is sick in another way."""
    kind = expected(folder)
    if kind not in KINDS:
        return None
    before = trace_of(folder, python, SECONDS)
    found = lr_too_low.check(before)
    change = next(iter(lr_too_low.interventions(before)), TENFOLD) if found else TENFOLD
    runs = Runs(before, trace_of(folder, python, SECONDS, interventions=(change,)), change)
    seen = lost(runs)
    if seen is None:
        return f"{kind}: broken by the larger rate"
    sure = f"suspected {found.confidence}" if found else "not suspected"
    counts = ", counts" if missed(runs)[0] else ""
    return f"{kind}: {sure}; {seen.was:.3g} to {seen.now:.3g} from {seen.start:.3g}: missed {seen.share:.2f}{counts}"


if __name__ == "__main__":
    print_each(str(__doc__), line)
