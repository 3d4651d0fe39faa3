"""Inputs that occur more than once, and whether their labels agree. Pure functions of a trace."""

from __future__ import annotations

import math
from collections import Counter
from statistics import fmean

from ..model import Trace

FEW_NUMBERS = 4


def mere_indexes(trace: Trace) -> bool:
    """Whether inputs are so few numbers (a user and an item) that equal ones meet by themselves."""
    widths = [math.prod(row["shape"]) for row in trace.of("sample") if row["grad"]]
    return bool(widths) and max(widths) < FEW_NUMBERS


def conflicts(trace: Trace) -> tuple[float, int, bool]:
    """Of the training inputs that occur more than once: the share with different labels, their number, and whether
    the labels look drawn anew each time (the repeats agree no more often than labels drawn from the prior would).

    Inputs of up to three numbers (a user and an item) recur with other answers by nature: (0, 0, False) for those.
    """
    if mere_indexes(trace):
        return 0.0, 0, False
    seen: dict[float, list[float]] = {}
    for row in trace.of("ids"):
        if row["grad"] and row.get("y"):
            for h, y in zip(row["h"], row["y"], strict=False):
                seen.setdefault(h, []).append(y)
    repeated = [labels for labels in seen.values() if len(labels) > 1]
    if not repeated:
        return 0.0, 0, False
    share = sum(len(set(labels)) > 1 for labels in repeated) / len(repeated)
    prior = Counter(labels[0] for labels in seen.values())
    luck = sum((c / len(seen)) ** 2 for c in prior.values())
    agree = fmean(labels[0] == labels[1] for labels in repeated)
    return share, len(repeated), agree < luck + 0.25 * (1 - luck)
