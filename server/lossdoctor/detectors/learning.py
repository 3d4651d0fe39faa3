"""Did the run learn? The one question that separates "nothing found" from "healthy"."""

from __future__ import annotations

import math
from statistics import fmean

from ..model import Trace
from ..traces.measure import (
    Curve,
    accuracy_curve,
    chance_accuracy,
    chance_loss,
    finite,
    first_nonfinite,
    head,
    need_not_fall,
    noise,
    objective,
    stalled,
    tail,
    training_chance,
    window,
)
from ..traces.printed import gained
from ..traces.progress import cut_off
from ..traces.ranks import ranked_held_out
from ..traces.validation import foretells, measured_losses

FELL = 3.0  # standard errors of the two medians, or of ranks
ABOVE_CHANCE = 0.15
LONG = 30  # steps per third
THROWN = 100.0  # median of the first five losses relative to the very first: the start was left upwards
SAME, LOWER = 0.02, 0.9  # of that loss: the end, and the lowest of single batches
ABOVE_CONSTANT = 1.2  # the constant's loss is known from a sample of the targets only


def learned(trace: Trace) -> bool:
    """Whether the loss fell beyond noise, or already stood far below chance, or need not fall (adversarial losses), or
    whether held-out scores tell two classes apart beyond chance, or held-out losses lie below a constant's. A loss that
    came to rest above that of a constant answer has not learned, however far it fell.

    The standard error of a window's median is taken as noise / sqrt(window).
    """
    if first_nonfinite(trace) is not None:
        return False
    if need_not_fall(trace):
        return True
    points = objective(trace)
    start, end = head(points), tail(points)
    if start is None or end is None:
        return False
    if _worse_than_constant(trace, end) and (stalled(points) or not cut_off(trace)):
        return False
    if (ranked_held_out(trace) or 0.0) > FELL or foretells(trace):
        return True  # labels that are mostly chance leave the loss near that of a constant
    if _at_constant(trace, end):
        return False
    if start > THROWN * abs(points[0][1]) and end > points[0][1]:
        return False  # what fell is only what the first steps had thrown up
    error = noise(points) * math.sqrt(1 / 5 + 1 / window(points))
    chance = chance_loss(trace)
    fitted = chance is not None and end < 0.7 * chance
    return end < start - FELL * error or fitted or _accurate(trace) or _sank(points) or _held_out_sank(trace)


def _held_out_sank(trace: Trace) -> bool:
    """Whether the held-out losses of the last third of the evaluations all lie below those of the first: training
    batches may be too few samples to show it.
    """
    return gained([-v for _, v in measured_losses(trace) if math.isfinite(v)]) > 0


def _sank(points: Curve) -> bool:
    """Whether the last third of the run lies below the first beyond noise: a slow fall of a noisy loss."""
    values = [v for _, v in finite(points)]
    third = len(values) // 3
    error = noise(points) * math.sqrt(2 / max(1, third))
    return third >= LONG and fmean(values[:third]) - fmean(values[-third:]) > FELL * error


def _worse_than_constant(trace: Trace, end: float) -> bool:
    """Whether the end lies above what always giving the same answer costs: falling that far is no learning."""
    points, level = objective(trace), training_chance(trace)
    if level is None or _accurate(trace):
        return False
    return end > ABOVE_CONSTANT * level + FELL * noise(points) / math.sqrt(window(points))


def _at_constant(trace: Trace, end: float) -> bool:
    """Whether the end is what always giving the same answer costs, and was never better: falling to that is no learning
    either.
    """
    level = training_chance(trace)
    if level is None or level <= 0 or _accurate(trace):
        return False
    best = min(v for _, v in finite(objective(trace)))
    return abs(end - level) < SAME * level and best > LOWER * level


def _accurate(trace: Trace) -> bool:
    base, end = chance_accuracy(trace), tail(accuracy_curve(trace))
    return base is not None and end is not None and end > base + ABOVE_CHANCE
