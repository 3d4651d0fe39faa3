"""The loss of a model that has learned nothing but the label prior, in nats or squared target units.

A constant prediction that minimises the loss: the entropy of the prior for cross-entropy, ln V for a
uniform vocabulary, the variance for squared error, the mean absolute deviation from the median for L1.
A loss at or above it means nothing has been learned from the inputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, log
from statistics import fmean, median

from lossdoctor.errors import BadArgument


def chance_cross_entropy(
    counts: Sequence[float], class_weights: Sequence[float] | None = None, label_smoothing: float = 0.0
) -> float:
    """Best constant cross-entropy for these label counts (or shares), in nats, as torch's "mean" reports it.

    With ``class_weights`` torch divides by the weights of the batch, so the prior is reweighted. With
    smoothing eps the targets are (1-eps) * one-hot + eps/C, and so is their mean.
    """
    shares = _shares(counts)
    if class_weights is None:
        return _entropy([(1 - label_smoothing) * share + label_smoothing / len(shares) for share in shares])
    if len(class_weights) != len(shares) or label_smoothing:
        raise BadArgument("one weight per class, and no smoothing with weights", hint="check the lengths")
    return _entropy(_shares([share * weight for share, weight in zip(shares, class_weights, strict=True)]))


def chance_binary(positive_share: float, pos_weight: float = 1.0) -> float:
    """Best constant binary cross-entropy in nats; ``pos_weight`` as in BCEWithLogitsLoss."""
    if not 0 <= positive_share <= 1 or pos_weight <= 0:
        raise BadArgument("share must be in 0..1 and pos_weight positive", hint="pass the share of ones")
    positive, negative = pos_weight * positive_share, 1 - positive_share
    total = positive + negative
    return total * _entropy([positive / total, negative / total])


def chance_language_model(vocabulary: int) -> float:
    """ln V: the loss of a uniform guess, where an untrained language model should start."""
    if vocabulary < 1:
        raise BadArgument("vocabulary must be at least 1", hint="use the tokenizer's size")
    return log(vocabulary)


def chance_squared_error(targets: Sequence[float]) -> float:
    """Population variance: what predicting the mean costs under MSELoss."""
    centre = fmean(_finite(targets))
    return fmean((value - centre) ** 2 for value in targets)


def chance_absolute_error(targets: Sequence[float]) -> float:
    """Mean absolute deviation from the median: what L1Loss gives at best for a constant."""
    centre = median(_finite(targets))
    return fmean(abs(value - centre) for value in targets)


def majority_accuracy(counts: Sequence[float]) -> float:
    """Accuracy of always naming the most frequent class."""
    return max(_shares(counts))


def _shares(counts: Sequence[float]) -> list[float]:
    total = sum(counts)
    if not counts or min(counts) < 0 or not total > 0 or not isfinite(total):
        raise BadArgument("label counts must be non-negative, not all zero", hint="count labels per class")
    return [count / total for count in counts]


def _finite(targets: Sequence[float]) -> Sequence[float]:
    if not targets or not all(isfinite(value) for value in targets):
        raise BadArgument("targets must be finite and not empty", hint="drop NaN and infinite targets")
    return targets


def _entropy(shares: Sequence[float]) -> float:
    return -sum(share * log(share) for share in shares if share)
