"""# low_precision_stall: updates are rounded away in bf16 or fp16 weights

**What it is.** A bf16 number has 8 significant bits: an update smaller than about 1/512 of its weight does not change
it. With half-precision weights and a small rate most elements stand still while the gradient is alive.

**Signal.** Share of the elements that a step changed, among those with a gradient, in half-precision weight matrices.

**Why it matters.** The run stalls as if the rate were far too low, and the larger a weight, the more surely.

**Remedy.** fp32 weights (autocast computes in bf16 all the same); or stochastic rounding; or a larger rate.

**When it stays silent.** fp32 weights; half-precision weights most of whose elements move; gradients that are zero
anyway. A run that learns well in spite of it is only tested.

**Confirming intervention.** `master_weights`: the optimizer steps on an fp32 copy of the weights; `no_autocast`:
nothing is computed in half precision. Same seed.

**References.** Micikevicius et al., "Mixed precision training" (2018), master weights; Zamirai et al., "Revisiting
BFloat16 training" (2020); Gupta et al., "Deep learning with limited numerical precision" (2015), stochastic rounding.
"""

from __future__ import annotations

from statistics import median

from ..model import Evidence, Finding, Step, Trace
from ..traces.precision import HALF, matrices
from ..traces.progress import learned_well
from .base import TENTATIVE, Missing, Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="low_precision_stall",
    severity="critical",
    sheet="batch-size-and-memory-tradeoffs#low-precision-weights",
    summary="An update below 1/512 of a bf16 weight is lost: keep the weights in fp32.",
    remedy="Keep the weights in fp32 and use autocast for bf16 computation.",
    needs=("moving_steps", "updates"),
    interventions=({"name": "master_weights"}, {"name": "no_autocast"}),
    contraindications=("A higher rate only hides it: the smallest updates are still lost.",),
)

# Share of the elements with a gradient that a step leaves as they were. fp32: below 0.01. A rate that suits bf16
# weights (1e-3 and more with Adam) loses a fifth at most; 1e-4 loses three quarters (specimens of this fault).
ALIVE = 0.1  # share of elements with a gradient below which a parameter says nothing about rounding
LOST = 0.6
MIN_ROWS = 4


def check(trace: Trace) -> Finding | Missing | None:
    by_hand = not trace.optimizers
    held = (p for p in trace.parameters if p.optimizers or by_hand)
    half = frozenset(p.id for p in held if p.dtype in HALF) & matrices(trace)
    if not half:
        return Missing("half-precision weights")
    shares = [v for s in trace.steps for v in _lost(s, half)]
    if len(shares) < MIN_ROWS or median(shares) < LOST:
        return None
    name = next(p.dtype for p in trace.parameters if p.id in half)
    norms = [s.grad_norm for s in trace.steps if s.updates]
    return found(
        RULE,
        TENTATIVE if learned_well(trace) else 0.8,
        f"{100 * median(shares):.0f} % of the {name} weights that have a gradient do not change in a step.",
        Evidence(quantity="elements with a gradient that a step leaves unchanged, median",
                 value=rounded(median(shares)), threshold=LOST),
        Evidence(quantity="gradient norm in these steps, median", value=rounded(median(norms))),
        where=at(site_by_id(trace, trace.optimizers[0].site) if trace.optimizers else trace.site("update")),
    )  # fmt: skip


def _lost(step: Step, half: frozenset[int]) -> list[float]:
    found_ = []
    for number in half & step.updates.keys():
        alive = 1 - step.zero_grads.get(number, 0.0)
        if alive > ALIVE and step.grads.get(number, 1.0) > 0:
            found_.append(max(0.0, 1 - step.updates[number][2] / alive))
    return found_
