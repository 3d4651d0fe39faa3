"""# target_not_normalized: regression targets of extreme scale

**What it is.** The network starts with outputs near 0 and of size below 1, and has to reach targets of tens of
thousands, or to resolve targets of a ten-thousandth.

**Signal.** Size of the targets that a regression loss gets, far from 1, and a run whose error stays above or near
that of the constant answer (the variance of the targets). Or large targets that a density of `torch.distributions` is
asked for, under a loss that begins absurdly high.

**Why it matters.** With huge targets the steps bring the output bias up slowly while gradients are enormous; with tiny
ones the noise of each update is larger than the signal.

**Remedy.** Standardise the targets (or their logarithm) with the training set's mean and deviation, and undo it when
predicting.

**When it stays silent.** Raw units that the run fits well, however large the loss value; targets within a factor of
ten of unit size; other losses than those of amounts and likelihoods. Raw units that the run fits in part are a mere
suspicion, which counts only where standardised targets bring much of what the run misses, on held-out samples if there
are any. Of losses without a name (quantiles, log-cosh) what answers leave of the targets' variance is the measure, and
the suspicion counts only where it is proven.

**Confirming intervention.** `standardise_targets`: the error relative to the variance of the targets must end clearly
lower. None for likelihoods.

**References.** LeCun, Bottou, Orr and Müller, "Efficient BackProp" (1998); van Hasselt et al., "Learning values across
many orders of magnitude" (2016).
"""

from __future__ import annotations

import math
from statistics import fmean, median, pstdev
from typing import Any

from ..model import Evidence, Finding, Trace
from ..traces.amounts import answers, left_in_training
from ..traces.measure import REGRESSION, chance_loss, head, objective, tail
from ..traces.progress import fitted
from ._evidence import loss_span
from .base import MERE, TENTATIVE, Missing, Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="target_not_normalized",
    severity="critical",
    sheet="loss-functions-and-objectives#target-scale",
    summary="Regression targets should be of the size that a fresh network produces: about 1.",
    remedy="Standardise the targets with the training set's mean and deviation; undo it when predicting.",
    needs=("loss", "moving_steps"),
    contraindications=("Do not judge by the size of the loss: it is in squared units of the target.",),
)

LARGE = 10.0  # a decade around the unit size that a fresh output layer reaches within few steps
SMALL = 0.02
ABSURD = 50.0  # loss at the start over that at the end (at least 1); a likelihood of sane targets starts at a few nats
FITTED = 0.3  # share of the variance explained from which the scale needs no further sign to be asked about
WELL = 0.97  # and from which there is nothing to ask: what is left is less than the change must bring


def check(trace: Trace) -> Finding | Missing | None:
    rows = [r for r in trace.of("loss") if r["fn"] in REGRESSION and "mean" in r["target"]]
    if not rows:
        known = trace.of("loss") or trace.of("density")
        return _likelihood(trace) if known else _of_answers(trace)
    mean, std = median(r["target"]["mean"] for r in rows), median(r["target"]["std"] for r in rows)
    size, share = math.hypot(mean, std), fitted(trace)
    if std == 0 or SMALL <= size <= LARGE or (share is not None and share >= WELL):
        return None
    partly = share is not None and share >= FITTED
    outputs = [math.hypot(r["in"]["mean"], r["in"]["std"]) for r in rows if "mean" in r["in"]]
    start = rounded(outputs[0]) if outputs else "an unknown size"
    return found(
        RULE,
        MERE if partly else 0.8,
        f"Targets have a typical size of {rounded(size)}; the outputs start at {start}.",
        Evidence(quantity="target mean and standard deviation", value=f"{rounded(mean)}, {rounded(std)}"),
        Evidence(quantity="typical size of the targets", value=rounded(size), threshold=LARGE if size > 1 else SMALL),
        Evidence(quantity="loss of a constant prediction", value=rounded(chance_loss(trace) or 0.0)),
        loss_span(trace),
        where=at(site_by_id(trace, rows[0].get("site"))),
    )  # fmt: skip


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """Standardised targets, where one of torch's loss functions gets them, or a loss of another form that compares."""
    rows = trace.of("loss")
    compared = any(r["fn"] in REGRESSION for r in rows) or (not rows and not trace.of("density"))
    return ({"name": "standardise_targets"},) if compared else ()


def _of_answers(trace: Trace) -> Finding | Missing | None:
    """Targets of a loss of another form (quantiles, log-cosh, ...), as far as answers to them are known."""
    pairs, left = answers(trace, training=True), left_in_training(trace)
    if left is None:
        return Missing("what the loss compares")
    targets = [y for y, _ in pairs]
    mean, std = fmean(targets), pstdev(targets)
    size = math.hypot(mean, std)
    if SMALL <= size <= LARGE or left <= 1 - WELL:
        return None
    return found(
        RULE,
        MERE if left < 1 - FITTED else TENTATIVE,
        f"Targets have a typical size of {rounded(size)}, and answers leave most of what tells them apart.",
        Evidence(quantity="target mean and standard deviation", value=f"{rounded(mean)}, {rounded(std)}"),
        Evidence(quantity="typical size of the targets", value=rounded(size), threshold=LARGE if size > 1 else SMALL),
        Evidence(quantity="variance that answers leave, training", value=rounded(left), threshold=1 - WELL),
        loss_span(trace),
        where=at(trace.site("backward")),
    )  # fmt: skip


def _likelihood(trace: Trace) -> Finding | None:
    """Targets that a density is asked for: large ones, under which the loss begins absurdly high."""
    rows = [r for r in trace.of("density") if "mean" in r["target"]]
    points = objective(trace)
    start, end = head(points), tail(points)
    if not rows or start is None or end is None or trace.of("acts"):
        return None
    mean, std = median(r["target"]["mean"] for r in rows), median(r["target"]["std"] for r in rows)
    size = math.hypot(mean, std)
    if std == 0 or size <= LARGE or start <= ABSURD * max(1.0, abs(end)):
        return None
    return found(
        RULE,
        0.8,
        f"Targets have a typical size of {rounded(size)}; their likelihood starts at a loss of {rounded(start)}.",
        Evidence(quantity="target mean and standard deviation", value=f"{rounded(mean)}, {rounded(std)}"),
        Evidence(quantity="typical size of the targets", value=rounded(size), threshold=LARGE),
        loss_span(trace),
        where=at(site_by_id(trace, rows[0].get("site"))),
    )
