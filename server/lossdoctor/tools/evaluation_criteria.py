"""What counts as proof by held-out samples. Pure functions of two traces, as in ``criteria``."""

from __future__ import annotations

from collections.abc import Callable

from ..detectors.base import number
from ..traces.measure import plain_chance, tail
from ..traces.progress import learned_well
from ..traces.validation import FORETOLD
from .criteria import GAIN, SAME, Proof, Runs, broke, differs, shown

ROUNDING = 0.005  # gain in accuracy, or share of the loss, of an evaluation that nothing else has changed
# the same where the change mends the data of a finding that is already measured
DATA_GAIN, DATA_SHARE = 0.05, 0.75
TURNED = 0.9  # evaluation loss with other draws for each batch, relative to the same draws every time
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
