"""What counts as proof by held-out samples. Pure functions of two traces, as in ``criteria``."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..detectors.base import number
from ..traces.amounts import left_in_training, typical_error
from ..traces.measure import head, plain_chance, tail
from ..traces.progress import learned_well
from ..traces.validation import FORETOLD
from .criteria import GAIN, HELD_BACK, SAME, Proof, Runs, broke, differs, shown

ROUNDING = 0.005  # gain in accuracy, or share of the loss, of an evaluation that nothing else has changed
# the same where the change mends the data of a finding that is already measured
DATA_GAIN, DATA_SHARE = 0.05, 0.75
TYPICAL = 0.75  # median error; 0.91 to 1.35 in 29 sound runs (benchmarks/thresholds/amounts.py)
TURNED = 0.9  # evaluation loss with other draws for each batch, relative to the same draws every time
# Of what the changed run wins over the start, what the unchanged one must miss where nothing else speaks for a fault;
# and where its loss is more than twice the other one's (benchmarks/thresholds/rates.py)
MISSED, MISSED_BESIDE = 0.3, 0.1
# The same for a larger model, which answers a little better anyway: the lesser share counts only where the loss falls
# below this part of what it was (benchmarks/thresholds/sizes.py)
FAR_BELOW = 0.33
STOPPED = 0.95  # the same for training that stops at its best: a lesser rise is noise (Prechelt, 1998)


def better_evaluation(gain: float, share: float) -> Callable[[Runs], Proof]:
    """Accuracy of evaluation rises by more than ``gain``, or its loss falls below this share of what it was."""

    def criterion(runs: Runs) -> Proof:
        if not runs.long_enough:
            return None, ""
        (was, now), (wrong, right) = runs.held_back(), runs.held_accuracy()
        if wrong is not None and right is not None and right - wrong > gain:
            return True, f"evaluation accuracy {wrong:.3f} -> {right:.3f}"
        if was is None or now is None:
            return (
                (None, "")
                if wrong is None or right is None
                else (False, f"evaluation accuracy {wrong:.3f} -> {right:.3f}")
            )
        return 0 < now < share * was, f"evaluation loss {number(was)} -> {number(now)}"

    return criterion


def errors_trimmed(runs: Runs) -> Proof:
    """The same as for mended data; or the typical error of held-out answers is clearly less: where held-out targets are
    as wrong as those of training, their squares say nothing.
    """
    better, proof = better_evaluation(DATA_GAIN, DATA_SHARE)(runs)
    was, now = typical_error(runs.before), typical_error(runs.after)
    if not better and runs.as_far and was is not None and now is not None and now < TYPICAL * was:
        return True, f"median error of held-out answers {number(was)} -> {number(now)}"
    return better, proof


def in_known_units(criterion: Callable[[Runs], Proof]) -> Callable[[Runs], Proof]:
    """The criterion for a change of the unit; where the loss is none whose constant level is known, what the answers of
    both runs leave of the variance of their targets, on the scale from that of a constant.
    """

    def told(runs: Runs) -> Proof:
        if runs.before.of("loss"):
            return criterion(runs)
        was, now = left_in_training(runs.before), left_in_training(runs.after)
        if was is None or now is None or not runs.long_enough:
            return None, ""
        least = MISSED_BESIDE if now < HELD_BACK * was else MISSED
        proof = f"variance that answers leave {number(was)} -> {number(now)}"
        return now < 1 and min(was, 1.0) - now > least * (1 - now), proof

    return told


class Lost(NamedTuple):
    """What two runs ended with, what they began with, and of what: of an evaluation, else of training."""

    was: float
    now: float
    start: float
    what: str

    @property
    def share(self) -> float:
        """Of what the changed run won over the start, what the unchanged one missed."""
        return (self.was - self.now) / (self.start - self.now) if self.start > self.now else 0.0


def lost(runs: Runs) -> Lost | None:
    """None where the ends are not known, or the changed run broke. First answers to inputs of another size may be far
    from any: there a run starts at the level of a constant one.
    """
    old, new = runs.losses()
    (was, now), start, what = runs.held_back(), runs.held_start(), "evaluation loss"
    if start is None:
        start = 1.0 if runs.other_units else head(old)
        was, now, what = tail(old), tail(new), f"loss at step {runs.last}"
    if was is None or now is None or start is None or broke(new):
        return None
    level = plain_chance(runs.before) if runs.change["name"] == "standardise_inputs" else None
    start = min(start, level) if level is not None and level > now else start
    return Lost(was, now, start, what)


def missed(runs: Runs) -> Proof:
    """Of what the changed run won over the start the unchanged one missed ``MISSED`` or more, or ``MISSED_BESIDE``
    while the loss is halved: on held-out samples, else in training; and the training loss is lower beyond its noise.
    """
    if not runs.long_enough:
        return None, ""
    (old, new), seen = runs.losses(), lost(runs)
    if seen is None:
        return False, f"loss at step {runs.last} {shown(tail(old), old)} -> {shown(tail(new), new)}"
    least = MISSED_BESIDE if 0 < seen.now < HELD_BACK * seen.was else MISSED
    gained = seen.was - seen.now > GAIN * abs(seen.was) and seen.share > least
    return gained and differs(old, new) > 0, _told(seen)


def missed_by_size(runs: Runs) -> Proof:
    """On held-out samples the unchanged run missed ``MISSED`` of what the larger model won over the start, or
    ``MISSED_BESIDE`` while its loss falls ``FAR_BELOW``, or as large a part of its accuracy as ``MISSED`` where no loss
    is known: a model that only does somewhat better is a matter of taste.
    """
    if not runs.long_enough:
        return None, ""
    if runs.held_start() is not None:
        seen = lost(runs)
        if seen is None:
            return None, ""
        far = 0 < seen.now < FAR_BELOW * seen.was
        return seen.share > (MISSED_BESIDE if far else MISSED), _told(seen)
    wrong, right = runs.held_accuracy()
    if wrong is None or right is None:
        return None, ""
    return right - wrong > MISSED * right, f"evaluation accuracy {wrong:.3f} -> {right:.3f}"


def _told(seen: Lost) -> str:
    return f"{seen.what} {number(seen.was)} -> {number(seen.now)}"


def worse_evaluation(runs: Runs) -> Proof:
    """Evaluation gets worse by more than rounding: what was left out had flattered it."""
    (was, now), (right, wrong) = runs.held_back(), runs.held_accuracy()
    if right is not None and wrong is not None and right - wrong > ROUNDING:
        return True, f"evaluation accuracy {right:.3f} -> {wrong:.3f}"
    if was is None or now is None:
        return None, ""
    return now > (1 + GAIN) * was, f"evaluation loss {number(was)} -> {number(now)}"


def harms(runs: Runs) -> bool:
    """Whether held-out answers get clearly worse: then a lower training loss is what was learned by heart."""
    (was, now), (right, wrong) = runs.held_back(), runs.held_accuracy()
    if right is not None and wrong is not None:
        return right - wrong > SAME
    return was is not None and now is not None and now > (1 + GAIN) * was


def by_heart(runs: Runs) -> bool:
    """Whether the held-out loss stays at that of a constant answer, or beyond it, with the change as without: what it
    brings to the training loss says nothing of the data then.
    """
    (was, now), level = runs.held_back(), plain_chance(runs.before)
    if was is None or now is None or level is None:
        return False
    return now > FORETOLD * level > 0 and now > (1 - GAIN) * was


def needless(runs: Runs) -> bool:
    """Whether a run that fits its training data well answers held-out samples no better with the change: then what it
    gains is gained in training alone.
    """
    (was, now), (right, wrong) = runs.held_back(), runs.held_accuracy()
    if not learned_well(runs.before) or was is None or now is None:
        return False
    found_more = right is not None and wrong is not None and wrong - right > SAME
    return now > (1 - GAIN) * was and not found_more


def no_better(runs: Runs) -> Proof:
    """With targets that say nothing about the inputs the run ends as well: in evaluation, else in its training loss."""
    if not runs.long_enough:
        return None, ""
    (was, now), (real, shuffled) = runs.held_back(), runs.held_accuracy()
    if real is not None and shuffled is not None:
        return real <= shuffled + SAME, f"evaluation accuracy {real:.3f} -> {shuffled:.3f}"
    if was is not None and now is not None:
        return now <= (1 + SAME) * was, f"evaluation loss {number(was)} -> {number(now)}"
    old, new = runs.losses()
    if broke(old) or broke(new):
        return None, ""
    proof = f"loss at step {runs.last} {shown(tail(old), old)} -> {shown(tail(new), new)}"
    return differs(new, old, SAME) <= 0, proof
