"""# warmup_missing: full learning rate from step 0 where the model needs a warm-up

**What it is.** The rate is right for the run but not for its first steps: with fresh weights (and, in Adam, fresh
moment estimates) the first full-size steps throw a deep or attention model somewhere from which it does not recover.

**Signal.** The largest rate is used from the first step on; the loss jumps up or the run gets stuck early, in a
model with attention or layer normalisation; ramping the same rate up slowly cures it.

**Why it matters.** Lowering the rate also helps, but makes the whole run slow; the peak rate was fine.

**Remedy.** Ramp the rate up linearly over the first 1 to 10 % of the updates (a few hundred to a few thousand).

**When it stays silent.** The run learns; the rate already ramps up. A rate that is too high at any time
(`lr_too_high`) is told apart by the intervention: there the ramp only postpones the trouble.

**Confirming intervention.** `warm_up`: linear ramp to the same rate, same seed; the loss must end clearly lower.

**References.** Vaswani et al., "Attention is all you need" (2017); Xiong et al., "On layer normalization in the
transformer architecture" (2020); Liu et al., "On the variance of the adaptive learning rate" (2020); Goyal et al.,
"Accurate, large minibatch SGD" (2017).
"""

from __future__ import annotations

from ..model import Evidence, Finding, Trace
from ..traces.measure import finite, head, need_not_fall, noise, objective, stalled, tail
from ..traces.progress import fitted, learned_well, module_classes, rates
from ._evidence import loss_span, optimizer_site
from .base import TENTATIVE, Rule, at, found, rounded

RULE = Rule(
    fault="warmup_missing",
    severity="critical",
    sheet="learning-rate-scheduling#warmup",
    summary="Deep and attention models want the rate ramped up over the first few percent of the updates.",
    remedy="Ramp the learning rate up linearly over the first 5 % of the updates (LinearLR or LambdaLR).",
    symptom="instability",
    needs=("optimizer_steps", "loss", "ten_steps"),
    interventions=({"name": "warm_up"},),
    contraindications=("A lower rate for the whole run hides the missing warm-up and trains slowly.",),
)

NEEDING = (
    "LayerNorm",
    "RMSNorm",
    "MultiheadAttention",
    "Transformer",
)  # Xiong et al. (2020); Liu et al. (2020)
FULL = 0.9  # rate of the first step relative to the largest
EARLY = 0.3  # share of the run in which the trouble must begin
SPIKE = 1.1  # loss relative to its start
# share of the way to a perfect fit below which a ramp is tried; it counts only if it cures the run
POOR = 0.5


def check(trace: Trace) -> Finding | None:
    used, points = rates(trace), objective(trace)
    start, end = head(points), tail(points)
    if not used or start is None or end is None or used[0] < FULL * max(used) or not used[0] > 0:
        return None
    if need_not_fall(trace) or learned_well(trace) or not _needs_warmup(trace):
        return None
    early = [v for _, v in finite(points)[1 : max(5, int(EARLY * len(points)))]]
    peak = max(early, default=start)
    spiked = peak > SPIKE * start + 3 * noise(points)
    share = fitted(trace)
    poor = share is not None and share < POOR
    if not spiked and not stalled(points) and not poor:
        return None
    return found(
        RULE,
        TENTATIVE,
        f"The full rate of {rounded(used[0])} is used from the first step and the run gets stuck early.",
        Evidence(quantity="first rate / largest rate", value=rounded(used[0] / max(used)), threshold=FULL),
        Evidence(
            quantity="largest loss in the early part / start", value=rounded(peak / start) if start else 0.0
        ),
        loss_span(trace),
        where=at(optimizer_site(trace)),
    )


def _needs_warmup(trace: Trace) -> bool:
    """Whether the model has such layers of torch's, or attends in code of its own."""
    named = any(cls.startswith(NEEDING) for cls in module_classes(trace).values())
    return named or trace.site("attention") is not None
