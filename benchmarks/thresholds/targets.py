"""What standardised targets bring: every sound specimen whose regression targets are far from 1, and every one whose
targets are its fault, is run once as it is and once with `standardise_targets`, on the same seed.

Prints, per specimen: what it is, how sure the detector is of the run as it is, the loss as it is and with standardised
targets (each relative to that of a constant answer; on held-out samples, else of training), and, of what the changed
run won over the start, the share that the run missed. `MISSED` and `MISSED_BESIDE` of tools/evaluation_criteria.py must
lie between the two kinds where targets are a mere suspicion.

    python benchmarks/thresholds/targets.py tests/faults tests/faults_heldout --python .venv-with-torch
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "faults"))
from record import print_each, trace_of

from lossdoctor.detectors import target_not_normalized
from lossdoctor.detectors.base import Missing
from lossdoctor.tools.criteria import Runs
from lossdoctor.tools.evaluation_criteria import lost, missed

KINDS = ("healthy", "target_not_normalized")
CHANGE = {"name": "standardise_targets"}
SECONDS = 60.0


def line(folder: Path, python: str | None) -> str | None:
    """What to print of a specimen; None of one that is sick in another way, or whose targets are not suspected."""
    kind = json.loads((folder / "case.json").read_text(encoding="utf-8"))["expect"]
    if kind not in KINDS:
        return None
    before = trace_of(folder, python, SECONDS)
    found = target_not_normalized.check(before)
    if found is None or isinstance(found, Missing) or not target_not_normalized.interventions(before):
        return None
    runs = Runs(before, trace_of(folder, python, SECONDS, interventions=(CHANGE,)), CHANGE)
    seen = lost(runs)
    if seen is None:
        return f"{kind}: suspected {found.confidence}; broken by standardised targets"
    counts = ", counts" if missed(runs)[0] else ""
    ends = f"{seen.what} {seen.was:.3g} to {seen.now:.3g} from {seen.start:.3g}"
    return f"{kind}: suspected {found.confidence}; {ends}: missed {seen.share:.2f}{counts}"


if __name__ == "__main__":
    print_each(str(__doc__), line)
