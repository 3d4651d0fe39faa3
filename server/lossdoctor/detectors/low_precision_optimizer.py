"""# low_precision_optimizer: an optimizer constant or state is not representable in its dtype

**What it is.** Weights, and with them the state of Adam or RMSprop, are fp16. The usual `eps` of 1e-8 is zero there
(the smallest positive fp16 number is 6e-8), so a second moment that rounds to zero makes the update 0/0 or infinite.
An optimizer may also keep its state in fp16 beside fp32 weights: then squares of ordinary gradients are zero in it.

**Signal.** Parameters in fp16, an optimizer that divides by sqrt(v) + eps with eps below the smallest fp16 number,
and an update that is not finite in the first steps. Or entries of the state in fp16 beside fp32 weights that are zero
where the gradient is not, for most elements.

**Why it matters.** The loss is NaN after one or two steps, whatever the data.

**Remedy.** Keep fp32 weights and use autocast with a GradScaler; or bf16 weights; or at the least eps of 1e-4.

**When it stays silent.** fp32 weights with an fp32 state; bf16 weights; fp16 weights whose updates stay finite; SGD.

**Confirming intervention.** `no_autocast`: weights stay in fp32; `full_precision_state`: the state does; same seed.

**References.** IEEE 754 binary16 (smallest subnormal 2^-24); Kingma and Ba, "Adam" (2015), algorithm 1; PyTorch
documentation, "Automatic mixed precision" (do not call half() on the model).
"""

from __future__ import annotations

import math
from typing import Any

from ..model import Evidence, Finding, Optimizer, Parameter, Trace
from ..traces.measure import first_nonfinite
from ._evidence import loss_span, optimizer_site
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
EMPTY = 0.5  # share of the elements; most get no sensible update then, and what follows may be gigantic
EARLY = 20  # steps: the second moment of some element rounds to zero almost at once


def check(trace: Trace) -> Finding | Missing | None:
    half = [p for p in trace.parameters if p.dtype == "float16" and p.optimizers]
    if trace.of("moment"):
        return _emptied(trace)
    if not half:
        return Missing("fp16 weights, or a state in fp16")
    for optimizer in trace.optimizers:
        own = [p for p in half if optimizer.id in p.optimizers]
        eps = min((float(g["eps"]) for g in optimizer.groups if g.get("eps") is not None), default=1.0)
        if own and eps < ROUNDED_TO_ZERO:
            return _broken(trace, optimizer, own, eps)
    return None


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """The state, or the weights, in single precision."""
    return ({"name": "full_precision_state"},) if trace.of("moment") else RULE.interventions


def _emptied(trace: Trace) -> Finding | None:
    """State in fp16, beside fp32 weights, that is zero where the gradient is not."""
    rows = [r for r in trace.of("moment") if r["dtype"] == "float16" and r["empty"] > EMPTY]
    if not rows:
        return None
    worst = max(rows, key=lambda r: float(r["empty"]))
    key = str(worst["key"])
    return found(
        RULE,
        0.9,
        f"The optimizer keeps {key!r} in fp16: {100 * worst['empty']:.0f} % of it is zero though the gradient is not.",
        Evidence(quantity=f"share of zeros in {key!r} where the gradient is not zero", value=rounded(worst["empty"]),
                 threshold=EMPTY, step=worst["i"]),
        Evidence(quantity="smallest positive fp16 number", value="6e-8"),
        loss_span(trace),
        where=at(site_by_id(trace, worst["site"]) or optimizer_site(trace)),
        remedy="Keep the optimizer's state in fp32 (or the second moment at least).",
    )  # fmt: skip


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
