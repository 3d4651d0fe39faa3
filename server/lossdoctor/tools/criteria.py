"""What counts as proof that one change removed a fault, or showed it. Pure functions of two traces.

Every criterion gets a pair of runs with the same seed and returns whether the changed one proves the fault (None: too
little was seen) and what was measured, in words.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..detectors.base import number
from ..model import Trace
from ..traces.evaluations import points as evaluation_points
from ..traces.layers import nats_of_units
from ..traces.measure import (
    accuracy_curve,
    chance_loss,
    finite,
    noise,
    objective,
    pooled,
    tail,
    time_shares,
    window,
)
from ..traces.printed import RETURN, errors, printed_accuracy, rewards
from ..traces.validation import measured_losses, printed_losses, printed_unexplained
from .gains import gained

SIGMAS = 3.0  # the difference must exceed three standard errors of the two medians that are compared
GAIN = 0.1  # and a tenth of the unchanged run's loss
ACCURACY_GAIN = 0.1
HELD_BACK = 0.5  # evaluation loss with the change relative to without
SAME = 0.03  # accuracy, or share of the loss, by which a run may beat one with shuffled targets by accident
FASTER = 0.7  # step time with the change relative to without
FOUND = 0.2  # gain in the recall of rare classes
FEWEST = 5  # steps without which nothing is compared
OTHER_BATCHES = (
    "split_batch",
    "accumulate",
    "step_each_pass",
)  # the median of a skewed loss depends on how many samples it averages
OF_DENSITIES = ("standardise_inputs",)  # a likelihood of the inputs changes with their unit, learned or not
UNITS = 2.0  # times what the unit can bring: for two likelihoods in one loss
OTHER_UNITS = ("standardise_targets",)  # losses are compared relative to that of the best constant prediction

Proof = tuple[bool | None, str]
Losses = Callable[[Trace], list[tuple[int, float]]]
# where the first is not known of both runs, the next one
HELD_OUT_LOSSES: tuple[Losses, ...] = (measured_losses, printed_losses, printed_unexplained)


@dataclass(frozen=True)
class Runs:
    """Two runs up to the last step after which both have seen equally much: ``last`` of the unchanged one, ``then`` of
    the changed one.
    """

    before: Trace
    after: Trace
    change: dict[str, Any]

    @property
    def last(self) -> int:
        return min(_last(self.before), round(_last(self.after) / pace(self.change, self.before)))

    @property
    def then(self) -> int:
        return round(self.last * pace(self.change, self.before))

    @property
    def long_enough(self) -> bool:
        return min(self.last, self.then) >= FEWEST

    @property
    def as_far(self) -> bool:
        """Whether the changed run went as far as the other one."""
        return self.last == _last(self.before)

    @property
    def other_units(self) -> bool:
        """Whether the losses of the changed run are in another unit."""
        return self.change["name"] in OTHER_UNITS

    def losses(self) -> tuple[tuple[tuple[int, float], ...], tuple[tuple[int, float], ...]]:
        """The training losses of both."""
        old, new = until(self.before, self.last), until(self.after, self.then)
        if self.change["name"] in OTHER_BATCHES or "pace" in self.change:
            return pooled(old, round(len(old) / max(1, len(new)))), pooled(
                new, round(len(new) / max(1, len(old)))
            )
        if self.other_units:
            return _relative(self.before, old), _relative(self.after, new)
        return old, new

    def held_back(self) -> tuple[float | None, float | None]:
        """The last evaluation losses: as measured in both runs, else as both printed them, in whatever unit, or as the
        share of the variance that their printed R2 leaves. Where the change is one of the unit, as measured alone, each
        relative to that of the best constant prediction.
        """
        return self._held_back()[:2]

    def held_start(self) -> float | None:
        """The loss that the evaluation of both began with, in the unit of ``held_back``: its own first one, or that of
        training before any step where both are measured; that of a constant where the change is one of the unit, for
        the first outputs are far from the mean of the targets.
        """
        *ends, losses = self._held_back()
        if losses is None or None in ends:
            return None
        if self.other_units:
            return 1.0
        firsts = [v for trace in (self.before, self.after) for _, v in losses(trace)[:1]]
        trained = objective(self.before)[:1] if losses is measured_losses else ()
        return max((*firsts, *(v for _, v in trained)))

    def _held_back(self) -> tuple[float | None, float | None, Losses | None]:
        for losses in (_relative_losses,) if self.other_units else HELD_OUT_LOSSES:
            was, now = _last_of(losses(self.before), self.last), _last_of(losses(self.after), self.then)
            if was is not None and now is not None:
                return was, now, losses
        return None, None, None

    def held_accuracy(self) -> tuple[float | None, float | None]:
        """The last evaluation accuracies: as measured in both runs, else as both printed them."""
        for accuracy in (_held_accuracy, printed_accuracy):
            was, now = accuracy(self.before, self.last), accuracy(self.after, self.then)
            if was is not None and now is not None:
                return was, now
        return None, None


def pace(change: dict[str, Any], before: Trace) -> float:
    """Updates of the changed run per update of the unchanged one, for the same number of passes over batches: other
    than one where the change is one of the batch size, and where a loss scaler withheld updates that come now.
    """
    if change["name"] == "no_autocast":
        made = sum(1 for s in before.steps if s.optimizer >= 0)
        return 1 + len(before.of("skip")) / max(1, made)
    if "pace" in change:
        return float(change["pace"])
    factor = float(change.get("factor", 1))
    return {"split_batch": factor, "step_each_pass": factor, "accumulate": 1 / factor}.get(
        change["name"], 1.0
    )


def faster(runs: Runs) -> Proof:
    """A step takes less than 0.7 of the time."""
    was, now = time_shares(runs.before), time_shares(runs.after)
    if was is None or now is None or not was["mean_total"] > 0:
        return None, ""
    proof = f"step time {1e3 * was['mean_total']:.3g} -> {1e3 * now['mean_total']:.3g} ms"
    return now["mean_total"] < FASTER * was["mean_total"], proof


def lower(runs: Runs) -> Proof:
    """The training loss, the training accuracy or the evaluation loss ends clearly better."""
    if not runs.long_enough:
        return None, ""
    if runs.change["name"] in OF_DENSITIES and not runs.before.of("loss") and not _beyond_units(runs):
        score = _scores_higher(runs)
        return (True, score) if score else (None, "")
    old, new = runs.losses()
    ends = tail(old), tail(new)
    proof = f"loss at step {runs.last} {shown(ends[0], old)} -> {shown(ends[1], new)}"
    if ends[1] is None or broke(new):
        return False, proof
    if ends[0] is None or broke(old) or differs(old, new) > 0:
        return True, proof
    accuracies = _accuracy(runs.before, runs.last), _accuracy(runs.after, runs.then)
    if None not in accuracies and accuracies[1] - accuracies[0] > ACCURACY_GAIN:  # type: ignore[operator]
        return True, f"accuracy at step {runs.last} {accuracies[0]:.2f} -> {accuracies[1]:.2f}"
    was, now = runs.held_back()
    if was is not None and now is not None and 0 < now < HELD_BACK * was:
        return True, f"evaluation loss {number(was)} -> {number(now)}"
    score = _scores_higher(runs) or (None if runs.other_units else _errors_lower(runs))
    return (True, score) if score else (False, proof)


def _errors_lower(runs: Runs) -> str | None:
    """Which printed error fell below half of what it was, and by how much, in words; None where none did."""
    was, now = errors(runs.before, runs.last), errors(runs.after, runs.then)
    for name in sorted(was.keys() & now.keys()):
        if 0 < max(now[name][-2:]) < HELD_BACK * min(was[name][-2:]):
            return f"printed {name} {number(was[name][-1])} -> {number(now[name][-1])}"
    return None


def _beyond_units(runs: Runs) -> bool:
    """Whether a loss of unknown kind, never negative, fell by more than the inputs' unit can change a likelihood."""
    old, new = runs.losses()
    ends, most = (tail(old), tail(new)), nats_of_units(runs.before)
    if most is None or ends[0] is None or ends[1] is None or min(v for _, v in finite((*old, *new))) < 0:
        return False
    return ends[0] - ends[1] > UNITS * most


def _scores_higher(runs: Runs) -> str | None:
    """What a printed score gained, in words; None where none did."""
    printed = rewards(runs.before, runs.last), rewards(runs.after, runs.then)
    for name in sorted(printed[0].keys() & printed[1].keys()):
        if runs.change["name"] == "scale_lr" and not RETURN.search(name):
            continue  # a ranking that is better after less training speaks against the loss, not the rate
        better = gained(printed[0][name], printed[1][name])
        if better is not None:
            return f"printed {name} {number(better[0])} -> {number(better[1])}"
    return None


def passes(runs: Runs) -> Proof:
    """The training loss ends lower beyond three standard errors, if only by a little: the forward pass is the same, and
    what a signal without gradient could not teach may be the smaller part of a loss with a high floor.
    """
    if not runs.long_enough:
        return None, ""
    old, new = runs.losses()
    proof = f"loss at step {runs.last} {shown(tail(old), old)} -> {shown(tail(new), new)}"
    return not broke(new) and differs(old, new, SAME) > 0, proof


def rewarded(runs: Runs) -> Proof:
    """A printed return or score ends clearly higher; what the loss does says nothing of a policy."""
    was, now = rewards(runs.before, runs.last), rewards(runs.after, runs.then)
    both = sorted(was.keys() & now.keys())
    ends = {name: gained(was[name], now[name]) for name in both}
    for name, better in ends.items():
        if better is not None:
            return True, f"printed {name} {number(better[0])} -> {number(better[1])}"
    told = ", ".join(f"printed {n} {number(was[n][-1])} -> {number(now[n][-1])}" for n in both)
    return (False, told) if told else (None, "")


def higher(runs: Runs) -> Proof:
    """The training loss ends clearly higher: what was taken away was what the model lived on."""
    if not runs.long_enough:
        return None, ""
    old, new = runs.losses()
    proof = f"loss at step {runs.last} {shown(tail(old), old)} -> {shown(tail(new), new)}"
    return not broke(old) and not broke(new) and differs(new, old) > 0, proof


def elsewhere(runs: Runs) -> Proof:
    """The training loss ends clearly higher or lower: what was left out had its part in it."""
    better, proof = higher(runs)
    if better is None:
        return None, ""
    old, new = runs.losses()
    return better or (not broke(new) and differs(old, new) > 0), proof


def untouched(runs: Runs) -> bool:
    """Whether the changed run is the unchanged one, loss by loss, to the last bit."""
    old, new = runs.losses()
    return len(old) >= FEWEST and old == new


def differs(
    high: tuple[tuple[int, float], ...], low: tuple[tuple[int, float], ...], gain: float = GAIN
) -> float:
    """By how much the end of the first curve lies above that of the second, beyond three standard errors and a share
    of its own size; not above 0 when they do not differ.
    """
    ends = tail(high), tail(low)
    if ends[0] is None or ends[1] is None:
        return 0.0
    error = math.hypot(noise(high) / math.sqrt(window(high)), noise(low) / math.sqrt(window(low)))
    clear = SIGMAS * error
    if _above(high, low) > SIGMAS:  # a few wild steps widen the error of what is apart without exception
        clear = 0.0
    return ends[0] - ends[1] - max(clear, gain * abs(ends[0]))


def _above(high: tuple[tuple[int, float], ...], low: tuple[tuple[int, float], ...]) -> float:
    """Standard score of the rank-sum test (Mann and Whitney, 1947) that the last tenth of one curve lies above that of
    the other.
    """
    a, b = ([v for _, v in finite(points)[-window(points) :]] for points in (high, low))
    wins = sum((x > y) + 0.5 * (x == y) for x in a for y in b)
    pairs = len(a) * len(b)
    return (wins - pairs / 2) / math.sqrt(pairs * (len(a) + len(b) + 1) / 12)


def until(trace: Trace, last: int) -> tuple[tuple[int, float], ...]:
    """The training losses up to a step."""
    return tuple(p for p in objective(trace) if p[0] <= last)


def _held_accuracy(trace: Trace, last: int) -> float | None:
    """The last evaluation accuracy up to a step."""
    seen = [p.accuracy for p in evaluation_points(trace) if p.accuracy is not None and p.step <= last]
    return seen[-1] if seen else None


def _last_of(losses: list[tuple[int, float]], last: int) -> float | None:
    """The last value up to a step."""
    return next((v for i, v in reversed(losses) if i <= last), None)


def _last(trace: Trace) -> int:
    points = objective(trace)
    return points[-1][0] if points else 0


def _relative(trace: Trace, points: tuple[tuple[int, float], ...]) -> tuple[tuple[int, float], ...]:
    """Losses divided by that of the best constant prediction, where it is known."""
    level = _level(trace)
    return points if level is None else tuple((i, v / level) for i, v in points)


def _relative_losses(trace: Trace) -> list[tuple[int, float]]:
    """The measured evaluation losses in the same unit; none where it is not known."""
    level = _level(trace)
    return [] if level is None else [(i, v / level) for i, v in measured_losses(trace)]


def _level(trace: Trace) -> float | None:
    """The loss of the best constant prediction; None where it is not known."""
    level = 1.0 if trace.of("standardised") else chance_loss(trace)  # by hand: in units of the variance
    return level if level is not None and level > 0 else None


def broke(points: tuple[tuple[int, float], ...]) -> bool:
    return len(finite(points[-5:])) < len(points[-5:])


def shown(value: float | None, points: tuple[tuple[int, float], ...]) -> str:
    return "not finite" if value is None or broke(points) else number(value)


def _accuracy(trace: Trace, last: int) -> float | None:
    return tail(tuple(p for p in accuracy_curve(trace) if p[0] <= last))
