"""Sample a schedule over its run, and past it, and name what a reader of the code would miss."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite

from lossdoctor.errors import BadArgument

JUMP_SHARE = 0.2  # of the peak in one step: no ramp of five or more steps does that
TAIL_SHARE = 0.1  # the last tenth of the run
SMALL_END = 0.05  # of the peak: a rate below that is as good as an end
NOTICEABLE = 0.01  # of the peak: smaller movements are not worth a word
MOST_STEPS = 1_000_000


@dataclass(frozen=True, slots=True)
class ScheduleIssue:
    """``kind``: non_finite, negative, zero_first_step, jump_up, drop, swings, rising_tail, unreached_end,
    rises_past_end or wrong_peak. ``fault`` is False for what may be intended (drops, cycles)."""

    kind: str
    step: int
    detail: str
    fault: bool


@dataclass(frozen=True, slots=True)
class ScheduleAudit:
    """Landmarks of the sampled schedule and its issues, faults first."""

    first: float
    peak: float
    peak_step: int
    last: float
    issues: tuple[ScheduleIssue, ...]

    @property
    def faulty(self) -> bool:
        return any(issue.fault for issue in self.issues)


def audit_schedule(
    lr: Callable[[int], float], total: int, *, expected_peak: float | None = None, end: float | None = None
) -> ScheduleAudit:
    """Sample ``lr(0) .. lr(total - 1)`` and half a run beyond.

    A jump is a rise of more than a fifth of the peak between two steps; the same fall is a "drop" and no
    fault. An end is unreached when the rate is above 5 % of the peak and would go on falling past the last
    step at half its average pace or more, or, with ``end``, when it is further than 1 % of the peak from
    it. Schedules that swing have no end. Raises BadArgument for a run under 2 or over a million steps.
    """
    if not 2 <= total <= MOST_STEPS:
        raise BadArgument("total must be between 2 and 1,000,000 steps", hint="audit epochs instead of steps")
    rates = [float(lr(step)) for step in range(total)]
    broken = _broken_values(rates)
    if broken:
        return ScheduleAudit(rates[0], max(rates), rates.index(max(rates)), rates[-1], tuple(broken))
    peak = max(rates)
    beyond = [float(lr(step)) for step in range(total, total + max(1, total // 2))]
    issues = [
        *_first_step(rates),
        *_jumps(rates, peak),
        *_swings(rates, peak),
        *_tail(rates, peak),
        *_ending(rates, beyond, peak, end),
        *_peak(peak, rates.index(peak), expected_peak),
    ]
    return ScheduleAudit(
        rates[0], peak, rates.index(peak), rates[-1], tuple(sorted(issues, key=lambda issue: not issue.fault))
    )


def _broken_values(rates: list[float]) -> list[ScheduleIssue]:
    for step, rate in enumerate(rates):
        if not isfinite(rate):
            return [ScheduleIssue("non_finite", step, f"rate is {rate}", True)]
        if rate < 0:
            return [ScheduleIssue("negative", step, f"rate is {rate:.3g}: the loss is climbed", True)]
    return []


def _first_step(rates: list[float]) -> list[ScheduleIssue]:
    zeros = next((step for step, rate in enumerate(rates) if rate > 0), len(rates))
    if not zeros:
        return []
    return [ScheduleIssue("zero_first_step", 0, f"{zeros} update(s) at rate 0 do nothing", True)]


def _jumps(rates: list[float], peak: float) -> list[ScheduleIssue]:
    moves = [(after - before, step) for step, (before, after) in enumerate(pairwise(rates), 1)]
    found = []
    for kind, sign in (("jump_up", 1), ("drop", -1)):
        size, step = max((sign * move, step) for move, step in moves)
        if size > JUMP_SHARE * peak:
            detail = f"{rates[step - 1]:.3g} to {rates[step]:.3g} in one step"
            found.append(ScheduleIssue(kind, step, detail, kind == "jump_up"))
    return found


def _tail(rates: list[float], peak: float) -> list[ScheduleIssue]:
    tail = rates[-max(2, round(TAIL_SHARE * len(rates))) :]
    rise = tail[-1] - min(tail)
    if rise <= NOTICEABLE * peak:
        return []
    detail = f"{min(tail):.3g} rises to {tail[-1]:.3g} in the last tenth of the run"
    return [ScheduleIssue("rising_tail", len(rates) - 1, detail, True)]


def _ending(rates: list[float], beyond: list[float], peak: float, end: float | None) -> list[ScheduleIssue]:
    last, step = rates[-1], len(rates) - 1
    issues = []
    if end is not None and abs(last - end) > NOTICEABLE * peak:
        issues.append(ScheduleIssue("unreached_end", step, f"ends at {last:.3g}, not at {end:.3g}", True))
    elif end is None and _keeps_falling(rates, beyond, peak):
        detail = f"still falling at the last step: {last:.3g} is {last / peak:.0%} of the peak"
        issues.append(ScheduleIssue("unreached_end", step, detail, True))
    if max(beyond) - last > NOTICEABLE * peak:
        detail = f"rises to {max(beyond):.3g} if the run goes on past its last step"
        issues.append(ScheduleIssue("rises_past_end", len(rates), detail, False))
    return issues


def _keeps_falling(rates: list[float], beyond: list[float], peak: float) -> bool:
    """The next tenth of a run would bring at least half the usual fall. ``beyond[0]`` is the starting
    point because a schedule that ends at ``total`` still has one step to go at ``total - 1``."""
    tenth = max(1, round(TAIL_SHARE * len(rates)))
    since_peak = len(rates) - rates.index(peak)
    usual = (peak - beyond[0]) * tenth / since_peak
    coming = beyond[0] - beyond[min(tenth, len(beyond) - 1)]
    fell = peak - beyond[0] > NOTICEABLE / 10 * peak and beyond[0] > SMALL_END * peak
    return fell and not _climbs(rates, NOTICEABLE * peak) and coming >= usual / 2


def _climbs(rates: list[float], band: float) -> int:
    """How often the rate climbs by more than ``band`` after having fallen by more than it."""
    count, extreme, falling = 0, rates[0], False
    for rate in rates:
        if (rate - extreme if falling else extreme - rate) > band:
            count, extreme, falling = count + falling, rate, not falling
        extreme = min(extreme, rate) if falling else max(extreme, rate)
    return count


def _swings(rates: list[float], peak: float) -> list[ScheduleIssue]:
    count = _climbs(rates, NOTICEABLE * peak)
    if not count:
        return []
    return [ScheduleIssue("swings", 0, f"rises again {count} time(s) after falling", False)]


def _peak(peak: float, step: int, expected: float | None) -> list[ScheduleIssue]:
    if expected is None or abs(peak - expected) <= NOTICEABLE * abs(expected):
        return []
    return [ScheduleIssue("wrong_peak", step, f"peak is {peak:.3g}, expected {expected:.3g}", True)]
