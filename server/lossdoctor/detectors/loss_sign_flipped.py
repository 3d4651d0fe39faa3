"""# loss_sign_flipped: the objective is optimised in the wrong direction

**What it is.** A minus too many or too few: the negative of a loss is minimised, a log-likelihood is minimised
instead of its negative, `maximize=True` with a loss, an update that adds the gradient.

**Signal.** What backward gets against what the loss function returned (its negative); `maximize` in the optimizer,
or updates by hand along the gradient (cosine of the two), with a loss that rises; a loss that falls without bound
below zero while the gradient grows. A steady rise alone, a printed score that a loss whose direction the
script chooses leaves where it was, and the printed return of a policy that does not rise, are only *tested*, and
reported only when the test confirms them.

**Why it matters.** The falling number on the screen is the model getting worse.

**Remedy.** Minimise the loss itself; for a likelihood or a reward minimise its negative, without `maximize=True`.

**When it stays silent.** Negative losses that are meant (log-densities, ELBO, cosine similarity), adversarial
training, policy gradients whose return rises, `maximize=True` (or steps along the gradient) with a reward or a
log-likelihood: an objective that the script computes itself and neither hands over nor prints as a loss.

**Confirming intervention.** `flip_gradient`: every gradient is negated before the step, same seed; the loss
function's value must then fall, or a printed score rise. For a policy `flip_actions`: the gradient of the actions'
log-probabilities alone; the printed return must rise. For scores that are never negative (distances) `flip_scores`:
the loss gets their negative and must fall.

**References.** PyTorch documentation, `torch.optim` (`maximize`); Goodfellow, Bengio and Courville, "Deep learning"
(2016), 4.3 (descent along the negative gradient).
"""

from __future__ import annotations

import math
import re
from statistics import median
from typing import Any

from ..model import Evidence, Finding, Site, Trace
from ..traces.climbed import BY_HAND, climbing
from ..traces.measure import (
    acts,
    curve,
    finite,
    first_nonfinite,
    head,
    loss_function,
    main_steps,
    need_not_fall,
    noise,
    objective,
    plain_chance,
    tail,
)
from ..traces.printed import IN_ORDER, ORDERS, RETURN, rewards
from ..traces.progress import handed_ratio
from ..traces.validation import should_fall
from ._evidence import last_site, loss_span, optimizer_site
from .base import TENTATIVE, Rule, at, found, rounded

RULE = Rule(
    fault="loss_sign_flipped",
    severity="critical",
    sheet="loss-functions-and-objectives#direction",
    summary="Gradient descent lowers what backward is called on; that must be the loss, not its negative.",
    remedy="Call backward on the loss itself (or the negative of a likelihood or reward), once, with maximize=False.",
    symptom="instability",
    needs=("moving_steps", "loss", "ten_steps"),
    interventions=({"name": "flip_gradient"},),
    contraindications=("A lower learning rate only makes the run get worse more slowly.",),
)

RISE = 5.0  # times the step-to-step noise: the rise is not noise
GROWTH = (
    10.0  # |loss| at the end relative to its start: no bounded objective does that while its gradient grows
)
GRADIENT = 3.0
RANKING = re.compile(rf"(?<![a-z])({IN_ORDER})(?![a-z])")
# of such a measure; a model that learns nothing stays near 0.5, of a rank correlation near 0
INVERTED, AGAINST = 0.4, -0.2
SEVERAL = 3
TOLD = frozenset(
    {"margin_ranking_loss", "triplet_margin_loss", "cosine_embedding_loss", "hinge_embedding_loss"}
)
GATHERING = frozenset({"Sum", "Mean", "Div", "View", "UnsafeView", "Squeeze", "Transpose", "T", "Permute"})
SQUARES = frozenset(
    {"Pow", "Sqrt", "Abs", "Cdist", "CdistBackward", "LinalgVectorNorm", "Norm", "EuclideanDist"}
)
GOOD = 0.7  # a score that has no need to rise further
LEARNED = 0.9  # of the chance level, as in tools/discriminate.py
MOVED = 0.05  # of a score between 0 and 1 that says the run is learning something


def check(trace: Trace) -> Finding | None:
    unrewarded = _unrewarded(trace) if acts(trace) else None
    if unrewarded is not None:
        why = f"A policy is trained, and the printed {unrewarded[:40]!r} does not rise."
        return _finding(trace, why, TENTATIVE, None, _policy_term(trace))
    if need_not_fall(trace):
        return None
    ratio, rises = handed_ratio(trace), _rises(trace)
    if ratio is not None and ratio < 0 and rises:
        why = "backward gets the negative of the loss: what is minimised makes the loss grow."
        return _finding(trace, why, 0.97, ratio)
    uphill = _uphill(trace) if rises else None
    if uphill is not None:  # a script that says so may mean it
        return _finding(trace, uphill, 0.95, ratio) if should_fall(trace) else None
    if _runs_away(trace):
        why = "The loss falls without bound below zero, ever faster, while the gradient grows."
        return _finding(trace, why, 0.75, ratio)
    inverted = _inverted(trace)
    if inverted is not None:
        name, value = inverted
        why = (
            f"The printed {name} fell to {rounded(value)}: the model orders the samples the wrong way round."
        )
        return _finding(trace, why, 0.75, ratio)
    idle = _idle(trace)
    if idle is not None:
        why = f"The printed {idle[:40]!r} does not rise with a loss whose direction the script chooses."
        return _finding(trace, why, TENTATIVE, ratio)
    if _rank_by_distance(trace):
        why = (
            "The scores of the classes are never negative, like distances, and nothing is learned from them."
        )
        return _finding(trace, why, TENTATIVE, ratio)
    if rises and _steadily(trace):
        return _finding(trace, "The loss rises steadily from the first steps on.", TENTATIVE, ratio)
    return None


def _uphill(trace: Trace) -> str | None:
    """How the script goes where the objective is higher, if it does."""
    uphill = climbing(trace)
    if uphill - {BY_HAND}:
        return "The optimizer maximises (maximize=True) a loss that should fall."
    if uphill:
        return "The weights are moved along the gradient instead of against it: every update makes the loss grow."
    return None


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """The gradient of the actions' log-probabilities for a policy, scores that are distances, else every gradient."""
    if acts(trace):
        return ({"name": "flip_actions"},)
    return ({"name": "flip_scores"},) if _rank_by_distance(trace) else RULE.interventions


def _inverted(trace: Trace) -> tuple[str, float] | None:
    """A printed ranking measure (0.5: by chance; of a correlation 0) that fell clearly below chance and stayed there.
    Of answers that are not finite none is above another.
    """
    if first_nonfinite(trace) is not None:
        return None
    for name in sorted({n for row in trace.of("print") for n in row["v"] if RANKING.search(n)}):
        values = [row["v"][name] for row in trace.of("print") if name in row["v"]]
        late, signed = values[-SEVERAL:], re.search(ORDERS, name) is not None
        below = max(late) < (AGAINST if signed else INVERTED)
        if len(values) > SEVERAL and below and late[-1] < values[0] and (signed or min(values) >= 0):
            return name, late[-1]
    return None


def _idle(trace: Trace) -> str | None:
    """A printed score that the run leaves where it was, under a loss that no function of torch's computes, or whose
    function is told by the script which of two answers is the better one.
    """
    if loss_function(trace) not in (None, *TOLD):
        return None
    for name, values in sorted(rewards(trace).items()):
        idle = len(values) >= SEVERAL and max(values[-SEVERAL:]) < min(values[0] + MOVED, GOOD)
        if idle and not RETURN.search(name):
            return name
    return None


def _rank_by_distance(trace: Trace) -> bool:
    """Whether class scores are never negative in a run that learns nothing: a softmax over distances prefers the class
    that lies farthest.
    """
    rows = [r for r in trace.of("loss") if r["fn"] in ("cross_entropy", "nll_loss") and "min" in r["in"]]
    chance, end = plain_chance(trace), tail(objective(trace))
    if len(rows) < SEVERAL or chance is None or end is None or end < LEARNED * chance:
        return False
    return all(
        _of_squares(r) or (r["fn"] == "cross_entropy" and r["in"]["min"] >= 0 < r["in"]["max"]) for r in rows
    )


def _of_squares(row: dict[str, Any]) -> bool:
    """Whether what went into the softmax of log-probabilities are sums of squares, roots or norms."""
    made = row.get("maker") or []
    kind = next((name for name in made[1:] if name not in GATHERING), None)
    return row["fn"] == "nll_loss" and made[:1] == ["LogSoftmax"] and kind in SQUARES


def _policy_term(trace: Trace) -> Site | None:
    """The line that weighs the actions' log-probabilities, or, where it only collects them, that of backward."""
    told = trace.site("likelihood")
    return told if told is not None and "*" in told.code else last_site(trace, "backward")


def _unrewarded(trace: Trace) -> str | None:
    """A printed return of a policy that ends no higher than it began."""
    for name, values in sorted(rewards(trace).items()):
        if len(values) >= SEVERAL:
            gain = median(values[-SEVERAL:]) - median(values[:SEVERAL])
            if gain <= MOVED * max(map(abs, values)):
                return name
    return None


def _finding(
    trace: Trace, why: str, confidence: float, ratio: float | None, place: Site | None = None
) -> Finding:
    points = curve(trace)
    handed = f"{rounded(head(points) or 0.0)} -> {rounded(tail(points) or 0.0)}"
    place = optimizer_site(trace) if "maximize" in why else place
    if "weights are moved" in why:
        place = trace.site("update")
    if ratio is not None and ratio < 0:
        place = last_site(trace, "backward")
    return found(
        RULE,
        confidence,
        why,
        Evidence(quantity="value handed to backward / value of the loss function",
                 value="unknown" if ratio is None else rounded(ratio), threshold=0),
        Evidence(quantity="value handed to backward, start and end", value=handed),
        loss_span(trace),
        where=at(place or trace.site("loss") or trace.site("backward")),
    )  # fmt: skip


def _rises(trace: Trace) -> bool:
    points = objective(trace)
    values = [v for _, v in points]
    start, end = head(points), tail(points)
    if any(not math.isfinite(v) for v in values[-3:]):
        return True
    return start is not None and end is not None and end > start + RISE * noise(points) and end > 0


def _steadily(trace: Trace) -> bool:
    """Whether thirds of the run rise one after the other, the first above the start already."""
    points = objective(trace)
    values = [v for _, v in finite(points)]
    third = len(values) // 3
    start = head(points)
    if third < 3 or start is None:
        return False
    levels = [median(values[k * third : (k + 1) * third]) for k in range(3)]
    return start < levels[0] < levels[1] < levels[2]


def _runs_away(trace: Trace) -> bool:
    points = objective(trace)
    values = [v for _, v in finite(points)]
    third = len(values) // 3
    start, end = head(points), values[-1] if values else None
    norms = [s.grad_norm for s in main_steps(trace) if math.isfinite(s.grad_norm) and s.grad_norm > 0]
    if third < 3 or start is None or end is None or end >= 0 or len(norms) < 9:
        return False
    first, second, third_ = (median(values[k * third : (k + 1) * third]) for k in range(3))
    faster = second - third_ > 1.5 * (first - second) > 0
    return faster and abs(end) > GROWTH * abs(start) and median(norms[-3:]) > GRADIENT * median(norms[:3])
