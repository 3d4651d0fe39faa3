"""What proves, or rules out, that a class is ignored for being rare: how many of its samples are found."""

from __future__ import annotations

from ..detectors.class_imbalance import IGNORED
from ..model import Trace
from ..traces.data import label_shares, recalls
from .criteria import FOUND, Proof, Runs, untouched


def still_ignored(runs: Runs) -> bool:
    """Whether the change reached a run that went as far, and the rare classes are as good as never found there too."""
    now = _rare_recalls(runs)[1]
    return runs.long_enough and runs.as_far and not untouched(runs) and now is not None and now < IGNORED


def rare_found(runs: Runs) -> Proof:
    """Of the classes with less than an even share of the labels, those that were ignored if any were, clearly more
    samples are found.
    """
    was, now = _rare_recalls(runs)
    if was is None or now is None:
        return None, ""
    return now - was > FOUND, f"recall of the rare classes {was:.2f} -> {now:.2f}"


def _rare_recalls(runs: Runs) -> tuple[float | None, float | None]:
    shares = label_shares(runs.before)
    rare = {label for label, share in shares.items() if share < 1 / len(shares)}
    rare = {r.label for r in recalls(runs.before) if r.label in rare and r.recall < IGNORED} or rare
    return _mean_recall(runs.before, rare), _mean_recall(runs.after, rare)


def _mean_recall(trace: Trace, labels: set[int]) -> float | None:
    found = [r for r in recalls(trace) if r.label in labels]
    count = sum(r.count for r in found)
    return sum(r.recall * r.count for r in found) / count if count else None
