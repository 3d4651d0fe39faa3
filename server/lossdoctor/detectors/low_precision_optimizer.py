"""# low_precision_optimizer: an optimizer constant is not representable in the parameter dtype

**What it is.** Weights, and with them the state of Adam or RMSprop, are fp16. The usual `eps` of 1e-8 is zero there
(the smallest positive fp16 number is 6e-8), so a second moment that rounds to zero makes the update 0/0 or infinite.

**Signal.** Parameters in fp16, an optimizer that divides by sqrt(v) + eps with eps below the smallest fp16 number,
and an update that is not finite in the first steps.

**Why it matters.** The loss is NaN after one or two steps, whatever the data.

**Remedy.** Keep fp32 weights and use autocast with a GradScaler; or bf16 weights; or at the least eps of 1e-4.

**When it stays silent.** fp32 and bf16 weights; fp16 weights whose updates stay finite; SGD.

**Confirming intervention.** `no_autocast`: weights stay in fp32, same seed.

**References.** IEEE 754 binary16 (smallest subnormal 2^-24); Kingma and Ba, "Adam" (2015), algorithm 1; PyTorch
documentation, "Automatic mixed precision" (do not call half() on the model).
"""

from __future__ import annotations

import math

from ..model import Evidence, Finding, Optimizer, Parameter, Trace
from ..traces.measure import first_nonfinite
from .base import Missing, Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="low_precision_optimizer",
    severity="critical",
    sheet="batch-size-and-memory-tradeoffs#low-precision-weights",
    summary="Keep weights and optimizer state in fp32; Adam's eps of 1e-8 is zero in fp16.",
    remedy="Keep the weights in fp32 and use autocast with a GradScaler (or bf16), instead of model.half().",
    symptom="nan_instability",
    structural=True,
    needs=("optimizer_steps",),
    interventions=({"name": "no_autocast"},),
    contraindications=("Clipping or a lower rate does not mend a division by zero.",),
)

ROUNDED_TO_ZERO = 2.0**-25  # half of the smallest positive fp16 number; anything below becomes zero
EARLY = 20  # steps: the second moment of some element rounds to zero almost at once


def check(trace: Trace) -> Finding | Missing | None:
    half = [p for p in trace.parameters if p.dtype == "float16" and p.optimizers]
    if not half:
        return Missing("fp16 weights")
    for optimizer in trace.optimizers:
        own = [p for p in half if optimizer.id in p.optimizers]
        eps = min((float(g["eps"]) for g in optimizer.groups if g.get("eps") is not None), default=1.0)
        if own and eps < ROUNDED_TO_ZERO:
            return _broken(trace, optimizer, own, eps)
    return None


def _broken(trace: Trace, optimizer: Optimizer, own: list[Parameter], eps: float) -> Finding | None:
    first = first_nonfinite(trace)
    updates = [s.i for s in trace.steps for u in s.updates.values() if not math.isfinite(u[0])]
    since = min([*updates, *([first] if first is not None else [])], default=None)
    if since is None or since > EARLY:
        return None
    return found(
        RULE,
        0.95,
        f"{optimizer.cls} divides by sqrt(v) + {eps:g}, which is zero in the {len(own)} fp16 tensors that it holds.",
        Evidence(quantity="eps", value=eps, threshold=rounded(ROUNDED_TO_ZERO)),
        Evidence(quantity="first step with an update or loss that is not finite", value=since, step=since),
        Evidence(quantity="parameters in fp16", value=len(own), where=own[0].name),
        where=at(site_by_id(trace, optimizer.site)),
    )
