"""# batch_size_too_small: gradient noise dominates

**What it is.** Batches of a few samples at a rate (and momentum) that suits far larger ones: the steps follow single
samples, the noise does not average out, and the loss stays well above what the data allow.

**Signal.** A very small number of samples per update, large updates, a loss that jumps from step to step and no
longer falls.

**Why it matters.** It looks like a rate that is too high. It is one *for this batch size*: with larger batches or
accumulated gradients the same rate works.

**Remedy.** Use a larger batch, accumulate gradients over several, or lower the rate with the batch size.

**When it stays silent.** Small batches, down to one sample, in runs that learn; sequence models, whose single sample
holds many predictions; a noisy batch loss of a run that fits.

**Confirming intervention.** `accumulate`: the mean gradient over 16 batches per step, same rate, same seed.

**References.** McCandlish et al., "An empirical model of large-batch training" (2018), the gradient noise scale;
Smith et al., "Don't decay the learning rate, increase the batch size" (2018).
"""

from __future__ import annotations

from ..model import Evidence, Finding, Trace
from ..traces.measure import best, chance_loss, head, need_not_fall, noise, objective, stalled, tail
from ..traces.progress import batch_rows, fitted, learned_well, predictions_per_step
from ._evidence import loss_span
from .base import TENTATIVE, Missing, Rule, at, found, rounded

RULE = Rule(
    fault="batch_size_too_small",
    severity="warning",
    sheet="batch-size-and-memory-tradeoffs#gradient-noise",
    summary="When single samples steer the steps, average more of them or take smaller steps.",
    remedy="Raise the batch size or accumulate gradients; or lower the learning rate in proportion to the batch.",
    symptom="instability",
    needs=("moving_steps", "loss", "ten_steps"),
    interventions=({"name": "accumulate", "factor": 16},),
)

SMALL = 4  # samples; noise scales of small problems are tens to hundreds of samples (McCandlish et al., 2018)
UPDATES = 100  # fewer say nothing about a level that noise would hold up
BARELY = 0.1  # share of the way to a loss of zero that says "never far from a constant prediction"
JUMPS = 0.3  # step-to-step noise relative to the level of the loss


def check(trace: Trace) -> Finding | Missing | None:
    size = batch_rows(trace)
    if size is None:
        return Missing("the batch size")
    counted = predictions_per_step(trace) or size
    points = objective(trace)
    end, low = tail(points), best(points)
    quiet = len(points) < UPDATES or need_not_fall(trace) or learned_well(trace)
    if max(size, counted) > SMALL or quiet or end is None or low is None or not _rests(trace):
        return None
    level = max(abs(end), 1e-12)
    if noise(points) < JUMPS * level and not _rose(trace):
        return None
    return found(
        RULE,
        TENTATIVE,
        f"Each update follows {size} sample{'s' if size > 1 else ''}, and the loss jumps without falling further.",
        Evidence(quantity="samples per update", value=size, threshold=SMALL),
        Evidence(quantity="step-to-step noise of the loss / its level", value=rounded(noise(points) / level),
                 threshold=JUMPS),
        loss_span(trace),
        where=at(trace.site("loader") or trace.site("data") or trace.site("forward")),
    )  # fmt: skip


def _rests(trace: Trace) -> bool:
    """No longer falling, or never far from a constant prediction."""
    share = fitted(trace)
    return stalled(objective(trace)) or (share is not None and share < BARELY)


def _rose(trace: Trace) -> bool:
    points, level = objective(trace), chance_loss(trace)
    start, end = head(points), tail(points)
    return start is not None and end is not None and end > 0.9 * (level if level is not None else start)
