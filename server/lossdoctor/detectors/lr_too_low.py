"""# lr_too_low: the learning rate is orders of magnitude too small

**What it is.** Every step moves the weights so little that the whole run cannot change what the network computes.

**Signal.** The gradient is alive, the updates are applied, but the summed relative update |dw|/|w| of the whole
run stays far below what learning needs, and the loss is still near its start; or every step is that small, and the
script ends while the loss still falls steeply: then only the proof by a larger rate makes it a finding. Or every step
uses a far lower rate than the optimizer was made with, and no schedule is there (a state that was loaded has its own);
in a run that fits well that is only tested. So is any run whose weights move less per step than usual and that ends
with a good part of its loss left: no curve tells whether that part can be learned, a larger rate does.

**Why it matters.** It looks like "the model does not learn"; the remedy is cheap.

**Remedy.** Raise the rate tenfold at a time, or run a range test; check the unit of the schedule first.

**When it stays silent.** Fine-tuning of a model that already fits (loss far below chance from the start); a vanished
gradient (then raising the rate is harmful); a warm-up that is still rising.

**Confirming intervention.** `scale_lr` by 10 and 100: the loss must fall clearly further with the same seed; where
the curve shows no sign by itself, the run must miss a third of what it wins with the larger rate, on held-out samples
where there are any.

**References.** Smith, "Cyclical learning rates" (2017, range test); Karpathy's rule of thumb of |dw|/|w| near 1e-3
per step; Google, "Deep learning tuning playbook" (2023).
"""

from __future__ import annotations

import math
from typing import Any

from ..model import Evidence, Finding, Trace
from ..traces.measure import (
    USUAL,
    accuracy_curve,
    chance_accuracy,
    chance_loss,
    curve,
    head,
    need_not_fall,
    noise,
    objective,
    tail,
)
from ..traces.movement import movement, typical_update_ratio, update_ratios
from ..traces.progress import decayed, first_rates, fitted, learned_well, replaced_rate
from .base import MERE, TENTATIVE, Rule, at, found, number, rounded, site_by_id
from .falling import held_out_undamped, still_falling

RULE = Rule(
    fault="lr_too_low",
    severity="critical",
    sheet="learning-rate-scheduling#too-low",
    summary="When the gradient is alive but the weights hardly move, the rate is too low.",
    remedy="Raise the learning rate tenfold at a time (or run a range test) and check the schedule's unit.",
    needs=("moving_steps", "loss", "updates"),
    interventions=({"name": "scale_lr", "factor": 100.0}, {"name": "scale_lr", "factor": 1000.0}),
)

# |dw|/|w| summed over the run. With a sound rate the matrix that moves most moved by 0.9 to 1.2 in these units, with
# one 1,000 times too small by 0.003 to 0.011 (benchmarks/thresholds/movement.py: SGD, Adam, RMSprop).
MAX_MOVEMENT, SOUND = 0.05, 0.9
STILL = MAX_MOVEMENT / 5  # 1 % over the run
FAR = 0.01  # of another rate: those of parts of one model that are tuned beside each other differ by ten, mostly
# share of the usual step: half of what the weights that move most make in specimens that only end too early
SMALL = 0.15
POOR = 0.5  # of the way to a perfect fit; worth a test
DAMPED = 0.68  # pace of a held-out loss at the end relative to its mean: what is left after one time constant
# of the loss of a constant prediction: what may be left to learn; asks for a test, no more
LEFT = 0.2
MAX_FALL = 0.15  # share of the way from the start to zero (or to the floor) that the loss has fallen
FITTED = 0.6  # start below this share of the chance level: the model already fits, a small rate is on purpose


def check(trace: Trace) -> Finding | None:
    return _all(trace) or _some(trace)


def _all(trace: Trace) -> Finding | None:
    ratio = typical_update_ratio(trace)
    points = objective(trace)
    start, end = head(points), tail(points)
    if ratio is None or start is None or end is None or not trace.steps[-1].grad_norm > 0:
        return None
    moved = movement(trace)
    fall = (start - end) / abs(start) if start else 0.0
    replaced, fits = replaced_rate(trace), _already_fits(trace, start)
    if _cut_off(trace) or (fits and replaced is None) or _rose(trace):
        return None
    still = moved <= MAX_MOVEMENT and fall <= MAX_FALL
    well = fits or learned_well(trace)
    crawls = _crawls(trace, moved)
    if not still and replaced is None and not crawls and not _has_left(trace, moved, start, end):
        return None
    sure = 0.85 if moved < STILL or replaced else 0.65
    if not ((still and not fits) or (replaced and not well)):
        sure = TENTATIVE if crawls or replaced else MERE
    other = (
        f" It was made with a rate of {number(replaced[0])}, and every step uses another." if replaced else ""
    )
    optimizer = trace.optimizers[0] if trace.optimizers else None
    rates = first_rates(trace)
    return found(
        RULE,
        sure,
        f"The gradient is alive but the weights moved by only {100 * moved:.2g} % over {len(trace.steps)} steps."
        + other,
        Evidence(quantity="|update| / |weight| per step, median", value=rounded(ratio), threshold=1e-3),
        Evidence(
            quantity="|update| / |weight| summed over the run",
            value=rounded(moved),
            threshold=MAX_MOVEMENT,
        ),
        Evidence(quantity="loss, start and end", value=f"{rounded(start)} -> {rounded(end)}"),
        Evidence(quantity="learning rate, largest used", value=rounded(max(rates)) if rates else "unknown"),
        where=at(site_by_id(trace, optimizer.site) if optimizer else trace.site("update")),
    )


def _some(trace: Trace) -> Finding | None:
    """Weights of a rate of their own that stand still in a run that has much of its loss left: worth a test."""
    slow = _slow(trace)
    start, end = head(objective(trace)), tail(objective(trace))
    if slow is None or start is None or end is None or not _left(trace, start, end):
        return None
    low, high, moved, count = slow
    made = next((o for o in trace.optimizers if any(g.get("lr") == low for g in o.groups)), None)
    return found(
        RULE,
        MERE,
        f"{count} weight matrices with a rate of {number(low)} moved by only {100 * moved:.2g} % over the run; others "
        f"have a rate of {number(high)}.",
        Evidence(quantity="|update| / |weight| of these, summed over the run", value=rounded(moved), threshold=STILL),
        Evidence(quantity="loss, start and end", value=f"{rounded(start)} -> {rounded(end)}"),
        Evidence(quantity="learning rates, smallest and largest", value=f"{number(low)}, {number(high)}"),
        where=at(site_by_id(trace, made.site) if made else None),
    )  # fmt: skip


def _slow(trace: Trace) -> tuple[float, float, float, int] | None:
    """(lowest rate, highest, largest movement of the matrices that stand still, how many) where the first is far below
    the second and some matrices that get a gradient stand still.
    """
    asked = {
        float(g["lr"]) for o in trace.optimizers for g in o.groups if isinstance(g.get("lr"), (int, float))
    }
    rates = sorted(r for r in asked if r > 0)
    if len(rates) < 2 or rates[0] > FAR * rates[-1]:
        return None
    moved = {n: r * len(trace.steps) for n, r in update_ratios(trace).items()}
    alive = {n for step in trace.steps for n, norm in step.grads.items() if norm > 0}
    still = [m for n, m in moved.items() if m < STILL and n in alive]
    return (rates[0], rates[-1], max(still), len(still)) if 0 < len(still) < len(moved) else None


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """The rate that the optimizer was made with, where every step uses a far lower one; the power of ten that brings
    the weights that move most nearest to ``USUAL`` per step, then the one that brings most weights there, or else a
    tenth of the first.
    """
    slow = _slow(trace) if _all(trace) is None else None
    if slow is not None:
        low, high, moved, _ = slow
        power = round(_powers(moved / len(trace.steps)))
        return ({"name": "scale_lr", "factor": 10.0**power, "below": math.sqrt(low * high)},)
    replaced = replaced_rate(trace)
    asked = ({"name": "constant_lr", "lr": replaced[0]},) if replaced else ()
    most, typical = movement(trace) / max(1, len(trace.steps)), typical_update_ratio(trace) or 0.0
    if not most > 0:
        return asked or RULE.interventions
    first = round(_powers(most))
    second = math.ceil(_powers(typical)) if typical > 0 else first
    second = first - 1 if second == first else second
    return (*asked, *({"name": "scale_lr", "factor": 10.0**p} for p in (first, second) if p > 0))


def _powers(moved: float) -> float:
    """Powers of ten from a relative update to the usual one."""
    return min(8.0, max(1.0, math.log10(USUAL / moved)))


def _crawls(trace: Trace, moved: float) -> bool:
    """Whether each step is far below the usual one, and the script ends while the loss still falls steeply, or that of
    held-out samples without slowing down, or with little learned: a schedule that ends at nothing flattens any curve.
    """
    ended = trace.end is not None and trace.end["stop"] == "script_end"
    small = moved < SMALL * USUAL * max(1, len(trace.steps))
    falls = still_falling(trace) is not None or held_out_undamped(trace, DAMPED, FITTED) is not None
    share = fitted(trace)
    poor = share is not None and share < POOR and decayed(trace)
    return ended and small and (falls or poor)


def _has_left(trace: Trace, moved: float, start: float, end: float) -> bool:
    """Whether the weights that move most move less than usual, per step and over the run, and the script ends with much
    of its loss left: nothing that a curve tells, but worth a test.
    """
    return moved < min(SOUND, USUAL * len(trace.steps)) and _left(trace, start, end)


def _left(trace: Trace, start: float, end: float) -> bool:
    """Whether the script ends with much of its loss left."""
    ended = trace.end is not None and trace.end["stop"] == "script_end"
    level = min(v for v in (start, chance_loss(trace)) if v is not None)
    return ended and not need_not_fall(trace) and (level <= 0 or end > LEFT * level)


def _cut_off(trace: Trace) -> bool:
    """Whether most weight matrices get a gradient of exactly zero: then the rate is not what holds them."""
    matrices = {p.id for p in trace.parameters if len(p.shape) >= 2}
    norms = [n for step in trace.steps[-20:] for k, n in step.grads.items() if k in matrices]
    return bool(norms) and sum(n == 0 for n in norms) >= 0.5 * len(norms)


def _already_fits(trace: Trace, start: float) -> bool:
    chance, base = chance_loss(trace), chance_accuracy(trace)
    accuracies = [v for _, v in accuracy_curve(trace)[:20]]
    if base is not None and accuracies:  # the level of a loss of several terms may be another one
        return sum(accuracies) / len(accuracies) > base + 0.3
    return chance is not None and 0 < start < FITTED * chance


def _rose(trace: Trace) -> bool:
    points = curve(trace)
    start, end = head(points), tail(points)
    return start is not None and end is not None and end > start + 5 * noise(points)
