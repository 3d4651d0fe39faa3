"""What a larger model brings, by both changes that test it: the script's own width, and a wide network beside it.

Each specimen in which `underfitting_capacity` is suspected is run once as it is, once with its own setting changed
(where one place sets it) and once with `widen`, on the same seed. Prints, per change: the held-out loss before and
after, the share that is left of it, the share of what the larger model won that the unchanged one missed, and the
held-out accuracies. The bars of `missed_by_size` in `evaluation_criteria.py` were chosen by what these show.

    python benchmarks/thresholds/sizes.py tests/faults/underfitting_capacity --python .venv-with-torch
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "faults"))
from record import print_each, trace_of

from lossdoctor.detectors.catalogue import apply, detectors, interventions
from lossdoctor.model import Finding
from lossdoctor.tools.chain import carried_out
from lossdoctor.tools.code.changing import own_change
from lossdoctor.tools.criteria import Runs
from lossdoctor.tools.evaluation_criteria import lost

SECONDS = 90.0
FAULT = "underfitting_capacity"


def line(folder: Path, python: str | None) -> str | None:
    """What to print of a specimen; None where its model is not suspected."""
    case = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    before = trace_of(folder, python, SECONDS)
    suspected = apply(detectors()[FAULT], before)
    if not isinstance(suspected, Finding):
        return None
    own = own_change(suspected, before, folder, tuple(map(str, case.get("args", ()))))
    changes = (*((own,) if own else ()), *interventions(FAULT, before))
    told = []
    for change in changes:
        after = trace_of(folder, python, SECONDS, max_steps=len(before.steps) + 1, **carried_out(change))
        runs = Runs(before, after, change)
        seen, (right, more) = lost(runs), runs.held_accuracy()
        losses = "-" if seen is None else f"{seen.what} {_said(seen.was)} to {_said(seen.now)}"
        share = "" if seen is None else f" ({seen.now / seen.was:.2f}, missed {seen.share:.2f})"
        told.append(f"{change['name']}: {losses}{share}, accuracy {_said(right)} to {_said(more)}")
    return f"{case['expect']} ({suspected.confidence}): " + ("; ".join(told) or "nothing to try")


def _said(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}"


if __name__ == "__main__":
    print_each(str(__doc__), line)
