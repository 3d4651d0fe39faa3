"""# overfitting: training fits, validation degrades

**What it is.** The model learns the training samples by heart: its training loss goes on falling while the loss on
held-back data has turned and rises.

**Signal.** The evaluation losses of the run (or the validation numbers that the script prints) against their own best
and against the training loss: a best value that lies back, a clear rise since, and a training loss far below; a
lesser rise that is steady and takes back much of what was gained; or a training loss that goes on halving, a tenth of
the validation loss and less, while that has come to rest far up (less far, where no accuracy is known: then it is only
*tested*).

**Why it matters.** Every further epoch makes the model worse where it counts.

**Remedy.** Stop at the best validation loss and keep that checkpoint; then more data or augmentation, weight decay,
dropout, a smaller model.

**When it stays silent.** A steady gap that does not grow; noise of a small validation set; a validation loss below the
training loss; a run that ends at its best.

**Confirming intervention.** `stop_updates` at the best evaluation, same seed: the run must end with a clearly lower
evaluation loss.

**References.** Goodfellow, Bengio and Courville, "Deep learning" (2016), 5.2 and 7.8; Prechelt, "Early stopping - but
when?" (1998), generalisation loss.
"""

from __future__ import annotations

from itertools import pairwise
from statistics import mean
from typing import Any

from ..model import Evidence, Finding, Trace
from ..traces.measure import chance_accuracy, chance_loss, need_not_fall, objective
from ..traces.validation import validation_losses
from ._evidence import loss_span
from .base import TENTATIVE, Missing, Rule, at, found, rounded

RULE = Rule(
    fault="overfitting",
    severity="warning",
    sheet="overfitting-prevention#the-gap",
    summary="When the validation loss turns while the training loss falls, stop there and regularise.",
    remedy="Keep the checkpoint of the best validation loss, and add data, augmentation, decay or dropout.",
    symptom="overfitting",
    needs=("loss",),
    contraindications=("A larger model or more epochs widen the gap.",),
)

RISE = 1.2  # Prechelt (1998): generalisation losses of 5 % are noise, 20 % and more are not
# a rise at so many evaluations in a row, by more than the noise that Prechelt found, of so much of the whole gain:
# where the level of the loss is high (entropies of text) a fifth of it is a lot. Sound specimens lose a quarter
STEADILY, NOISE, LOST = 4, 0.05, 0.4
GAP = 2.0  # validation loss over training loss
WIDE = 10.0  # the same for a validation loss that does not rise: learned by heart without getting better
HALVED = 0.5  # training loss at the end relative to when the validation loss came to rest
REST = 1.03  # of the best validation loss: from there on it improves by less than 3 %
BACK = 0.7  # the best value lies in the first 70 % of the evaluations
LEVEL = 0.4  # of the loss before anything was learned: a small loss that doubled still predicts well
# the same where all of training is learned by heart and no accuracy tells that answers are right all the same: a test
# decides
BY_HEART = 0.2
ENOUGH = 4


def _rises_steadily(values: list[float], best: int) -> bool:
    """Whether the loss has risen at each of several evaluations since its best and lost much of what it had gained."""
    after = values[best:]
    lost, gained = mean(values[-2:]) - values[best], values[0] - values[best]
    rising = len(after) > STEADILY and all(b > a for a, b in pairwise(after))
    return rising and lost >= LOST * gained and lost >= NOISE * values[best]


def _by_heart(trace: Trace, seen: list[tuple[int, float]]) -> bool:
    """Whether the training loss at least halved after the validation loss had come to rest."""
    level = min(v for _, v in seen) * REST
    rest = next(i for i, v in seen if v <= level)
    before = [v for i, v in objective(trace) if i <= rest][-5:]
    after = [v for i, v in objective(trace) if i > seen[-2][0]]
    return rest < seen[-1][0] * BACK and bool(before and after) and mean(after) <= HALVED * mean(before)


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """Training that ends where the validation loss was lowest."""
    step, _ = min(validation_losses(trace), key=lambda point: point[1])
    return ({"name": "stop_updates", "after": step},)


def check(trace: Trace) -> Finding | Missing | None:
    seen = validation_losses(trace)
    if len(seen) < ENOUGH:
        return Missing("four or more evaluation losses")
    if need_not_fall(trace):
        return None
    values = [v for _, v in seen]
    best = min(range(len(values)), key=values.__getitem__)
    last = mean(values[-2:])
    train = [v for i, v in objective(trace) if i > seen[-2][0]]
    if values[best] <= 0 or not train:
        return None
    gap = last / max(mean(train), 1e-12)
    rose = best <= BACK * (len(values) - 1) and last >= RISE * values[best]
    turned = gap >= GAP and (rose or _rises_steadily(values, best))
    # shares of a negative loss (of densities) say nothing
    if not turned and not (mean(train) > 0 and gap >= WIDE and _by_heart(trace, seen)):
        return None
    level = last / max(chance_loss(trace) or 0.0, values[0])
    by_heart = gap >= WIDE and chance_accuracy(trace) is None
    if level < (BY_HEART if by_heart else LEVEL):
        return None
    end = rounded(last)
    how = f"rose from {rounded(values[best])} to {end}" if turned else f"stayed at {end}"
    return found(
        RULE,
        0.85 if level >= LEVEL else TENTATIVE,
        f"The validation loss {how} while training reached {rounded(mean(train))}.",
        Evidence(quantity="validation loss, best and last", value=f"{rounded(values[best])} -> {rounded(last)}",
                 threshold=RISE, step=seen[best][0]),
        Evidence(quantity="validation loss / training loss at the end", value=rounded(gap), threshold=GAP),
        Evidence(quantity="evaluation at which it was best", value=f"{best + 1} of {len(values)}"),
        loss_span(trace),
        where=at(trace.site("loss") or trace.site("backward")),
    )  # fmt: skip
