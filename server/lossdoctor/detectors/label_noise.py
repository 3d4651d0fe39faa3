"""# label_noise: a large share of training labels is wrong

**What it is.** Inputs and labels belong together, but many labels were given wrongly, in no systematic way.

**Signal.** Inputs that are near each other should have the same label. On the recorded samples the five nearest
neighbours vote; *agreement* is the share of labels that the vote foretells. Noise shows in one of five ways: training
labels agree far less than evaluation labels do, although the neighbours of evaluation samples in the training set
still vote right, clearly more often than for training labels; the same input comes with different labels; or the
evaluation errors of a model that has learned are no less confident than its right answers (errors on hard samples are
hesitant, wrong labels are not); or evaluation answers are right far more often than those in training, with the same
inputs every time, little dropout, no batch normalisation over few samples and no order of classes; or the script's own
accuracies say that held-out answers were far better than those on training samples at first, and got worse as these
were learned: what is simple is learned first, wrong labels are memorised later. Where amounts are asked for: near
inputs have unlike amounts in training alone, or answers leave far more of the variance in training than held out.

**Why it matters.** The loss cannot fall below the noise except by memorising, which then ruins validation; it looks
like a model that is too small, or like overfitting.

**Remedy.** List the samples whose label disagrees with all their neighbours, re-label or drop them; robust losses
and label smoothing only soften the effect.

**When it stays silent.** Naturally hard data (training and evaluation labels agree equally little); training inputs
that are drawn anew by augmentation, where neighbours prove nothing; few samples; models that have not learned.

**Confirming intervention.** `vote_labels`: each training label becomes the vote of the nearest recorded training
samples, same seed; evaluation must end clearly better. Of amounts `trim_errors`: after a third of the run the largest
errors no longer reach the gradient, which brings nothing where training targets are honestly noisy.

**References.** Cover and Hart, "Nearest neighbor pattern classification" (1967); Northcutt, Jiang and Chuang,
"Confident learning" (2021); Zhang et al., "Understanding deep learning requires rethinking generalization" (2017);
Arpit et al., "A closer look at memorization in deep networks" (2017); Liu et al., "Early-learning regularization
prevents memorization of noisy labels" (2020); Shen and Sanghavi, "Learning with bad training data via iterative
trimmed loss minimization" (2019).
"""

from __future__ import annotations

from statistics import fmean, stdev
from typing import Any

from ..model import Evidence, Finding, Trace
from ..traces.bags import neighbourhood_of_bags
from ..traces.data import (
    MAX_CLASSES,
    MIXED,
    Neighbourhood,
    Sampled,
    agreement,
    held_out_lift,
    label_shares,
    neighbourhood,
    samples,
    scales,
    spread_out,
)
from ..traces.evaluations import points
from ..traces.measure import REGRESSION, accuracy_curve, label_prior, loss_function
from ..traces.printed import both_accuracies
from ..traces.progress import batch_rows
from ..traces.ranks import error_ranks, training_ranks
from ..traces.repeated import conflicts, fresh_inputs, labels_are_places
from ..traces.streams import clustering, labels_in_order
from ..traces.wiring import dropouts, next_symbol
from ._evidence import clearly_less, data_site, loss_span, vote
from ._wrong_amounts import Sign, trimmed, wrong_amounts
from .base import Rule, at, found, rounded

RULE = Rule(
    fault="label_noise",
    severity="critical",
    sheet="data-augmentation-strategies#label-faults",
    summary="Compare each label with the labels of the nearest inputs, in training and in evaluation.",
    remedy="Look at the samples whose label no neighbour shares; re-label or drop them before training longer.",
    symptom="plateau",
    structural=True,
    needs=("batches",),
    contraindications=("Do not train longer or enlarge the model: it would only memorise the wrong labels.",),
)

GAP = 0.12  # evaluation's agreement minus training's; at most 0.06 on real data sets (benchmarks/thresholds/data.py)
SIGMAS = 4.0  # and standard errors of that difference
KEPT = 0.25  # agreement above chance, on the scale of evaluation's, below which it is no noise but no relation at all
CLEAR = 3.0  # standard errors above chance
CONFLICTING = 0.1  # share of repeated inputs whose label is not always the same
ERRORS = 40  # wrong answers that a rank comparison needs
RATE = 0.12  # and their share
VOTERS = 15  # neighbours whose vote replaces a label: with half of ten classes' labels at random, nearly always right
BETTER = (
    0.15  # accuracy; in held-back recordings only wrong labels, or what _disturbed tells, gave more than 0.05
)
LOST = (
    0.05  # accuracy that memorising costs; evaluations of a sound run that has learned move by 0.01 or 0.02
)
PRINTED = 4  # evaluations that were printed with both accuracies
LAST = 30  # training batches
AGAIN = 1.5  # times that each input was shown on average
SLIGHT = 0.25  # dropout rate
FEW_ROWS = 8  # samples that batch normalisation is taken over
ORDERED = 0.3  # intraclass correlation of the labels of a batch; 0 +- 0.05 in random order
AMOUNTS = REGRESSION | {"poisson_nll_loss", "gaussian_nll_loss"}
UNRANKED = (0.4, 0.6)  # rank statistic of right over wrong answers' margins: 0.5 is no relation


def check(trace: Trace) -> Finding | None:
    if labels_are_places(trace):
        return None
    near = neighbourhood(trace)
    sign = _of_classes(trace, near) or wrong_amounts(trace, near)
    if sign is None:
        return None
    why, confidence, evidence = sign
    return found(
        RULE,
        confidence,
        why,
        *evidence,
        loss_span(trace),
        where=at(data_site(trace)),
    )


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """Labels by the vote of the recorded training samples; not of bags, whose votes are seldom right. Of amounts, whose
    means would stay drawn to wrong ones, training without the largest errors.
    """
    if _of_classes(trace, neighbourhood(trace)) is None:
        return (trimmed(trace),)
    if _against_evaluation(trace, neighbourhood(trace)) is None and _among_bags(trace) is not None:
        return ()
    return vote(samples(trace, training=True, most=None), VOTERS)


def _of_classes(trace: Trace, near: Neighbourhood) -> Sign | None:
    return (
        _against_evaluation(trace, near)
        or _among_bags(trace)
        or _conflicting(trace)
        or _confident_errors(trace)
        or _only_in_training(trace)
        or _memorised(trace)
    )


def _against_evaluation(trace: Trace, near: Neighbourhood) -> Sign | None:
    inner, other, across = near.within_train, near.within_evaluation, near.across
    if inner is None or other is None or across is None or not near.train.classes or fresh_inputs(trace):
        return None
    if len(near.train) < len(near.evaluation):  # a few inputs lie further from each other
        some = Sampled(
            *(tuple(spread_out(list(v), len(near.train))) for v in (near.evaluation.x, near.evaluation.y))
        )
        other = agreement(some, some, scales(some.x))
    related = across.lift >= KEPT * other.lift or across.score > across.chance + CLEAR * across.error
    related = (
        related or inner.lift >= KEPT * other.lift or (held_out_lift(trace) or 0.0) > KEPT
    )  # neighbours outvote noise, but not wrong pairs
    # neighbours outvote what is wrong for labels that are right: of equally hard inputs, those with right ones gain
    # but for wrong labels that are most and all of one kind; where the inputs of both sides mix, they are equally hard
    gained = across.score - inner.score >= GAP or (near.apart is not None and near.apart < MIXED)
    if not clearly_less(inner, other, GAP, SIGMAS) or not related or not gained:
        return None
    wrong = 1 - inner.score / other.score
    why = f"About {100 * wrong:.0f} % of the training labels differ from those of near inputs, unlike in evaluation."
    return why, 0.85, (
        Evidence(quantity="labels that near inputs foretell, training", value=rounded(inner.score),
                 threshold=rounded(other.score - GAP)),
        Evidence(quantity="the same, evaluation", value=rounded(other.score)),
        Evidence(quantity="the same, evaluation foretold by training", value=rounded(across.score)),
    )  # fmt: skip


def _among_bags(trace: Trace) -> Sign | None:
    """The same of bags of words, by the words that tell: distances of counts see little but their lengths."""
    near = neighbourhood_of_bags(trace)
    return None if near is None else _against_evaluation(trace, near)


def _conflicting(trace: Trace) -> Sign | None:
    share, repeated, independent = conflicts(trace)
    if (
        not label_shares(trace)
        or repeated < ERRORS
        or share < CONFLICTING
        or independent
        or fresh_inputs(trace)
        or next_symbol(trace)  # a context goes on in several ways in natural text
        or loss_function(trace) in AMOUNTS  # counts and measurements of the same inputs differ by nature
    ):
        return None
    why = f"{100 * share:.0f} % of the inputs that occur more than once have different labels."
    return why, 0.8, (
        Evidence(quantity="repeated inputs with different labels", value=rounded(share), threshold=CONFLICTING),
        Evidence(quantity="inputs seen more than once", value=repeated),
    )  # fmt: skip


def _only_in_training(trace: Trace) -> Sign | None:
    """Held-out answers that are right far more often than those on the training samples, although nothing but the
    labels tells the two sides apart: hardly any dropout, no small batches to normalise, the same inputs every time (or
    changed ones whose wrong answers are no less sure than the right ones).
    """
    held = [p.accuracy for p in points(trace) if p.accuracy is not None]
    last = [v for _, v in accuracy_curve(trace)[-LAST:]]
    if (
        not held
        or len(last) < LAST
        or not (label_shares(trace) or _tags(trace))
        or not (_same_inputs(trace) or _no_harder(trace))
        or _disturbed(trace)
    ):
        return None
    inside, error = fmean(last), stdev(last) / len(last) ** 0.5
    if held[-1] - inside < max(BETTER, SIGMAS * error):
        return None
    why = f"{100 * held[-1]:.0f} % of the evaluation answers are right, but only {100 * inside:.0f} % in training."
    return why, 0.75, (
        Evidence(quantity="accuracy, evaluation", value=rounded(held[-1])),
        Evidence(quantity="accuracy, last training batches", value=rounded(inside),
                 threshold=rounded(held[-1] - BETTER)),
    )  # fmt: skip


def _memorised(trace: Trace) -> Sign | None:
    """Printed accuracies of both sides of which that of training was far below the other when that was best, and has
    risen since while the other fell.
    """
    told = both_accuracies(trace)
    best = max(range(len(told)), key=lambda k: told[k][1], default=None)
    if best is None or len(told) < PRINTED:
        return None
    (inside, held), (inside_last, held_last) = told[best], told[-1]
    if held - inside < BETTER or inside_last - inside < BETTER or held - held_last < LOST:
        return None
    why = "Held-out answers were right far more often than those in training, until these were learned by heart."
    return why, 0.7, (
        Evidence(quantity="accuracy in training, at the best evaluation and last",
                 value=f"{rounded(inside)} -> {rounded(inside_last)}", threshold=rounded(held - BETTER)),
        Evidence(quantity="accuracy held out, best and last", value=f"{rounded(held)} -> {rounded(held_last)}"),
    )  # fmt: skip


def _tags(trace: Trace) -> bool:
    """Whether the targets are classes of a few kinds, several to an input."""
    return 1 < len(label_prior(trace) or ()) <= MAX_CLASSES


def _same_inputs(trace: Trace) -> bool:
    """Whether training shows the same inputs several times: no augmentation, no endless stream."""
    shown = [h for row in trace.of("ids") if row["grad"] for h in row["h"]]
    return len(shown) >= AGAIN * len(set(shown)) > 0


def _no_harder(trace: Trace) -> bool:
    """Whether wrong answers in training are as sure as right ones: inputs that are hard to tell are answered less
    surely, wrong labels are independent of the answer.
    """
    ranks = training_ranks(trace)
    return ranks is not None and ranks.wrong >= ERRORS and UNRANKED[0] <= ranks.above <= UNRANKED[1]


def _disturbed(trace: Trace) -> bool:
    """Whether training answers suffer from something else: dropout, normalisation over few samples, class order."""
    normalised = any("BatchNorm" in cls for row in trace.of("model") for _, cls, _ in row["parts"])
    normalised = normalised and (batch_rows(trace) or 0) <= FEW_ROWS
    labels, batch = labels_in_order(trace)
    ordered = len(labels) > 2 * batch > 0 and clustering(labels, batch) > ORDERED
    return normalised or ordered or any(rate > SLIGHT for rate, _, _ in dropouts(trace))


def _confident_errors(trace: Trace) -> Sign | None:
    ranks = error_ranks(trace)
    if ranks is None or ranks.wrong < ERRORS or ranks.rate < RATE or ranks.rate > ranks.chance_rate / 2:
        return None
    if not UNRANKED[0] <= ranks.above <= UNRANKED[1]:
        return None
    why = f"{100 * ranks.rate:.0f} % of the evaluation labels contradict answers as sure as the right ones."
    return why, 0.65, (
        Evidence(quantity="evaluation error", value=rounded(ranks.rate)),
        Evidence(quantity="probability that a right answer is surer than a wrong one", value=rounded(ranks.above),
                 threshold=UNRANKED[1]),
    )  # fmt: skip
