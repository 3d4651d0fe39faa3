"""How much of the amounts that are asked for a run leaves, in training and held out; and what trimming does to that.

Sets the thresholds of detectors/_wrong_amounts.py: a line for each specimen whose answers or losses are known on both
sides, with the fault that it has, the shares of the variance that answers leave (by answers, by losses), those that
near inputs explain, how heavy the tails of the errors are and what the rarer sign has of them, and the held-out loss
and typical error with the largest errors left out of the gradient, relative to those without. Each one is run twice:
``python benchmarks/thresholds/amounts.py tests/faults_heldout --python .venv-with-torch``.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "faults"))
from evaluate import expected
from record import print_each, trace_of

from lossdoctor.detectors._wrong_amounts import trimmed
from lossdoctor.model import Trace
from lossdoctor.traces.amounts import Left, left, left_of_losses, tails, typical_error
from lossdoctor.traces.data import neighbourhood
from lossdoctor.traces.validation import validation_losses

SECONDS = 60.0


def line(folder: Path, python: str | None) -> str | None:
    trace = trace_of(folder, python, SECONDS)
    shares = left(trace), left_of_losses(trace)
    if shares == (None, None) or neighbourhood(trace).train.classes:
        return None
    runs = trace, trace_of(folder, python, SECONDS, interventions=(trimmed(trace),))
    told = "  ".join(map(_told, shares))
    both = tails(trace)
    heavy = "   -   " if both is None else " ".join(f"{t.heavy:.1f} {t.either:.2f}" for t in both)
    effects = " ".join(_ratio(*map(of, runs)) for of in (_end, typical_error))
    return f"{expected(folder):24} left {told}  near {_near(trace)}  tails {heavy}  trimmed {effects}"


def _ratio(was: float | None, now: float | None) -> str:
    return "-" if was is None or now is None or not was else f"{now / was:.2f}"


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
