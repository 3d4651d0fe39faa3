"""What counts as proof that a run was too short: as many steps again bring much. A pure function of two traces."""

from __future__ import annotations

from ..detectors.base import number
from ..model import Trace
from ..traces.measure import head, plain_chance, tail
from ..traces.printed import FITTING, RETURN, rewards
from .criteria import ACCURACY_GAIN, GAIN, HELD_BACK, SAME, Proof, Runs
from .evaluation_criteria import DATA_SHARE, ROUNDING

# held-out accuracy; of 19 sound runs that still fall steeply none gains more than 0.02 (thresholds/longer.py)
GROWN = 0.05
HELD_GAIN = 0.05  # of the loss of a constant prediction (or at the start): what less brings is of no account


def longer(runs: Runs) -> Proof:
    """As many steps again bring much: held-out accuracy, else the held-out loss, else that of training; a printed score
    must then gain much too. None when the run did not begin where the other ended, or gained something but not much.
    """
    old, new = runs.losses()
    begun = head(old), head(new)
    if not runs.long_enough or begun[0] is None or begun[1] is None or begun[1] > (1 - SAME) * begun[0]:
        return None, ""
    right, more = runs.held_accuracy()
    if right is not None and more is not None:
        proof = f"evaluation accuracy after as many steps again {right:.3f} -> {more:.3f}"
        return _decided(more - right > GROWN, more - right > ROUNDING), proof
    ranked = _risen(runs.before, runs.after)
    if ranked is not None:
        return True, ranked
    (was, now), told, least, share = runs.held_back(), "evaluation loss", HELD_GAIN, DATA_SHARE
    if was is None or now is None:  # training loss falls in sound runs too: more is asked of it
        (was, now), told, least, share = (tail(old), tail(new)), "loss", GAIN, HELD_BACK
    if was is None or now is None or not was > 0:
        return None, ""
    scale = plain_chance(runs.before) or begun[0]
    much = now < share * was and was - now > least * scale and _scores_gain(runs.before, runs.after)
    proof = f"{told} after as many steps again {number(was)} -> {number(now)}"
    return _decided(much, now < (1 - GAIN) * was), proof


def _decided(much: bool, something: bool) -> bool | None:
    return True if much else (None if something else False)


def _risen(before: Trace, after: Trace) -> str | None:
    """What a printed ranking measure or score gained, in words; None where none rose by much. Returns rise in
    sound runs too.
    """
    was, now = rewards(before), rewards(after)
    for name in _told_of_both(was, now):
        if (now[name][-1] - was[name][-1]) / _whole(was[name]) > ACCURACY_GAIN:
            return (
                f"printed {name} after as many steps again {number(was[name][-1])} -> {number(now[name][-1])}"
            )
    return None


def _scores_gain(before: Trace, after: Trace) -> bool:
    """Whether one of the printed held-out scores (shares or per cent) gains much; True where none is printed."""
    was, now = rewards(before), rewards(after)
    gains = [(now[n][-1] - was[n][-1]) / _whole(was[n]) for n in _told_of_both(was, now)]
    return not gains or max(gains) > ACCURACY_GAIN


def _told_of_both(was: dict[str, list[float]], now: dict[str, list[float]]) -> list[str]:
    return sorted(n for n in was.keys() & now.keys() if not FITTING.search(n) and not RETURN.search(n))


def _whole(values: list[float]) -> int:
    return 1 if max(values) <= 1 else 100
