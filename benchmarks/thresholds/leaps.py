"""How far the first steps move the weights of a recurrence: every sound specimen that has one.

Prints, per specimen, the largest update of such a matrix over its norm in one of the first steps. `LEAP` of
detectors/exploding_gradient.py must lie above (on 2026-11-29, of 40 drawn at random: 0.000 to 0.145, median 0.040); it
only opens a test, and only where the run is not finite a few steps later.

    python benchmarks/thresholds/leaps.py tests/faults tests/faults_heldout --python .venv-with-torch
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "faults"))
from evaluate import expected
from record import print_each, trace_of

from lossdoctor.detectors.exploding_gradient import BEFORE, RECURRENT

SECONDS = 60.0
NAMED = re.compile(rf"nn\.({'|'.join(sorted(RECURRENT))})\b")


def line(folder: Path, python: str | None) -> str | None:
    """What to print of a specimen; None of a sick one, or of one without a recurrent layer."""
    code = "".join(p.read_text(encoding="utf-8") for p in folder.rglob("*.py"))
    if expected(folder) != "healthy" or not NAMED.search(code):
        return None
    trace = trace_of(folder, python, SECONDS, max_steps=BEFORE)
    weights = {p.id for p in trace.parameters if p.module in RECURRENT and len(p.shape) > 1}
    moves = [m / n for s in trace.steps for k, (m, n, _) in s.updates.items() if k in weights and n > 0]
    return f"{max(moves):.3f}" if moves else None


if __name__ == "__main__":
    print_each(str(__doc__), line)
