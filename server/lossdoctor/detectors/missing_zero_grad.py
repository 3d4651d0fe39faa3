"""# missing_zero_grad: gradients are never cleared between optimizer steps

**What it is.** Backward adds to `.grad`. When nothing clears it before the next pass, every step uses the sum
of the gradients of all earlier steps, most of them computed for weights that no longer exist.

**Signal.** At the start of the next backward pass the gradients that the last optimizer step used are still
there, neither None nor zero, although that optimizer has stepped. Looked at directly, before every pass, so
that `optimizer.zero_grad()`, `model.zero_grad()`, `p.grad = None` and `p.grad.zero_()` all count as clearing.

**Why it matters.** The summed gradient acts like momentum without decay: the effective rate grows with every
step; training oscillates or diverges, or looks as if the learning rate were far too high.

**Remedy.** `optimizer.zero_grad()` once per optimizer step, after `step()` or before the first `backward()`.

**When it stays silent.** Gradient accumulation (several passes, one step, then clearing); two optimizers whose
losses spill into each other's parameters but which are each cleared before their own step; a single uncleared
step.

**Confirming intervention.** `zero_gradients`: clear before the first backward after each step, same seed.

**References.** PyTorch documentation, `torch.optim.Optimizer.zero_grad`; Karpathy, "most common neural net
mistakes" (2018), no. 3.
"""

from __future__ import annotations

from ..model import Evidence, Finding, Trace
from ..traces.measure import curve, head, tail
from ..traces.wiring import reached
from .base import Rule, at, found, rounded

RULE = Rule(
    fault="missing_zero_grad",
    severity="critical",
    sheet="gradient-management#zeroing-gradients",
    summary="Clear gradients once per optimizer step; what is left over is added to the next step.",
    remedy="Call optimizer.zero_grad() once per optimizer step, before the first backward pass of that step.",
    structural=True,
    needs=("moving_steps",),
    interventions=({"name": "zero_gradients"},),
    contraindications=("Do not lower the learning rate or clip instead: the gradient keeps growing.",),
)

# A share, not a magnitude: with clearing in place it is 0; cleared once per epoch of n batches it is (n - 1) / n.
# The lowest share that can still be a defect is every other step (1/2); 0.2 leaves room for scripts that forget
# to clear only in one branch of the loop.
MIN_SHARE = 0.2
MIN_STEPS = 3


def check(trace: Trace) -> Finding | None:
    steps = [s for s in trace.steps[1:] if s.backwards or s.stale]
    stale = [s for s in steps if s.stale]
    if len(stale) < MIN_STEPS or len(stale) < MIN_SHARE * len(steps) or _given_by_hand(trace):
        return None
    points = curve(trace)
    evidence = [
        Evidence(quantity="steps that used gradients left over from an earlier step", value=len(stale),
                 threshold=f"of {len(steps)}", unit="steps", step=stale[0].i),
        Evidence(quantity="gradient norm, first and last step",
                 value=f"{rounded(steps[0].grad_norm)} -> {rounded(steps[-1].grad_norm)}"),
        Evidence(quantity="loss, start and end of the recording",
                 value=f"{rounded(head(points) or 0.0)} -> {rounded(tail(points) or 0.0)}"),
    ]  # fmt: skip
    return found(
        RULE,
        0.98,
        f"{len(stale)} of {len(steps)} optimizer steps ran on gradients that still held those of earlier steps.",
        *evidence,
        where=at((trace.site("zero_grad") if len(stale) < len(steps) else None) or trace.site("backward")),
    )


def _given_by_hand(trace: Trace) -> bool:
    """Whether no backward pass reaches what the optimizer holds: the script writes those gradients itself, each time
    anew (a full-precision copy of half-precision weights).
    """
    inside = reached(trace)
    return bool(inside) and not any(p.id in inside for p in trace.parameters if p.optimizers)
