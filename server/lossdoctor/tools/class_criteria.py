"""What proves, or rules out, that a class is ignored for being rare: how many of its samples are found."""

from __future__ import annotations

from dataclasses import dataclass

from ..detectors.class_imbalance import IGNORED
from ..model import Trace
from ..traces.data import label_shares, recalls
from .criteria import FOUND, Proof, Runs, untouched

# Youden (1950): recall of the rare classes less the share of the others that is lost to them. 0.41 to 0.87 in
# specimens that ignore classes which can be told apart, 0.20 at the limit of what inputs tell
# (benchmarks/thresholds/rare_classes.py)
TOLD_APART = 0.3


@dataclass(frozen=True)
class Youden:
    """Recall of the rare classes before (``was``) and after (``now``) a change, and the share of the others' recall
    that is ``lost`` by it.
    """

    was: float
    now: float
    lost: float

    @property
    def index(self) -> float:
        return self.now - self.lost


def still_ignored(runs: Runs) -> bool:
    """Whether the change reached a run that went as far, and the rare classes are as good as never found there too."""
    now = _mean_recall(runs.after, _rare(runs))
    return runs.long_enough and runs.as_far and not untouched(runs) and now is not None and now < IGNORED


def rare_found(runs: Runs) -> Proof:
    """Of the classes with less than an even share of the labels, those that were ignored if any were, clearly more
    samples are found.
    """
    was, now = (_mean_recall(trace, _rare(runs)) for trace in (runs.before, runs.after))
    if was is None or now is None:
        return None, ""
    return now - was > FOUND, f"recall of the rare classes {was:.2f} -> {now:.2f}"


def taken_for_them(runs: Runs) -> str | None:
    """What the change did, where it finds more of the rare classes only by taking about as many of the others for them:
    nothing in the inputs tells them apart, and answers that leave them out are right. None where it is not so.
    """
    found, proof = rare_found(runs)
    told = youden(runs) if found else None
    if told is None or told.index >= TOLD_APART:
        return None
    return f"{proof}, and {100 * told.lost:.0f} % of the others are taken for them"


def youden(runs: Runs) -> Youden | None:
    """What even shares brought and cost; None where one side was not judged in both runs."""
    rare = _rare(runs)
    others = set(label_shares(runs.before)) - rare
    was, now = (_mean_recall(trace, rare) for trace in (runs.before, runs.after))
    had, kept = (_mean_recall(trace, others) for trace in (runs.before, runs.after))
    if was is None or now is None or not had or kept is None:
        return None
    return Youden(was, now, 1 - kept / had)


def _rare(runs: Runs) -> set[int]:
    shares = label_shares(runs.before)
    rare = {label for label, share in shares.items() if share < 1 / len(shares)}
    return {r.label for r in recalls(runs.before) if r.label in rare and r.recall < IGNORED} or rare


def _mean_recall(trace: Trace, labels: set[int]) -> float | None:
    found = [r for r in recalls(trace) if r.label in labels]
    count = sum(r.count for r in found)
    return sum(r.recall * r.count for r in found) / count if count else None
