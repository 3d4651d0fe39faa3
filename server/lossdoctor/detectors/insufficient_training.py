"""# insufficient_training: the run stopped while the loss still falls steeply

**What it is.** The script ends by itself although a large part of what it learned was learned at its very end.

**Signal.** The fall of the median loss from the third to the last quarter of the run, as a share of the whole fall,
in a script that was not cut off by us, that has not yet fitted its training data.

**Why it matters.** The result says little about the model or the settings: more steps are the cheapest improvement.

**Remedy.** Train longer (and stretch the schedule with it) until the last quarter brings little.

**When it stays silent.** Recordings that were cut off; runs that have fitted their data, or whose last quarter
brought little (less than a tenth of the fall; past half of the way to a fit, less than three tenths); runs that do
not learn at all; losses that need not fall; held-out losses that have come to rest.

**Confirming intervention.** None: the script decides about its length.

**References.** Google, "Deep learning tuning playbook" (2023), "Choosing the number of steps"; Kaplan et al. (2020)
for loss curves that fall as a power of the steps.
"""

from __future__ import annotations

import math
from statistics import median

from ..model import Evidence, Finding, Trace
from ..traces.measure import finite, head, need_not_fall, noise, objective, tail
from ..traces.progress import fitted
from ..traces.validation import validation_losses
from ._evidence import loss_span
from .base import Missing, Rule, at, found, rounded

RULE = Rule(
    fault="insufficient_training",
    severity="warning",
    sheet="learning-rate-scheduling#training-budget",
    summary="Train until the last quarter of the run brings little; stretch the schedule with the run.",
    remedy="Train for more steps and stretch the schedule; double the budget until the end of the curve is flat.",
    symptom="slow_convergence",
    needs=("moving_steps", "loss", "ten_steps"),
    contraindications=("Do not compare models or settings on runs that are this far from their end.",),
)

# Of the whole fall, the last quarter brought at most 0.12 in the healthy specimens of this catalogue (a language model
# that was half fitted) and 0.14 to 0.44 in those that end early. A straight line has a quarter to a third.
SHARE = 0.1
STEEP = 0.2
STEEPER = 0.3  # past half of the way: sound runs of some dozen epochs still had 0.21 and 0.25 there
HALF = 0.5
BEGUN = 0.05  # less than this is not learning, whatever the slope
BARELY = 0.35  # share of the way to a loss of zero up to which a lesser slope at the end is enough
FITTED = 0.75  # share of the way to a loss of zero from which on the rest of the fall matters little
SIGMAS = 3.0
SETTLED = SHARE  # of the whole gain of the held-out loss, as of the fall of the training loss


def check(trace: Trace) -> Finding | Missing | None:
    if trace.end is None or trace.end["stop"] != "script_end":
        return Missing("the end of the script")
    points = objective(trace)
    values = [v for _, v in finite(points)]
    quarter, done = len(values) // 4, fitted(trace)
    start, end = head(points), tail(points)
    if quarter < 3 or done is None or start is None or end is None or need_not_fall(trace):
        return None
    late = median(values[2 * quarter : 3 * quarter]) - median(values[-quarter:])
    share = late / (start - end) if start > end else 0.0
    error = noise(points) * math.sqrt(2 / quarter)
    limit = SHARE if done < BARELY else (STEEP if done < HALF else STEEPER)
    if share < limit or late < SIGMAS * error or not BEGUN < done < FITTED or _settled(trace):
        return None
    return found(
        RULE,
        0.75 if share > STEEP else 0.6,
        f"The last quarter of the run brought {100 * share:.0f} % of the whole fall of the loss; it was still falling.",
        Evidence(quantity="share of the fall in the last quarter", value=rounded(share), threshold=SHARE),
        Evidence(quantity="steps", value=len(trace.steps)),
        loss_span(trace),
        where=at(trace.site("training_loop")),
    )


def _settled(trace: Trace) -> bool:
    """Whether the held-out loss, which has improved, does so no more: training on would only fit the training data."""
    values = [v for _, v in validation_losses(trace)]
    quarter = len(values) // 4
    if quarter < 1 or not all(map(math.isfinite, values)):
        return False
    gained, before = values[0] - min(values), min(values[:-quarter])
    return gained > 0 and before - min(values[-quarter:]) < SETTLED * gained
