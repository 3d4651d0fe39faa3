"""# zero_grad_before_step: gradients are cleared between backward and step

**What it is.** `zero_grad()` runs after `backward()` and before `optimizer.step()`, so the step finds nothing to apply.

**Signal.** The order of the calls within a step (a clearing between the last backward pass and the step) together
with what the optimizer found: every gradient None or exactly zero, although the graph of the loss leads to
parameters that it holds.

**Why it matters.** The loss and its gradient look ordinary in every log line; the weights never move (or move only by
weight decay and by momentum of earlier steps).

**Remedy.** One order: clear, forward, backward, (unscale, clip,) step. Helpers that read gradients must not clear them.

**When it stays silent.** Clearing before the backward pass or after the step; clearing of another optimizer's
gradients in between (adversarial training); gradients that are zero because units are dead.

**Confirming intervention.** `late_zero_grad`: the clearing is carried out after the step instead, same seed.

**References.** PyTorch documentation, `torch.optim` ("Taking an optimization step").
"""

from __future__ import annotations

from ..model import Evidence, Finding, Step, Trace
from ..traces.wiring import reached
from .base import Rule, at, found

RULE = Rule(
    fault="zero_grad_before_step",
    severity="critical",
    sheet="training-loop-architecture#one-step-in-order",
    summary="One step in order: clear, forward, backward, clip, step.",
    remedy="Move zero_grad() before the backward pass (or after the step); nothing may clear between the two.",
    structural=True,
    needs=("optimizer_steps",),
    interventions=({"name": "late_zero_grad"},),
    contraindications=("A higher learning rate does not help: the update is empty.",),
)

# Shares, not magnitudes: 0 in a sound loop. 0.2 leaves room for a branch that discards a batch now and then.
MIN_SHARE = 0.2
MIN_STEPS = 3
ALWAYS = 0.9  # of the steps of one of several optimizers


def check(trace: Trace) -> Finding | None:
    held = {p.id for p in trace.parameters if p.optimizers}
    if trace.of("graph") and not held & reached(trace):
        return None  # nothing to clear: the graph never led to what the optimizer holds
    steps = [s for s in trace.steps if s.backwards]
    empty = [s for s in steps if s.grad_norm == 0 and cleared_late(s)]
    between = _cleared_between(trace)
    if between:
        steps, empty = [s for s in trace.steps if s.optimizer == between[0].optimizer], between
    if len(empty) < MIN_STEPS or len(empty) < MIN_SHARE * len(steps):
        return None
    return found(
        RULE,
        0.98,
        f"In {len(empty)} of {len(steps)} steps the gradients were cleared after backward and before step.",
        Evidence(quantity="steps whose gradients were all cleared when the optimizer stepped", value=len(empty),
                 threshold=f"of {len(steps)}", unit="steps", step=empty[0].i),
        Evidence(quantity="order of calls in such a step (Z clear, F forward, B backward, C clip, S step)",
                 value=empty[0].sequence[-12:]),
        where=at(trace.site("late_zero_grad") or trace.site("zero_grad") or trace.site("step")),
    )  # fmt: skip


def _cleared_between(trace: Trace) -> list[Step]:
    """Steps of an optimizer that always comes after another one's step, when that has cleared the gradients of both."""
    for optimizer in trace.optimizers:
        own = [s for s in trace.steps if s.optimizer == optimizer.id]
        empty = [s for s in own if s.grad_norm == 0 and not s.backwards and "Z" in s.sequence]
        if _shares_all(trace, optimizer.id):
            continue
        if len(empty) >= max(MIN_STEPS, ALWAYS * len(own)):
            return empty
    return []


def _shares_all(trace: Trace, optimizer: int) -> bool:
    """Whether other optimizers hold all that this one does: one that wraps another (SAM, Lookahead) leaves the step to
    it, and has nothing left to do itself.
    """
    held = [p.optimizers for p in trace.parameters if optimizer in p.optimizers]
    return bool(held) and all(len(holders) > 1 for holders in held)


def cleared_late(step: Step) -> bool:
    """Whether something cleared between the last backward pass and the step."""
    after = step.sequence.rsplit("B", 1)[-1]
    return "Z" in after
