"""# optimizer_state_reset: the optimizer (or its state) is created again every step or epoch

**What it is.** The optimizer is built inside the loop, or its `state` is emptied there. Momentum and second moments
start from nothing each time: momentum SGD becomes plain SGD, Adam becomes sign descent.

**Signal.** For every step the number of parameters that the optimizer had state for before and after it; and
optimizers that are made over and over for parameters that are already known. An optimizer for each task or fold,
which serves several passes over its samples, is none of it.

**Why it matters.** The rate that was chosen for the optimizer is wrong for what it has become: ten or twenty times
too small for momentum SGD, and never calming down for Adam.

**Remedy.** Build the optimizer once, before the loop; change its rate through `param_groups` or a scheduler.

**When it stays silent.** Optimizers without state; a new optimizer for a new model (cross-validation, populations); one
or two rebuilds for phases of training; a new optimizer whenever a model has grown.

**Confirming intervention.** `keep_optimizer`: the new optimizer goes on with the old state, same seed.

**References.** Kingma and Ba, "Adam" (2015), sections 2 and 3 (without history the update is the sign of the gradient);
Polyak (1964) for momentum.
"""

from __future__ import annotations

from itertools import pairwise
from statistics import median

from ..model import Evidence, Finding, Site, Step, Trace
from ._evidence import loss_span
from .base import Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="optimizer_state_reset",
    severity="critical",
    sheet="training-loop-architecture#what-to-build-once",
    summary="Model, optimizer, scheduler and scaler are built once, before the loop.",
    remedy="Build the optimizer once before the loop and leave its state alone.",
    structural=True,
    needs=("optimizer_steps",),
    interventions=({"name": "keep_optimizer"},),
)

MIN_RESETS = 3  # one or two rebuilds are phases of training
OFTEN = (
    0.2  # share of steps without history from which on momentum hardly builds up: every fifth step or more
)
SEVERAL = 1.8  # passes over the data between two resets; one that is made anew in every epoch has 1
EPOCHS = 200  # steps between resets: Adam's second moments look back 1000 steps, momentum 10 to 20


def check(trace: Trace) -> Finding | None:
    resets, steps = _resets(trace), len(_known(trace))
    if len(resets) < MIN_RESETS or steps / len(resets) > EPOCHS:
        return None
    often = len(resets) >= OFTEN * steps
    if not often and _passes(trace, resets) >= SEVERAL:
        return None  # each optimizer serves a phase of its own (tasks, folds)
    made = len(trace.optimizers)
    return found(
        RULE,
        0.95 if often else 0.6,
        f"In {len(resets)} of {steps} steps the optimizer had lost the state of the steps before.",
        Evidence(quantity="steps that began without the state of the last one", value=len(resets), threshold=0,
                 step=resets[0]),
        Evidence(quantity="steps between resets", value=rounded(steps / len(resets))),
        Evidence(quantity="optimizers made", value=made),
        loss_span(trace),
        where=at(_site(trace)),
        severity=None if often else "warning",
    )  # fmt: skip


def _passes(trace: Trace, resets: list[int]) -> float:
    """How often the samples between two resets were shown there; 0 when they were not told apart."""
    shares = []
    for start, end in pairwise(resets):
        shown = [h for r in trace.of("ids") if r["grad"] and start <= r["i"] < end for h in r["h"]]
        shares += [len(shown) / len(set(shown))] if shown else []
    return median(shares) if shares else 0.0


def _resets(trace: Trace) -> list[int]:
    """Steps of an optimizer with state that began with none, the first step of each set of parameters left out."""
    fresh = [s.i for s in _known(trace) if s.state and s.state[0] == 0 < s.state[1]]
    return fresh[_sets(trace) :]


def _known(trace: Trace) -> list[Step]:
    """The steps of recorded optimizers: of a great many only the first are."""
    known = {o.id for o in trace.optimizers}
    return [s for s in trace.steps if s.optimizer in known]


def _sets(trace: Trace) -> int:
    """How many different sets of parameters the optimizers hold; each has a first step of its own."""
    sizes = sum(sum(o.sizes) for o in trace.optimizers)
    held = len([p for p in trace.parameters if p.optimizers])
    if not sizes or not held or not trace.optimizers:
        return 1
    return max(1, _with_new_parameters(trace), round(len(trace.optimizers) * min(1.0, held / sizes)))


def _with_new_parameters(trace: Trace) -> int:
    """Optimizers that hold some parameter that none before them held: a model that grows needs a new one each time."""
    known: set[int] = set()
    count = 0
    for optimizer in trace.optimizers:
        own = {p.id for p in trace.parameters if optimizer.id in p.optimizers}
        count += not own <= known
        known |= own
    return count


def _site(trace: Trace) -> Site | None:
    """The line of the loop that makes optimizers, or the one that empties the state, else the step."""
    late = [o for o in trace.optimizers if o.step > 0]
    made = (trace.site("optimizer_loop") or site_by_id(trace, late[0].site)) if late else None
    return made or trace.site("state_clear") or trace.site("step")
