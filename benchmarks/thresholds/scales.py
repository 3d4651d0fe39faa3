"""What standardised inputs and targets bring: every sound specimen whose inputs or regression targets are far from unit
size and that does not fit its training data perfectly, and every one that is sick by them, is run once as it is and
once with `standardise_inputs` or `standardise_targets`, on the same seed.

Prints, per specimen and suspicion: what it is, how sure the detector is of the run as it is, the loss as it is and with
the change (of targets relative to that of a constant answer; on held-out samples, else of training), and, of what the
changed run won over the start, the share that the run missed; "counts" where that would be proof. `MISSED` and
`MISSED_BESIDE` of tools/evaluation_criteria.py must lie between the two kinds where scales are a mere suspicion.

    python benchmarks/thresholds/scales.py tests/faults tests/faults_heldout --python .venv-with-torch
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "faults"))
from evaluate import expected
from record import print_each, trace_of

from lossdoctor.detectors import input_not_normalized, target_not_normalized
from lossdoctor.model import Finding, Trace
from lossdoctor.tools.criteria import Runs
from lossdoctor.tools.evaluation_criteria import harms, lost, missed, needless

SCALES = {input_not_normalized: "standardise_inputs", target_not_normalized: "standardise_targets"}
KINDS = ("healthy", "input_not_normalized", "target_not_normalized")
SECONDS = 60.0


def line(folder: Path, python: str | None) -> str | None:
    """What to print of a specimen; None of one that is sick in another way, or whose scales are not suspected."""
    kind = expected(folder)
    if kind not in KINDS:
        return None
    before = trace_of(folder, python, SECONDS)
    told = []
    for detector, name in SCALES.items():
        found = detector.check(before)
        if isinstance(found, Finding):
            told.append(
                f"{kind}: {name}, suspected {found.confidence}; {_effect(before, folder, name, python)}"
            )
    return "; ".join(told) or None


def _effect(before: Trace, folder: Path, name: str, python: str | None) -> str:
    change = {"name": name}
    runs = Runs(before, trace_of(folder, python, SECONDS, interventions=(change,)), change)
    seen = lost(runs)
    if seen is None:
        return "not comparable"
    counts = ", counts" if missed(runs)[0] and not harms(runs) and not needless(runs) else ""
    ends = f"{seen.what} {seen.was:.3g} to {seen.now:.3g} from {seen.start:.3g}"
    return f"{ends}: missed {seen.share:.2f}{counts}"


if __name__ == "__main__":
    print_each(str(__doc__), line)
