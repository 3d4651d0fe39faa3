"""How much of the amounts that are asked for a run leaves, in training and held out; and what trimming does to that.

Sets LEARNED, SOME, TIMES, KEEP and LEARNED_BY of label_noise (GAP is held against the neighbours' numbers): a line for
each specimen whose answers or losses are known on both sides, with the fault that it has, the shares of the variance
that answers leave (by answers, by losses), the shares that near inputs explain, and the held-out loss with the largest
errors left out of the gradient, relative to that without. Each one is run twice:
``python benchmarks/thresholds/amounts.py tests/faults_heldout --python .venv-with-torch``.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "faults"))
from evaluate import expected
from record import print_each, trace_of

from lossdoctor.detectors.label_noise import KEEP, LEARNED_BY
from lossdoctor.model import Trace
from lossdoctor.traces.amounts import Left, left, left_of_losses
from lossdoctor.traces.data import neighbourhood
from lossdoctor.traces.measure import objective
from lossdoctor.traces.validation import validation_losses

SECONDS = 60.0


def line(folder: Path, python: str | None) -> str | None:
    trace = trace_of(folder, python, SECONDS)
    shares = left(trace), left_of_losses(trace)
    if shares == (None, None) or neighbourhood(trace).train.classes:
        return None
    change = {"name": "trim_errors", "keep": KEEP, "start": len(objective(trace)) // LEARNED_BY}
    ends = [_end(t) for t in (trace, trace_of(folder, python, SECONDS, interventions=(change,)))]
    trimmed = "-" if None in ends or not ends[0] else f"{ends[1] / ends[0]:.2f}"  # type: ignore[operator]
    told = "  ".join(f"{_told(s)}" for s in shares)
    return f"{expected(folder):24} left {told}  near {_near(trace)}  trimmed {trimmed}"


def _told(seen: Left | None) -> str:
    return "    -        " if seen is None else f"{seen.training:.3f}/{seen.held_out:.3f}"


def _near(trace: Trace) -> str:
    near = neighbourhood(trace)
    if near.within_train is None or near.within_evaluation is None:
        return "    -     "
    return f"{near.within_train.score:.2f}/{near.within_evaluation.score:.2f} apart {near.apart or 0:.2f}"


def _end(trace: Trace) -> float | None:
    losses = validation_losses(trace)
    return losses[-1][1] if losses else None


if __name__ == "__main__":
    print_each(__doc__, line)
