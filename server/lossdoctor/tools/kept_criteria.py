"""What counts as proof that history was kept for nothing, or that batches were lost. Pure functions of two traces."""

from __future__ import annotations

from math import isfinite

from ..model import Trace
from ..traces.measure import tail
from .criteria import FEWEST, HELD_BACK, Proof, Runs, faster, higher, lower, until

LOST = 0.1  # share of the losses that were not finite, with the change relative to without
KINDS = (
    ("held", "i", "steps", "earlier steps whose graph is held"),
    ("graph", "n", "nodes", "nodes behind the loss"),
)


def released(runs: Runs) -> Proof:
    """Far less history is held late in the run (steps whose graph is alive, or nodes behind the loss), or a step takes
    far less time; and the training loss ends no higher: what was kept served nothing.
    """
    if not runs.long_enough or higher(runs)[0]:
        return None, ""
    for kind, place, key, told in KINDS:
        sides = [{r[place]: float(r[key]) for r in trace.of(kind)} for trace in (runs.before, runs.after)]
        last = max(sides[0].keys() & sides[1].keys(), default=None)
        if last is not None and sides[1][last] < HELD_BACK * sides[0][last]:
            return True, f"{told} {sides[0][last]:g} -> {sides[1][last]:g}"
    return faster(runs)


def found_again(runs: Runs) -> Proof:
    """Losses that were not finite and passed over are finite with the change; else the training loss ends lower."""
    (lost, all_), (still, now) = _not_finite(runs.before), _not_finite(runs.after)
    end = tail(until(runs.after, runs.then if runs.long_enough else len(runs.after.steps)))
    if lost and now >= FEWEST and end is not None and still / now < LOST * lost / all_:
        return True, f"losses that are not finite {lost} of {all_} -> {still} of {now}"
    return lower(runs)


def _not_finite(trace: Trace) -> tuple[int, int]:
    values = [v for step in trace.steps for v in step.loss_values]
    return sum(not isfinite(v) for v in values), len(values)
