"""# lr_too_high: the learning rate is too large

**What it is.** Steps overshoot: the loss rises, jumps about, or the first few steps throw the weights somewhere from
which nothing can be learned.

**Signal.** The run does not learn (the loss ends no better than it started or than chance, or grows until it is not
finite) *and* the updates are large: |dw|/|w| per step far above 1e-3 in the early steps, or a loss that the first
steps threw to many times its start, where it (or that of the evaluation) is never won back.

**Why it matters.** The same curve, flat at or above chance, comes from a rate that is far too low; "raise it" and
"lower it" are told apart only by the size of the updates.

**Remedy.** Divide the rate by 10 (and again), warm up, then search around the largest rate that is stable.

A run that merely learns poorly with rather large updates, or not well with large ones, is only *tested* (with a lower
rate), and reported only when the test confirms it.

**When it stays silent.** Noisy losses that still fall; large updates of runs that learn (warm restarts, one-cycle
peaks, tiny initial weights); adversarial losses; steps whose length a line search chooses.

**Confirming intervention.** `scale_lr` by the power of ten that brings the early updates to a usual size, then by
the one beside it (0.1 and 0.01 where they are not known): the loss must end clearly lower with the same seed.

**References.** Goodfellow, Bengio and Courville, "Deep learning" (2016), 11.4.1; Smith (2017); Google, "Deep learning
tuning playbook" (2023), "How can optimization failures be debugged"; Karpathy's 1e-3 rule of thumb.
"""

from __future__ import annotations

import math
from statistics import median
from typing import Any

from ..model import Evidence, Finding, Trace
from ..traces.measure import (
    Curve,
    best,
    chance_loss,
    finite,
    first_nonfinite,
    head,
    need_not_fall,
    noise,
    objective,
    pooled,
    stalled,
    tail,
)
from ..traces.movement import typical_update_ratio
from ..traces.progress import WELL, batch_rows, decayed, first_rates, fitted, predictions_per_step
from ..traces.validation import validation_losses
from .base import TENTATIVE, Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="lr_too_high",
    severity="critical",
    sheet="learning-rate-scheduling#too-high",
    summary="When large updates go with a loss that rises, jumps or sits at chance, the rate is too high.",
    remedy="Divide the learning rate by 10, and by 10 again if the loss still jumps; add a warm-up.",
    symptom="instability",
    needs=("moving_steps", "loss", "ten_steps"),
    interventions=({"name": "scale_lr", "factor": 0.1}, {"name": "scale_lr", "factor": 0.01}),
    contraindications=("Do not raise the rate because the loss is flat: the updates are already large.",),
)

EARLY = 60  # steps whose updates are judged
LARGE_UPDATE = (
    0.03  # 30 times the 1e-3 rule of thumb; medians of healthy runs: benchmarks/thresholds/movement.py
)
EXTREME = 0.1  # worth a test however well the run seems to fit: a first step may have thrown the start up
USUAL = 3e-3  # |dw|/|w| per step of sound runs (same measurement)
DIVERGED = 3.0  # loss at its end relative to its start (or to chance)
ELEVATED = 0.005  # enough to be worth a test with a tenth of the rate, not enough to accuse
POOR = 0.8  # loss relative to chance above which a run counts as learning poorly
HALF_WAY = 0.5  # the same at the end of a schedule that has brought the rate down
ABOVE = 1.2  # a third of the run above the start and above chance is no noise; worth a test
NO_GAIN = 0.05  # share of the start (or chance) level by which a run must improve to count as learning
THROWN = 10.0  # peak of the loss relative to its start: logits of that size come from weights that were thrown away
BLOWN = 1e3  # the same where nothing but the first batch says what the loss was: it may have been a lucky one
SOON = 20  # steps after which a peak is no longer the work of the first one
SAMPLES = 16  # that the jumps of a mean loss are judged over
JUMPS = 0.5  # noise of the loss relative to its level: the loss jumps by half of itself from step to step


def check(trace: Trace) -> Finding | None:
    points = objective(trace)
    start, end, low = head(points), tail(points), best(points)
    if start is None or end is None or low is None or need_not_fall(trace) or _searched(trace):
        return None
    level = chance_loss(trace) or abs(start)
    early = _early_ratio(trace)
    sign = _sign(trace, start, end, low, level, early)
    if sign is None:
        return None
    what, confidence = sign
    optimizer = trace.optimizers[0] if trace.optimizers else None
    peak = max((v for _, v in finite(points)), default=start)
    rates = first_rates(trace)
    return found(
        RULE,
        confidence,
        what,
        Evidence(
            quantity="|update| / |weight| in the first steps, median",
            value=rounded(early),
            threshold=LARGE_UPDATE,
        ),
        Evidence(
            quantity="loss, start, peak and end", value=f"{rounded(start)}, {rounded(peak)}, {rounded(end)}"
        ),
        Evidence(quantity="loss of a constant prediction", value=rounded(level)),
        Evidence(quantity="learning rate, largest used", value=rounded(max(rates)) if rates else "unknown"),
        where=at(site_by_id(trace, optimizer.site) if optimizer else trace.site("update")),
    )


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """The power of ten that brings early updates to ``USUAL``, then the one beside it."""
    ratio = _early_ratio(trace)
    if not (math.isfinite(ratio) and ratio > 0):
        return RULE.interventions
    power = min(-1, max(-6, round(math.log10(USUAL / ratio))))
    return tuple({"name": "scale_lr", "factor": 10.0**p} for p in (power, -2 if power == -1 else power + 1))


def _searched(trace: Trace) -> bool:
    """Whether a line search chooses the length of every step (LBFGS): the rate is only where it begins."""
    return any(g.get("line_search_fn") for o in trace.optimizers for g in o.groups)


def _pooled(trace: Trace, points: Curve) -> Curve:
    """Means over so many steps that each has ``SAMPLES``: the loss of one sample jumps by itself."""
    return pooled(points, -(-SAMPLES // max(1, predictions_per_step(trace) or batch_rows(trace) or SAMPLES)))


def _middle(trace: Trace, points: Curve) -> float:
    """Median of the middle third of the losses: one spike does not lift it."""
    values = [v for _, v in finite(_pooled(trace, points))]
    third = len(values) // 3
    return median(values[third : 2 * third]) if third else 0.0


def _replaced(trace: Trace) -> bool:
    """Whether the first update was larger than the weights it moved, in most of the weight matrices."""
    shapes = {p.id: len(p.shape) for p in trace.parameters}
    first = next((s.updates for s in trace.steps if s.updates), {})
    ratios = [u[0] / u[1] for k, u in first.items() if shapes.get(k, 0) >= 2 and u[1] > 0]
    return bool(ratios) and median(ratios) > 1


def _early_ratio(trace: Trace) -> float:
    first = trace.steps[:EARLY]
    ratio = typical_update_ratio(trace, last=first[-1].i) if first else None
    return math.nan if ratio is None else ratio


def _sign(
    trace: Trace, start: float, end: float, low: float, level: float, early: float
) -> tuple[str, float] | None:
    points = objective(trace)
    broken = first_nonfinite(trace)
    grown = max((abs(v) for _, v in finite(points)), default=0.0)
    if broken is not None:
        if grown > 100 * max(abs(start), 1e-3):
            return (
                f"The loss grew from {rounded(start)} to {rounded(grown)} before it stopped being finite.",
                0.85,
            )
        return None
    scale = max(abs(start), abs(level))
    if end > DIVERGED * scale and end > start + 5 * noise(points):
        return f"The loss rose from {rounded(start)} to {rounded(end)}.", 0.85
    held = validation_losses(trace)
    fresh = max(
        abs(points[0][1]), chance_loss(trace) or 0.0
    )  # the first loss: the median of five has the peak in it
    if min(grown, start) > (THROWN if chance_loss(trace) else BLOWN) * fresh and end > fresh:
        shown = f"{rounded(fresh)} at the first step, {rounded(grown)} soon after, {rounded(end)} at the end"
        return f"The first steps threw the weights far away: the loss was {shown}.", 0.8
    if _replaced(trace) and max(abs(v) for _, v in points[:SOON]) > BLOWN * fresh:
        shown = f"{rounded(fresh)} at the first step, {rounded(grown)} soon after"
        return f"The first step was larger than the weights themselves: the loss was {shown}.", 0.7
    if grown > THROWN * fresh and held and held[-1][1] > THROWN * fresh:
        shown = f"{rounded(grown)} in training and ends at {rounded(held[-1][1])} in evaluation"
        return f"The first steps threw the weights far away: the loss reached {shown}.", 0.8
    if (
        early > ELEVATED
        and POOR * abs(level) < end <= (1 - NO_GAIN) * min(abs(start), abs(level))
        and stalled(points)
    ):
        return f"Updates are large and the loss has come to rest at {rounded(end)}, near chance.", TENTATIVE
    risen = _middle(trace, points)
    if early > ELEVATED and risen > ABOVE * max(abs(start), abs(level)):
        return (
            f"Updates are large, and the loss stood at {rounded(risen)} in the middle of the run.",
            TENTATIVE,
        )
    if not early > LARGE_UPDATE:
        return None
    if end > (1 - NO_GAIN) * min(abs(start), abs(level)):
        return (
            f"Updates are large and the loss ends at {rounded(end)}, no better than at the start or than chance.",
            0.8,
        )
    jumps = noise(_pooled(trace, points)) / max(abs(end), 1e-12)
    if jumps > JUMPS and end > 0.3 * abs(level):
        return (
            f"Updates are large and the loss jumps by {100 * jumps:.0f} % of itself from step to step.",
            0.6,
        )
    if end > HALF_WAY * abs(level) and decayed(trace):
        return (
            f"Updates are large, and the loss is still at {rounded(end)} after the rate has decayed.",
            TENTATIVE,
        )
    share = fitted(trace)
    if early > EXTREME or (share is not None and share < WELL):
        return f"Updates are large, and the loss ends at {rounded(end)}.", TENTATIVE
    return None
