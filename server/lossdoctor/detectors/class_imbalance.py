"""# class_imbalance: rare class ignored

**What it is.** One class is so much rarer than the others that never answering it costs the model next to nothing.

**Signal.** A class with less than a fifth of an even share of the training labels, which the model (which does know
other classes, or has settled on the commonest one) finds in less than a fifth of its evaluation samples, or of its
late training samples; in less than half where held-out samples have it four times as often as training. A weighted
loss is left alone, unless its weights favour the common classes.

**Why it matters.** Loss and accuracy look good; the class that the model was built for is missed.

**Remedy.** Weight the loss (`weight`, `pos_weight`) or sample by class, move the decision threshold, and judge by
recall or average precision, not by accuracy.

**When it stays silent.** Rare classes that the model finds; mild imbalance; losses that already weight classes; too
few samples of the class to tell; classes that even shares do not find either, or only along with as many others
(clicks, claims); scripts that judge probabilities and ranks alone; a run of less than two epochs, which has hardly met
the class.

**Confirming intervention.** `balance_classes`: the loss weights each class by the inverse of its share, same seed; the
recall of the rare classes that were ignored must rise. Where it does not, their signal is too weak, and it is refuted.

**References.** Japkowicz and Stephen, "The class imbalance problem" (2002); He and Garcia, "Learning from imbalanced
data" (2009); Lin et al., "Focal loss" (2017).
"""

from __future__ import annotations

import re
from typing import Any

from ..model import Evidence, Finding, Trace
from ..traces.data import label_shares, recalls
from ..traces.measure import label_prior
from ..traces.printed import series
from ..traces.wiring import next_symbol
from ._evidence import criterion_site, loss_span
from .base import Rule, at, found, rounded

RULE = Rule(
    fault="class_imbalance",
    severity="warning",
    sheet="loss-functions-and-objectives#class-imbalance",
    summary="Judge rare classes by their recall; weight or sample them if they are ignored.",
    remedy="Weight the loss by class (weight=, pos_weight=) or sample by class, and report recall per class.",
    symptom="class_imbalance",
    structural=True,
    needs=("loss_function",),
    contraindications=("Accuracy is no evidence here: always answering the commonest class scores high.",),
)

RARE = 0.2  # of an even share of the labels: one in ten with two classes, one in fifty with ten
IGNORED = 0.2  # recall below which a class counts as ignored
# the same for a class that held-out samples have at least so many times as often as training: chance does not do that
# with as many samples as ``SUPPORT``, and what a split draws at random has equal shares
MISSED, TIMES = 0.5, 4
SUPPORT = 4  # samples of such classes among those judged
KNOWN = 0.5  # recall of the best known class: a model that knows none has another fault
EPOCHS = 2
PROBABILITIES = re.compile(
    r"\b(au(ro|pr)?c|roc|brier|log ?loss|calibration|ece|average precision)\b", re.IGNORECASE
)
DECISIONS = re.compile(
    r"acc|f1|recall|(?<!average )precision|sensitiv|specific|balanced|kappa|mcc|correct|\berr", re.IGNORECASE
)


def check(trace: Trace) -> Finding | None:
    weighted = [r for r in trace.of("loss") if r.get("weighted")]
    prior = label_shares(trace) or label_prior(trace)
    if weighted and not (prior and _upside_down(weighted[0], prior)):
        return None
    if not prior or len(prior) < 2 or _epochs(trace) < EPOCHS:
        return None
    if _probabilities_wanted(trace):
        return None
    if next_symbol(trace):
        return None  # rare symbols are rarely foreseeable, and rightly so
    limit = RARE / len(prior)
    judged = recalls(trace)
    whole = sum(r.count for r in judged)
    ignored = [
        r for r in judged
        if prior.get(r.label, 1.0) < limit and r.recall < least_recall(prior[r.label], r.count / whole)
    ]  # fmt: skip
    if sum(r.count for r in ignored) < SUPPORT or max(r.recall for r in judged) < KNOWN:
        return None
    worst = max(ignored, key=lambda r: r.count)
    share = prior[worst.label]
    made_worse = "; the weights of the loss favour the common classes" if weighted else ""
    return found(
        RULE,
        0.8,
        f"Class {worst.label} is {100 * share:.2g} % of the training labels; "
        f"{100 * worst.recall:.0f} % are found{made_worse}.",
        Evidence(quantity=f"share of class {worst.label} in training", value=rounded(share), threshold=rounded(limit)),
        Evidence(quantity=f"recall of class {worst.label}", value=rounded(worst.recall),
                 threshold=least_recall(share, worst.count / whole)),
        Evidence(quantity="samples of it that were judged", value=f"{worst.count} of {whole}"),
        loss_span(trace),
        where=at((trace.site("class_weights") if weighted else None) or criterion_site(trace, trace.of("loss")[0])),
    )  # fmt: skip


def least_recall(trained: float, asked: float) -> float:
    """The recall from which a class does not count as ignored, by its shares of training and of what was judged."""
    return MISSED if asked >= TIMES * trained else IGNORED


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """The loss weighted by the shares of the classes."""
    shares = label_shares(trace) or label_prior(trace) or {}
    return ({"name": "balance_classes", "shares": {str(label): share for label, share in shares.items()}},)


def _probabilities_wanted(trace: Trace) -> bool:
    """Whether all scores that the script prints are of probabilities or ranks: weights would spoil the ones and leave
    the others as they are.
    """
    names = series(trace)
    return any(map(PROBABILITIES.search, names)) and not any(map(DECISIONS.search, names))


def _upside_down(row: dict[str, Any], prior: dict[int, float]) -> bool:
    """Whether the weights of the loss grow with the shares of the classes, or weigh a rare positive class down."""
    weights = row.get("weights") or []
    if len(weights) == 1 and set(prior) == {0, 1}:
        return bool(weights[0] < 1 and prior[1] < prior[0])
    if max(prior) >= len(weights):
        return False
    rare, common = min(prior, key=lambda c: prior[c]), max(prior, key=lambda c: prior[c])
    return bool(weights[rare] < weights[common])


def _epochs(trace: Trace) -> int:
    """Passes over the training loader; loops without a loader count as enough."""
    return max((r["epoch"] or EPOCHS for r in trace.of("ids") if r["grad"]), default=EPOCHS)
