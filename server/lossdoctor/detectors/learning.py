"""Did the run learn? The one question that separates "nothing found" from "healthy"."""

from __future__ import annotations

import math

from ..model import Trace
from ..traces.measure import (
    accuracy_curve,
    chance_accuracy,
    chance_loss,
    first_nonfinite,
    head,
    noise,
    objective,
    optimizers_in_turn,
    tail,
    window,
)

FELL = 3.0  # standard errors of the two medians
ABOVE_CHANCE = 0.15


def learned(trace: Trace) -> bool:
    """Whether the loss fell beyond noise, or already stood far below chance, or need not fall (adversarial losses).

    The standard error of a window's median is taken as noise / sqrt(window).
    """
    if first_nonfinite(trace) is not None:
        return False
    if optimizers_in_turn(trace):
        return True
    points = objective(trace)
    start, end = head(points), tail(points)
    if start is None or end is None:
        return False
    error = noise(points) * math.sqrt(1 / 5 + 1 / window(points))
    chance = chance_loss(trace)
    fitted = chance is not None and end < 0.7 * chance
    return end < start - FELL * error or fitted or _accurate(trace)


def _accurate(trace: Trace) -> bool:
    base, end = chance_accuracy(trace), tail(accuracy_curve(trace))
    return base is not None and end is not None and end > base + ABOVE_CHANCE
