"""# insufficient_training: the run stopped while the loss still falls steeply

**What it is.** The script ends by itself although a large part of what it learned was learned at its very end.

**Signal.** The fall of the median loss from the third to the last quarter of the run, as a share of the whole fall,
in a script that was not cut off by us, that has not yet fitted its training data. Where steps are too few and noisy:
the share of the held-out loss that was taken off between the last two evaluations, or a held-out loss that was the
best so far at every evaluation and fell as fast over the last third of them as before. A training loss that still
fell by a tenth in the last quarter is no evidence, but asks for the test below.

**Why it matters.** The result says little about the model or the settings: more steps are the cheapest improvement.

**Remedy.** Train longer (and stretch the schedule with it) until the last quarter brings little.

**When it stays silent.** Recordings that were cut off; runs that have fitted their data, or whose last quarter
brought little (less than a tenth of the fall; past half of the way to a fit, less than three tenths); runs that do
not learn at all; losses that need not fall; held-out losses that have come to rest.

**Confirming intervention.** `train_on`: the script runs once more from the weights that it reached; held-out answers
must end clearly better, or, where there are none, the training loss clearly lower.

**References.** Google, "Deep learning tuning playbook" (2023), "Choosing the number of steps"; Kaplan et al. (2020)
for loss curves that fall as a power of the steps.
"""

from __future__ import annotations

from ..model import Evidence, Finding, Site, Trace
from ._evidence import loss_span
from .base import TENTATIVE, Missing, Rule, at, found, rounded
from .falling import (
    LATELY,
    SHARE,
    STEEP,
    TAKEN,
    UNDAMPED,
    held_out_falls,
    held_out_undamped,
    may_go_on,
    still_falling,
)

RULE = Rule(
    fault="insufficient_training",
    severity="warning",
    sheet="learning-rate-scheduling#training-budget",
    summary="Train until the last quarter of the run brings little; stretch the schedule with the run.",
    remedy="Train for more steps and stretch the schedule; double the budget until the end of the curve is flat.",
    symptom="slow_convergence",
    needs=("moving_steps", "loss", "ten_steps"),
    interventions=({"name": "train_on"},),
    contraindications=("Do not compare models or settings on runs that are this far from their end.",),
)


def check(trace: Trace) -> Finding | Missing | None:
    if trace.end is None or trace.end["stop"] != "script_end":
        return Missing("the end of the script")
    return _falling(trace) or _held_out(trace) or _undamped(trace) or _unfinished(trace)


def _falling(trace: Trace) -> Finding | None:
    share = still_falling(trace)
    if share is None:
        return None
    sign = Evidence(quantity="share of the fall in the last quarter", value=rounded(share), threshold=SHARE)
    brought = f"{100 * share:.0f} % of the whole fall of the loss"
    why = f"The last quarter of the run brought {brought}; it was still falling."
    return _found(trace, 0.75 if share > STEEP else 0.6, why, sign, trace.site("training_loop"))


def _held_out(trace: Trace) -> Finding | None:
    """A run of so few steps that its training loss is too noisy to tell, but its held-out loss is not."""
    share = held_out_falls(trace)
    if share is None:
        return None
    sign = Evidence(
        quantity="share of the held-out loss taken off at the end", value=rounded(share), threshold=TAKEN
    )
    why = f"The held-out loss fell by {100 * share:.0f} % between the last two evaluations; training ended there."
    return _found(trace, 0.6, why, sign, trace.site("training_loop"))


def _undamped(trace: Trace) -> Finding | None:
    """A held-out loss that set a new best at every evaluation and falls as fast at the end as it did before."""
    pace = held_out_undamped(trace)
    if pace is None:
        return None
    sign = Evidence(
        quantity="pace of its fall over the last third of the evaluations, relative to all of them",
        value=rounded(pace),
        threshold=UNDAMPED,
    )
    why = "The held-out loss was the best so far at every evaluation and fell undiminished; training ended there."
    return _found(trace, 0.6, why, sign, _end(trace))


def _unfinished(trace: Trace) -> Finding | None:
    """A run that may only need more steps: to be tested."""
    share = may_go_on(trace)
    if share is None:
        return None
    sign = Evidence(
        quantity="share of the loss taken off in the last quarter", value=rounded(share), threshold=LATELY
    )
    why = (
        f"The last quarter of the run took {100 * share:.0f} % off the training loss, and as many steps again bring"
        " much more."
    )
    return _found(trace, TENTATIVE, why, sign, _end(trace))


def _found(trace: Trace, confidence: float, why: str, sign: Evidence, where: Site | None) -> Finding:
    steps = Evidence(quantity="steps", value=len(trace.steps))
    return found(RULE, confidence, why, sign, steps, loss_span(trace), where=at(where))


def _end(trace: Trace) -> Site | None:
    """What may have ended the run: a stopper, else the loop."""
    return trace.site("stopper") or trace.site("training_loop")
