"""# lr_schedule_misuse: the schedule makes the rate wrong for most of the run

**What it is.** A schedule counts in other units than the loop that drives it: stepped per batch although its numbers
are epochs (the rate is gone after a fraction of the run, or a cosine swings up and down), stepped per epoch although
they are batches (a warm-up that never ends), a warm-up longer than the run, a factor above 1.

**Signal.** The rates that the optimizer really used, against their own peak and against the rate that optimizer and
schedule declare: the share of steps below 1 % of the peak; the largest rate of a finished run (lower than a fifth of
it, or than half where the rate still rose at its end); turning points of a cosine that is not meant to restart;
growth beyond the declared rate. And the loss did not get far. In a run that learned well, a rate that is gone for
most of the run, or never came up, is only *tested*, and reported only when the test confirms it.

**Why it matters.** The code shows a sensible rate. What the run used is another one, and the curve looks like a bad
model.

**Remedy.** Decide whether the schedule counts batches or epochs, and put `scheduler.step()` and its numbers in that
unit; print the rate.

**When it stays silent.** Rates that end near zero late in the run (cosine, polynomial and step decay), one-cycle
peaks, warm restarts, runs that fit well in spite of a schedule that leaves them a good part of their steps, and
warm-ups in a recording that was cut short.

**Confirming intervention.** `constant_lr`: the declared rate throughout, same seed; the loss must end clearly lower.

**References.** PyTorch documentation, `torch.optim` ("How to adjust learning rate": `CosineAnnealingLR`, `OneCycleLR`
and their units); Loshchilov and Hutter, "SGDR" (2017).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any

from ..model import Evidence, Finding, Site, Trace
from ..traces.measure import USUAL, objective, stalled
from ..traces.movement import typical_update_ratio
from ..traces.progress import cut_off, declared_rate, learned_well, rates, replaced_rate
from ..traces.validation import validation_losses
from ._evidence import loss_span, optimizer_site
from .base import TENTATIVE, Rule, at, found, number, rounded, site_by_id

RULE = Rule(
    fault="lr_schedule_misuse",
    severity="critical",
    sheet="learning-rate-scheduling#schedule-faults",
    summary="A schedule must count in the unit in which it is stepped; look at the rates that were really used.",
    remedy="Step the schedule in the unit that its numbers are in (batches or epochs), and size it to the run.",
    needs=("optimizer_steps", "ten_steps"),
    interventions=({"name": "constant_lr"},),
    contraindications=("Do not raise the base rate: the schedule, not the base rate, makes the rate wrong.",),
)

# 1 % of the peak: a step decay of 0.1 that is applied twice; a cosine is below it for the last 6 % of its run, a
# tenfold decay at half and at three quarters for the last quarter (arithmetic of the schedules).
GONE = 0.01
GONE_SHARE = 0.4
MOST_GONE = 0.6
# A cosine is below a twentieth of its peak for the last seventh of the run, a linear decay for the last twentieth.
LOW, LOW_SHARE = 0.05, 0.7
# A linear warm-up that is stopped here never gave the model the rate that was asked for.
NEVER = 0.2
STILL_RISING = 0.5  # the same where the rate rose from the first step of a whole run to its last
GROWN = 3.0  # above the declared rate, with no cycle that declares its own peak
WATCHED = 4  # values without which no direction is seen
CUT = 0.11  # of the largest rate: cut tenfold at least once
TURNS = 3  # from falling to rising and back: one and a half periods of a cosine
# updates for each change of the rate from which on it is stepped by epochs; schedules that decay for ever; and
# how much later than after the number of epochs one must end
SELDOM = 5
ENDLESS = frozenset({"StepLR", "MultiStepLR", "ExponentialLR", "ReduceLROnPlateau", "MultiplicativeLR"})
LONGER = 2
CYCLIC = frozenset({"CosineAnnealingWarmRestarts", "CyclicLR", "OneCycleLR"})


@dataclass(frozen=True)
class Misuse:
    """What is wrong with the sequence of rates."""

    why: str
    quantity: str
    value: float
    threshold: float
    step: int | None = None


def check(trace: Trace) -> Finding | None:
    used = rates(trace)
    if len(used) < 10:
        return None
    wrong_way = _wrong_way(trace, used)
    if wrong_way is not None:
        return wrong_way
    collapsed, well = _collapsed(trace, used), learned_well(trace)
    if well:  # a rate that is gone for most of the run is worth a test even then
        gone = collapsed if collapsed is not None and collapsed.value > MOST_GONE else None
        misuse = gone or _never_reached(trace, used)
    else:
        misuse = collapsed or _never_reached(trace, used) or _grown(trace, used) or _swinging(trace, used)
    low = _low(used) if misuse is None else None
    misuse = misuse or low
    if misuse is None:
        return None
    declared = declared_rate(trace)
    return found(
        RULE,
        TENTATIVE if well or low else 0.85,
        misuse.why,
        Evidence(quantity=misuse.quantity, value=rounded(misuse.value), threshold=misuse.threshold, step=misuse.step),
        Evidence(quantity="rate: declared, first, largest, last", value=", ".join(
            number(v) for v in (declared or 0.0, used[0], max(used), used[-1]))),
        loss_span(trace),
        where=at(_place(trace, misuse)),
    )  # fmt: skip


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """The declared rate throughout. Where it was never reached the number itself, unless a step of that rate would be
    larger than the weights: then it is a mere factor of what the schedule gives (Vaswani et al., 2017), and the rate
    that moves the weights as usual stands for the one that was meant.
    """
    used, declared, ratio = rates(trace), declared_rate(trace), typical_update_ratio(trace)
    if not used or declared is None or not 0 < max(used) < NEVER * declared:
        return RULE.interventions
    moved = (ratio or 0.0) / median(u for u in used if u > 0)  # per unit of the rate
    if moved * declared > 1:
        return ({"name": "constant_lr", "lr": float(f"{USUAL / moved:.2g}")},)
    return ({"name": "constant_lr", "lr": declared},)


def _wrong_way(trace: Trace, used: tuple[float, ...]) -> Finding | None:
    """A rate that is cut whenever a number does not fall, where that number is a score: it rises to the end while the
    evaluation loss falls (or the other way round).
    """
    rows = trace.of("plateau")
    losses = [v for _, v in validation_losses(trace)] or [v for _, v in objective(trace)]
    if len(rows) < WATCHED or len(losses) < WATCHED or used[-1] > CUT * max(used):
        return None
    sign = 1 if rows[0]["mode"] == "min" else -1
    values = [sign * r["value"] for r in rows]
    gets_worse = min(values[1:]) > values[0] and median(values[-3:]) > median(values[:3])
    falls = losses[-1] < losses[0]
    measured = bool(validation_losses(trace))
    if not gets_worse or not falls or (sign < 0 and not measured):
        return None
    turn = "fall" if sign > 0 else "rise"
    why = f"The rate is cut because the watched number does not {turn}, while the run improves."
    return found(
        RULE,
        0.9 if measured else TENTATIVE,
        why,
        Evidence(quantity="number that the schedule watches, first and last", threshold=f"mode={rows[0]['mode']}",
                 value=f"{number(rows[0]['value'])} -> {number(rows[-1]['value'])}"),
        Evidence(quantity="evaluation loss, first and last" if measured else "training loss, first and last",
                 value=f"{number(losses[0])} -> {number(losses[-1])}"),
        Evidence(quantity="rate, largest and last", value=f"{number(max(used))} -> {number(used[-1])}", threshold=CUT),
        where=at(trace.site("scheduler") or trace.site("schedule_step")),
        remedy="Give the scheduler the direction of what it watches (mode='max' for a score), or watch the loss.",
    )  # fmt: skip


def _collapsed(trace: Trace, used: tuple[float, ...]) -> Misuse | None:
    """Below 1 % of its own peak from somewhere in the first 60 % of the run to its end."""
    floor = GONE * max(used)
    gone = next((k for k in range(len(used), 0, -1) if used[k - 1] >= floor), 0)
    share = 1 - gone / len(used)
    if max(used) <= 0 or share < GONE_SHARE or gone == 0 or not stalled(objective(trace)):
        return None
    why = f"The learning rate fell below 1 % of its peak at step {gone + 1} of {len(used)} and stayed there."
    return Misuse(why, "share of the steps below 1 % of the peak rate", share, GONE_SHARE, gone + 1)


def _low(used: tuple[float, ...]) -> Misuse | None:
    """Below 5 % of its own peak for most of the run: worth a test, whatever the loss does."""
    share = sum(rate < LOW * max(used) for rate in used) / len(used)
    if max(used) <= 0 or share < LOW_SHARE:
        return None
    why = f"The learning rate was below 5 % of its peak on {100 * share:.0f} % of the steps."
    return Misuse(why, "share of the steps below 5 % of the peak rate", share, LOW_SHARE)


def _never_reached(trace: Trace, used: tuple[float, ...]) -> Misuse | None:
    declared = declared_rate(trace)
    zero = max(used) == 0
    if declared is None or declared <= 0 or (cut_off(trace) and not zero):
        return None
    if replaced_rate(trace) is not None:  # nothing is scheduled: the rate itself is too low
        return None
    share = max(used) / declared
    rising = used[-1] == max(used) > used[0] and all(b >= a for a, b in pairwise(used))
    if share >= (STILL_RISING if rising else NEVER):
        return None
    why = f"The learning rate never came above {number(max(used))}, {100 * share:.2g} % of what is declared."
    return Misuse(why, "largest rate used / declared rate", share, NEVER)


def _grown(trace: Trace, used: tuple[float, ...]) -> Misuse | None:
    declared = declared_rate(trace)
    if declared is None or declared <= 0 or max(used) <= GROWN * declared:
        return None
    share = max(used) / declared
    why = f"The schedule raised the learning rate to {number(max(used))}, {share:.2g} times the declared one."
    return Misuse(why, "largest rate used / declared rate", share, GROWN)


def _swinging(trace: Trace, used: tuple[float, ...]) -> Misuse | None:
    """A plain cosine that is driven past its end goes up again."""
    classes = {r["class"] for r in trace.of("scheduler")}
    if "CosineAnnealingLR" not in classes or classes & CYCLIC:
        return None
    moves = [b > a for a, b in pairwise(used) if b != a]
    turns = sum(a != b for a, b in pairwise(moves))
    if turns < TURNS:
        return None
    why = f"A cosine schedule was stepped past its end: the learning rate turned {turns} times."
    return Misuse(why, "turning points of the rate", turns, TURNS)


def _place(trace: Trace, misuse: Misuse) -> Site | None:
    """The line that steps the schedule when it is stepped too often or too seldom, else the one that makes it: its own
    length ends it, or keeps it from its peak.
    """
    often = misuse.step is not None and not _ended_by_itself(trace, misuse.step)
    used = rates(trace)
    moves = sum(a != b for a, b in pairwise(used))
    seldom = max(used) < (declared_rate(trace) or 0.0) and SELDOM * moves < len(used)
    if (often or (misuse.step is None and seldom)) and trace.site("schedule_step"):
        return trace.site("schedule_step")
    made = next((r["site"] for r in trace.of("scheduler")), None)
    return site_by_id(trace, made) or optimizer_site(trace)


def _ended_by_itself(trace: Trace, step: int) -> bool:
    """Whether a schedule that has an end came to it long after as many steps as there are epochs: it was stepped with
    every update, as its maker meant it, and is too short.
    """
    classes = {r["class"] for r in trace.of("scheduler")}
    epochs = max((int(r["epoch"] or 0) for r in trace.of("batch")), default=0)
    return 0 < epochs * LONGER < step and bool(classes) and not classes & ENDLESS
