"""What as many steps again bring: every specimen is run once as it is and once with `train_on`, on the same seed.

Prints, per specimen: what it is, the share of the training loss that the last quarter of the run took off, and, where
that is enough to ask for the test, the training loss, the held-out loss and the held-out accuracy before and after the
second round. `LATELY` of `falling.py` and the thresholds of `continued.py` were chosen by what these show.

    python benchmarks/thresholds/longer.py tests/faults tests/faults_heldout --python .venv-with-torch
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "faults"))
from evaluate import expected
from record import print_each, trace_of

from lossdoctor.detectors.falling import LATELY, late_fall
from lossdoctor.tools.criteria import Runs
from lossdoctor.traces.measure import tail

CHANGE = {"name": "train_on"}
SECONDS = 90.0


def line(folder: Path, python: str | None) -> str:
    """What to print of a specimen."""
    kind = expected(folder)
    before = trace_of(folder, python, SECONDS)
    if before.end is None or before.end["stop"] != "script_end":
        return f"{kind}: did not end by itself"
    late = late_fall(before)
    if late is None or late < LATELY:
        return f"{kind}: at rest, last quarter {_said(late)}"
    after = trace_of(folder, python, SECONDS, interventions=(CHANGE,), max_steps=before.end["steps"])
    runs = Runs(before, after, CHANGE)
    (was, now), (right, more) = runs.held_back(), runs.held_accuracy()
    old, new = (tail(points) for points in runs.losses())
    return (
        f"{kind}: {before.end['steps']} steps, then {after.end['steps'] if after.end else None};"
        f" last quarter {_said(late)}; training {_share(old, new)}, held-out {_share(was, now)},"
        f" accuracy {_said(right)} to {_said(more)}"
    )


def _share(was: float | None, now: float | None) -> str:
    return "-" if was is None or now is None or was <= 0 else f"{was:.3g} to {now:.3g} ({now / was:.2f})"


def _said(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    print_each(str(__doc__), line)
