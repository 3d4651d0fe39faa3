"""Losses as functions of answers and targets: which one is the number that was handed to backward?

A loss that a script writes out has no name. Where one of these, tried on what it compares, gives the very same number,
it is that one. Functions of torch's among them keep their name; of the rest only the targets are of use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import torch
import torch.nn.functional as F

SAME = 1e-4  # relative difference of two numbers that are the same loss: a small constant may stand in a logarithm
Values = torch.Tensor | None
Form = Callable[[torch.Tensor, torch.Tensor], Values]


def names_of(answers: torch.Tensor, target: torch.Tensor, loss: torch.Tensor) -> Iterator[str | None]:
    """The functions of both that give ``loss``, as a mean, a sum or a sum over samples; None for one that torch has no
    function of.
    """
    samples = max(1, len(target)) if target.dim() else 1
    for name, call in FORMS.items():
        values = call(answers, target)
        if values is None:
            continue
        total = values.sum()
        if any(same(loss, v) for v in (total / values.numel(), total, total / samples)):
            yield "mse_loss" if name == "root" else name if name in NAMED else None


def same(loss: torch.Tensor, value: torch.Tensor) -> bool:
    """Whether two losses are the same number."""
    return bool((loss - value).abs() <= SAME * value.abs().clamp_min(1e-6))


def within(values: torch.Tensor) -> bool:
    """Whether all are between 0 and 1."""
    return bool(((values >= 0) & (values <= 1)).all())


def _measured(call: Callable[..., torch.Tensor]) -> Form:
    def values(answers: torch.Tensor, target: torch.Tensor) -> Values:
        fits = answers.shape == target.shape and target.is_floating_point()
        return call(answers, target, reduction="none") if fits else None

    return values


def _root(answers: torch.Tensor, target: torch.Tensor) -> Values:
    fits = answers.shape == target.shape and target.is_floating_point()
    return F.mse_loss(answers, target).sqrt() if fits else None


def _binary(answers: torch.Tensor, target: torch.Tensor) -> Values:
    if answers.shape != target.shape or not target.is_floating_point() or not within(target):
        return None
    return F.binary_cross_entropy_with_logits(answers, target, reduction="none")


def _of_shares(answers: torch.Tensor, target: torch.Tensor) -> Values:
    if answers.shape != target.shape or not target.is_floating_point():
        return None
    fits = within(target) and within(answers)
    return F.binary_cross_entropy(answers, target, reduction="none") if fits else None


def _classified(answers: torch.Tensor, target: torch.Tensor) -> Values:
    if answers.dim() < 2 or target.is_floating_point() or answers.shape[:-1] != target.shape:
        return None
    return F.cross_entropy(answers.flatten(0, -2), target.reshape(-1), reduction="none")


def _counts(answers: torch.Tensor, target: torch.Tensor, logarithm: bool, whole: bool) -> Values:
    """Negative log-likelihood of counts (Poisson), without what does not depend on the rate, or ``whole``."""
    if answers.shape != target.shape or not target.is_floating_point() or bool((target < 0).any()):
        return None
    if not logarithm and not bool((answers > 0).all()):
        return None
    value = F.poisson_nll_loss(answers, target, log_input=logarithm, reduction="none", eps=0.0)
    return value + torch.lgamma(target + 1) if whole else value


def _margins(
    answers: torch.Tensor, target: torch.Tensor, call: Callable[[torch.Tensor], torch.Tensor]
) -> Values:
    """Of sides (-1 and 1) and answers that should have their sign."""
    if answers.shape != target.shape or not bool((target.abs() == 1).all()):
        return None
    return call(answers * target)


def _overlap(answers: torch.Tensor, target: torch.Tensor, smoothing: float) -> Values:
    """One less the Dice coefficient of a whole batch (Milletari, Navab and Ahmadi, 2016)."""
    if answers.shape != target.shape or not bool(((target == 0) | (target == 1)).all()):
        return None
    shares = answers if within(answers) else torch.sigmoid(answers)
    both, each = (shares * target).sum(), shares.sum() + target.sum()
    return 1 - (2 * both + smoothing) / (each + smoothing)


FORMS: dict[str, Form] = {  # a hinge before the absolute difference, which it is while no answer exceeds 1
    "hinge": partial(_margins, call=lambda m: F.relu(1 - m)),
    "squared hinge": partial(_margins, call=lambda m: F.relu(1 - m).square()),
    "logistic": partial(_margins, call=lambda m: F.softplus(-m)),
    "mse_loss": _measured(F.mse_loss),
    "l1_loss": _measured(F.l1_loss),
    "smooth_l1_loss": _measured(F.smooth_l1_loss),
    "root": _root,
    "cross_entropy": _classified,
    "binary_cross_entropy_with_logits": _binary,
    "binary_cross_entropy": _of_shares,
    "poisson_nll_loss": partial(_counts, logarithm=True, whole=False),
    "counts": partial(_counts, logarithm=True, whole=True),
    "rates": partial(_counts, logarithm=False, whole=False),
    "rates, whole": partial(_counts, logarithm=False, whole=True),
    "overlap, smoothed": partial(_overlap, smoothing=1.0),
    "overlap": partial(_overlap, smoothing=0.0),
}
# torch's own, whose value is the loss; the root of a mean square is told as torch.sqrt(F.mse_loss(...)) would be
NAMED = frozenset(
    {
        "mse_loss", "l1_loss", "smooth_l1_loss", "cross_entropy", "binary_cross_entropy",
        "binary_cross_entropy_with_logits", "poisson_nll_loss",
    }
)  # fmt: skip
