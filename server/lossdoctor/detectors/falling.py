"""Was the loss still falling steeply when the run ended? A sign of a run that is too short, or too slow."""

from __future__ import annotations

import math
from itertools import pairwise
from statistics import median

from ..model import Trace
from ..traces.measure import Curve, finite, head, need_not_fall, noise, objective, tail
from ..traces.printed import FITTING, rewards
from ..traces.progress import fitted
from ..traces.validation import validation_losses
from ..traces.wiring import follower

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
# of the held-out loss, between the last two evaluations, the earlier of which comes after this share of the steps; one
# of 26 recordings of sound specimens that have such a stretch takes off 0.12 there, the others 0.09 and less
TAKEN, LATE = 0.2, 0.4
UNDAMPED = 0.9  # an exponential decay is down to 0.68 of its mean pace after one of its time constants
STEADY, LEAST = 6, 0.1  # evaluations, and the share of the held-out loss that they took off: more than noise
# asks for a test, no more: of 189 sound specimens seven lie between
LATELY, DONE = 0.1, 0.97
FALLEN = 0.2  # of the loss at the start: that much is a beginning even above the level of a constant answer
SETTLED = SHARE  # of the whole gain of the held-out loss, as of the fall of the training loss


def still_falling(trace: Trace) -> float | None:
    """Share of the whole fall of the loss that the last quarter of the run brought, where that is much; None for runs
    that do not learn, have fitted their data, have come to rest, or whose loss need not fall.
    """
    points = objective(trace)
    quarters, done = _quarters(points), fitted(trace)
    start, end = head(points), tail(points)
    if quarters is None or done is None or start is None or end is None or need_not_fall(trace):
        return None
    before, after, error = quarters
    late = before - after
    share = late / (start - end) if start > end else 0.0
    limit = SHARE if done < BARELY else (STEEP if done < HALF else STEEPER)
    if share < limit or late < SIGMAS * error or not BEGUN < done < FITTED or _settled(trace):
        return None
    return share


def _quarters(points: Curve) -> tuple[float, float, float] | None:
    """Median loss in the third and in the last quarter of the run, and the standard error of their difference."""
    values = [v for _, v in finite(points)]
    quarter = len(values) // 4
    if quarter < 3:
        return None
    medians = median(values[2 * quarter : 3 * quarter]), median(values[-quarter:])
    return *medians, noise(points) * math.sqrt(2 / quarter)


def _settled(trace: Trace) -> bool:
    """Whether the held-out loss, or every printed score, has improved and does so no more: training on would only fit
    the training data.
    """
    series = [values for name, values in rewards(trace).items() if not FITTING.search(name)]
    told = [[-v for v in values] for values in series if len(values) > 1]  # one told once is a baseline
    losses = [v for _, v in validation_losses(trace)]
    return _rests(losses) or (not losses and bool(told) and all(map(_rests, told)))


def _rests(values: list[float]) -> bool:
    """Whether what fell over the evaluations brings nothing more in the last quarter of them."""
    quarter = len(values) // 4
    if quarter < 1 or not all(map(math.isfinite, values)):
        return False
    gained, before = values[0] - min(values), min(values[:-quarter])
    return gained > 0 and before - min(values[-quarter:]) < SETTLED * gained


def held_out_falls(trace: Trace) -> float | None:
    """Share of the held-out loss that the last stretch between two evaluations took off, where that is much, the
    stretch is no more than the second half of the run, and the data are not half fitted; None elsewhere.
    """
    losses, done = validation_losses(trace), fitted(trace)
    if len(losses) < 2 or done is None or not BEGUN < done < HALF or need_not_fall(trace):
        return None
    (step, before), (_, last) = losses[-2:]
    lowest = min(v for _, v in losses)
    if step < LATE * len(trace.steps) or not 0 < last <= lowest < math.inf:
        return None
    share = 1 - last / before
    return share if share > TAKEN else None


def held_out_undamped(trace: Trace, least: float = UNDAMPED, most: float = HALF) -> float | None:
    """How fast the held-out loss fell over the last third of its evaluations, relative to all of them, where every one
    was the best so far, the fall has hardly slowed down (to no less than ``least``), and the data are fitted by less
    than ``most``; None elsewhere.
    """
    losses, done = [v for _, v in validation_losses(trace)], fitted(trace)
    if len(losses) < STEADY or done is None or not BEGUN < done < most or need_not_fall(trace):
        return None
    whole = losses[0] - losses[-1]
    if any(b >= a for a, b in pairwise(losses)) or not whole > LEAST * abs(losses[0]):
        return None
    stretches = len(losses) - 1
    late = stretches // 3
    pace = (losses[-1 - late] - losses[-1]) / late / (whole / stretches)
    return pace if pace > least else None


def late_fall(trace: Trace) -> float | None:
    """Share of the training loss in the third quarter of the run that its last quarter took off; None where that is
    no more than noise, or nothing is known.
    """
    quarters = _quarters(objective(trace))
    if quarters is None:
        return None
    before, after, error = quarters
    return 1 - after / before if before > 0 and before - after > SIGMAS * error else None


def may_go_on(trace: Trace) -> float | None:
    """``late_fall`` of a run that has learned, is not done and whose held-out scores have not come to rest, where it
    is so much that as many steps again may bring much; None elsewhere. No evidence by itself.
    """
    done, share = fitted(trace), late_fall(trace)
    if share is None or share < LATELY or done is None or need_not_fall(trace) or _settled(trace):
        return None
    if follower(trace):  # agreement with itself: what it is worth is told elsewhere
        return None
    start, end = head(objective(trace)), tail(objective(trace))
    begun = done > BEGUN or (start is not None and end is not None and end < (1 - FALLEN) * start)
    return share if begun and done < DONE else None
