"""What proves, or rules out, that a class is ignored for being rare: how many of its samples are found."""

from __future__ import annotations

from dataclasses import dataclass

from ..detectors.class_imbalance import IGNORED, least_recall
from ..model import Trace
from ..traces.data import label_shares, recalls
from .criteria import FOUND, Proof, Runs, untouched

# Youden (1950): recall of the rare classes less the share of the others that is lost to them. 0.31 to 0.87 in the ten
# specimens in which even weights find classes that were ignored (in three others they do not, or nothing is judged),
# 0.20 in the one sound run at the limit of what inputs tell (benchmarks/thresholds/rare_classes.py)
TOLD_APART = 0.25


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


def rare_found(runs: Runs) -> Proof:
    """Of the classes with less than an even share of the labels, those that were ignored if any were, clearly more
    samples are found, and not only by taking about as many of the others for them.
    """
    was, now = (_mean_recall(trace, _rare(runs)) for trace in (runs.before, runs.after))
    if was is None or now is None:
        return None, ""
    return now - was > FOUND and not _alike(runs), f"recall of the rare classes {was:.2f} -> {now:.2f}"


def speaks_against(runs: Runs) -> str | None:
    """Why the rare classes are rightly left out, where they were not found: even shares find them only along with
    others, or, in a run that the change reached and that went as far, as good as never. None where neither is so.
    """
    told = youden(runs)
    if told is not None and told.now - told.was > FOUND:
        return f", and {100 * told.lost:.0f} % of the others are taken for them"
    now = _mean_recall(runs.after, _rare(runs))
    ignored = runs.long_enough and runs.as_far and not untouched(runs) and now is not None and now < IGNORED
    return "; with even shares it is not found either" if ignored else None


def _alike(runs: Runs) -> bool:
    """Whether nothing in the inputs tells the rare classes from the others, as far as both were judged."""
    told = youden(runs)
    return told is not None and told.index < TOLD_APART


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
    judged = recalls(runs.before)
    whole = sum(r.count for r in judged)
    least = {r.label: least_recall(shares[r.label], r.count / whole) for r in judged if r.label in rare}
    return {r.label for r in judged if r.label in rare and r.recall < least[r.label]} or rare


def _mean_recall(trace: Trace, labels: set[int]) -> float | None:
    found = [r for r in recalls(trace) if r.label in labels]
    count = sum(r.count for r in found)
    return sum(r.recall * r.count for r in found) / count if count else None
