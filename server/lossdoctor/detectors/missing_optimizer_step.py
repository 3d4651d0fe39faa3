"""# missing_optimizer_step: optimizer.step() never executes although gradients are computed

**What it is.** Backward passes run, but no optimizer ever applies what they compute: the call is missing, is named
without being called, or stands behind a condition that never holds.

**Signal.** Backward passes counted, optimizer steps counted, and the parameters compared from pass to pass: none
moved. With several optimizers: one that has not stepped although its parameters get gradients. Without any: fresh
weights of a model in training mode that all get gradients.

**Why it matters.** The loss is that of the initial weights for ever; every other setting is beside the point.

**Remedy.** Call `optimizer.step()` after `backward()`; with accumulation also for the incomplete rest of an epoch.

**When it stays silent.** Updates written out by hand (the parameters move); gradients with respect to inputs only,
or of a finished model (loaded, or in evaluation mode, and in no optimizer); a recording that was cut off before an
accumulation window could end; an optimizer whose phase has not begun.

**Confirming intervention.** `add_step`: step after every backward pass, same seed.

**References.** PyTorch documentation, `torch.optim` ("Taking an optimization step").
"""

from __future__ import annotations

from math import isfinite

from ..model import Evidence, Finding, Optimizer, Trace
from ..traces.wiring import trainable
from .base import Missing, Rule, at, found, site_by_id

RULE = Rule(
    fault="missing_optimizer_step",
    severity="critical",
    sheet="training-loop-architecture#one-step-in-order",
    summary="One step in order: clear, forward, backward, clip, step.",
    remedy="Call optimizer.step() once per update, and make sure its condition can hold.",
    structural=True,
    interventions=({"name": "add_step"},),
    contraindications=("No learning rate or schedule matters while nothing is applied.",),
)

MIN_PASSES = 10  # backward passes without a step in a script that ended by itself
CUT_OFF = 65  # the same in a recording that was cut off: longer than usual accumulation windows (at most 64)
FINITE = 0.1  # share of the passes whose gradients can be applied at all
PHASE = 50  # steps of the others after which an optimizer that never stepped is not just waiting for its turn


def check(trace: Trace) -> Finding | Missing | None:
    if not trace.steps:
        return Missing("a backward pass")
    if any(s.optimizer >= 0 for s in trace.steps):
        return _idle(trace)
    if any(s.moved for s in trace.steps):
        return None
    ended = trace.end is not None and trace.end["stop"] == "script_end"
    if len(trace.steps) < (MIN_PASSES if ended else CUT_OFF):
        return Missing(f"{CUT_OFF} backward passes, or the end of the script")
    finite = [s for s in trace.steps if isfinite(s.grad_norm)]
    # gradients that are not finite are not to be applied
    if not any(s.grad_norm > 0 for s in trace.steps) or len(finite) < FINITE * len(trace.steps):
        return None
    if not trace.optimizers and not _meant_to_train(trace):
        return Missing("an optimizer")
    return found(
        RULE,
        0.97,
        f"{len(trace.steps)} backward passes computed gradients and no optimizer step applied them.",
        Evidence(quantity="optimizer steps", value=0, threshold=f"of {len(trace.steps)} backward passes"),
        Evidence(quantity="parameters that moved between passes", value=0),
        where=at((None if trace.optimizers else trace.site("update")) or trace.site("backward")),
    )


def _meant_to_train(trace: Trace) -> bool:
    """Whether passes without any optimizer look like training: fresh weights that all get gradients, and none of the
    models in evaluation mode (attributions and attacks differentiate finished models).
    """
    modes = [r["training"] for r in trace.of("forward") if r["grad"]]
    fresh = [p for p in trainable(trace) if not p.loaded]
    return bool(fresh) and all(modes) and all(p.id in trace.steps[-1].grads for p in fresh)


def _idle(trace: Trace) -> Finding | None:
    """One of several optimizers never stepped while its own parameters got gradients."""
    stepped = {s.optimizer for s in trace.steps}
    for optimizer in trace.optimizers:
        if optimizer.id in stepped or len(trace.steps) < PHASE:
            continue
        own = {
            p.id for p in trace.parameters if optimizer.id in p.optimizers and not stepped & {*p.optimizers}
        }
        recent = trace.steps[-PHASE:]
        fed = sum(1 for s in recent if any(s.grads.get(k, 0.0) > 0 for k in own))
        if own and fed >= len(recent) / 2:
            return _idle_finding(trace, optimizer, len(own), fed)
    return None


def _idle_finding(trace: Trace, optimizer: Optimizer, held: int, fed: int) -> Finding:
    return found(
        RULE,
        0.8,
        f"The {optimizer.cls} made here never stepped although its parameters get gradients.",
        Evidence(quantity="steps of this optimizer", value=0, threshold=f"of {len(trace.steps)}"),
        Evidence(quantity="tensors that only it holds", value=held),
        Evidence(quantity=f"of the last {PHASE} steps, those with gradients for them", value=fed),
        where=at(site_by_id(trace, optimizer.site)),
        severity="warning",
    )
