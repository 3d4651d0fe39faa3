"""# augmentation_destroys_signal: augmentation changes the label

**What it is.** A random transform is so strong, or so wrong for the task, that what tells the classes apart is gone:
crops that miss the object, noise above the signal, flips of digits or text, erasing nearly everything.

**Signal.** Training inputs are new in each epoch, their neighbours do not foretell their labels, yet neighbours of
the evaluation inputs, which are not augmented, do; or most training inputs are one and the same blank while
evaluation inputs differ. New inputs in each epoch with a loss that rests far from a fit, or with poor held-out answers
beside one that is far from it, are only *tested*, and reported only when the test confirms it.

**Why it matters.** The model is trained on labels that its inputs no longer determine; more training does not help.

**Remedy.** Look at a grid of augmented samples: a person must still be able to tell the label. Start from none and
add one transform at a time.

**When it stays silent.** Augmentation that lowers the agreement a little; training loss above validation loss because
of augmentation, with nine of ten held-out answers right; data that neighbours cannot foretell even unaugmented.

**Confirming intervention.** `settle_draws` (where the data set itself draws), `no_augmentation`: without the random
changes the same run must end better.

**References.** Cubuk et al., "RandAugment" (2020), on strength; Schilling (1986) for the two-sample test; Balestriero,
Bottou and LeCun, "The effects of regularization and data augmentation are class dependent" (2022).
"""

from __future__ import annotations

from collections import Counter
from math import prod
from typing import Any

from ..model import Evidence, Finding, Trace
from ..traces.amounts import left
from ..traces.data import Neighbourhood, held_out_lift, label_shares, neighbourhood
from ..traces.evaluations import repeated
from ..traces.measure import CLASSIFICATION, loss_function, objective, stalled
from ..traces.progress import fitted
from ..traces.repeated import contrasts, fresh_inputs
from ._evidence import loss_span
from .base import TENTATIVE, Rule, at, found, rounded

RULE = Rule(
    fault="augmentation_destroys_signal",
    severity="critical",
    sheet="data-augmentation-strategies#label-preserving",
    summary="After augmentation a person must still be able to tell the label.",
    remedy="Show a grid of augmented samples, drop the transform that hides the label, and weaken the others.",
    structural=True,
    needs=("batches",),
)

KEPT = (
    0.5  # training lift relative to evaluation's; shifted, slightly noisy or flipped digits keep 0.8 and more
)
SOME = 0.25  # evaluation lift without which neighbours are no judges
APART = 0.3  # two-sample statistic: 0 mixed, 1 apart; a training set and its own held-out part are below 0.1
FITTED = 0.85  # share of the way to a perfect fit from which augmentation does not stand in the way
POOR = 0.8  # lift of evaluation answers below which a run that is far from a fit is tested though its loss still falls
ANSWERED = 0.9  # the same, from which on harder training does no harm worth a test
RIGHT = 0.8  # lift of the model's own evaluation answers, relative to that of neighbours
BLANK = 0.5  # share of training inputs that are one and the same
FEW = 0.1  # answers per number of the input


def check(trace: Trace) -> Finding | None:
    near = neighbourhood(trace)
    fresh = fresh_inputs(trace) and not contrasts(trace)  # two views of a sample are meant to differ
    sign = _blank(trace) or (_lost(trace, near) if fresh else None) or (_stuck(trace) if fresh else None)
    if sign is None:
        return None
    why, confidence, evidence = sign
    return found(RULE, confidence, why, *evidence, loss_span(trace), where=at(trace.site("loader")))


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """Random changes of the inputs left out; where answers are classes, or a few numbers about inputs that evaluation
    shows unchanged (else noise may be the task itself), also those that no name gives away, first of all those that are
    written out where a data set makes its samples.
    """
    drawn = loss_function(trace) in CLASSIFICATION or (_few_answers(trace) and repeated(trace))
    written_out = drawn and any(r.get("draws") for r in trace.of("loader"))
    return (
        *(({"name": "settle_draws"},) if written_out else ()),
        {"name": "no_augmentation", "drawn": drawn},
    )


def _few_answers(trace: Trace) -> bool:
    """Whether the model answers each sample with far fewer numbers than it gets: it gives none of them back."""
    calls = [r for r in trace.of("forward") if r["grad"] and r["in"] and r.get("out")]
    sizes = [(prod(r["in"][0]["shape"]), prod(r["out"][0]["shape"])) for r in calls]
    return bool(sizes) and all(answered <= FEW * given for given, answered in sizes)


Sign = tuple[str, float, tuple[Evidence, ...]]


def _lost(trace: Trace, near: Neighbourhood) -> Sign | None:
    inner, other = near.within_train, near.within_evaluation
    if other is not None and (held_out_lift(trace) or 0.0) > RIGHT * other.lift:
        return None  # what was learned from the augmented inputs tells the labels of plain ones
    if inner is None or other is None or near.apart is None or other.lift < SOME:
        return None
    if inner.lift > KEPT * other.lift or near.apart < APART:
        return None
    why = "Augmented training inputs no longer tell their labels; the plain evaluation inputs do."
    return why, 0.85, (
        Evidence(quantity="labels that near inputs foretell, training", value=rounded(inner.score),
                 threshold=rounded(inner.chance + KEPT * other.lift * (1 - inner.chance))),
        Evidence(quantity="the same, evaluation", value=rounded(other.score)),
        Evidence(quantity="distance of training from evaluation inputs (0 mixed, 1 apart)", value=rounded(near.apart)),
    )  # fmt: skip


def _stuck(trace: Trace) -> Sign | None:
    """Training on ever new inputs has come to rest far from a fit: worth a run without the augmentation."""
    share = fitted(trace)
    if share is None or share > FITTED:
        return None
    rests, lift, amounts = stalled(objective(trace)), held_out_lift(trace), left(trace)
    if lift is None and amounts is not None:
        lift = 1 - amounts.held_out
    if (lift or 0.0) >= ANSWERED or (not rests and (lift is None or lift >= POOR)):
        return None
    if loss_function(trace) in CLASSIFICATION and len(label_shares(trace)) < 2 and not _shared_answers(trace):
        return (
            None  # the answer is a place among the scores (contrastive): without augmentation that is no task
        )
    how = "its loss has come to rest" if rests else "ends"
    why = f"Training shows new inputs in every epoch and {how} far from a fit."
    fit = Evidence(quantity="fit of the training data (0 constant answer, 1 perfect)", value=rounded(share),
                   threshold=FITTED)  # fmt: skip
    return why, TENTATIVE, (fit,)


def _shared_answers(trace: Trace) -> bool:
    """Whether every answer that the loss asks for is asked for by several samples of a call: places of classes in an
    episode, unlike those of pairs, of which each has one of its own.
    """
    calls = [list(r["target"].get("hist", {}).values()) for r in trace.of("loss")]
    return bool(calls) and all(len(counts) > 1 and min(counts) > 1 for counts in calls)


def _blank(trace: Trace) -> Sign | None:
    """Most training inputs are one blank, although evaluation inputs differ."""
    train = Counter(h for r in trace.of("ids") if r["grad"] for h in r["h"])
    evaluation = [h for r in trace.of("ids") if not r["grad"] for h in r["h"]]
    if not train or not evaluation or len(train) < 2:
        return None
    (print_, count), total = train.most_common(1)[0], sum(train.values())
    if count < BLANK * total or evaluation.count(print_) > BLANK / 2 * len(evaluation):
        return None
    labels = {y for r in trace.of("ids") if r["grad"] and r.get("y")
              for h, y in zip(r["h"], r["y"], strict=False) if h == print_}  # fmt: skip
    if len(labels) < 2:
        return None
    why = (
        f"{100 * count / total:.0f} % of the training inputs are one and the same, with {len(labels)} labels."
    )
    return why, 0.8, (Evidence(quantity="share of training inputs that are equal", value=rounded(count / total),
                               threshold=BLANK),)  # fmt: skip
