"""Give each classification loss what it expects: probabilities become logits, logits become log-probabilities.

``cross_entropy`` on rows that are probabilities gets their logarithm; ``binary_cross_entropy_with_logits`` on the
output of a sigmoid gets the logit; ``nll_loss`` on rows that are no log-probabilities gets their log-softmax;
``poisson_nll_loss`` that expects the logarithm of a rate gets that of rates, ``kl_div`` on rows that are probabilities
their logarithm. So does ``log_softmax`` (``logsigmoid`` the logit), of which losses that are written out are made. What
the scores are is decided from their values at each call, for the sigmoid from the operation that made them. Reaches
torch's functions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F

from ..objectives import maker
from ..patching import wrap
from ..session import Session

SMALLEST = 1e-7  # probabilities are kept this far from 0 (and 1 for the sigmoid)


def apply(session: Session) -> None:
    for name, change in (
        ("cross_entropy", _scores), ("binary_cross_entropy_with_logits", _logits), ("nll_loss", _log_probabilities),
        ("poisson_nll_loss", _log_rates), ("kl_div", _log_of_rows),
    ):  # fmt: skip
        wrap(F, name, partial(changed, session, change))
    for owner in (F, torch, torch.Tensor):
        wrap(owner, "log_softmax", partial(_of_scores, session))
    wrap(F, "logsigmoid", partial(changed, session, _logits))


def _of_scores(session: Session, original: Callable[..., Any]) -> Callable[..., Any]:
    """``log_softmax`` along the axis that it is given; what it is called with inside is the same values."""

    def log_softmax(input: Any, *args: Any, **kwargs: Any) -> Any:
        axis = args[0] if args else kwargs.get("dim")
        if isinstance(axis, int) and session.here() and input.requires_grad:
            input = _log_of_rows(input, axis)
        return original(input, *args, **kwargs)

    return log_softmax


def changed(
    session: Session, change: Callable[[torch.Tensor], torch.Tensor], original: Callable[..., Any]
) -> Callable[..., Any]:
    inside = False

    def loss(input: Any, *args: Any, **kwargs: Any) -> Any:
        nonlocal inside
        if inside or not session.here() or not kwargs.get("log_input", True):
            return original(input, *args, **kwargs)
        inside = True
        try:
            return original(change(input), *args, **kwargs)
        finally:
            inside = False

    return loss


def _scores(values: torch.Tensor) -> torch.Tensor:
    return _log_of_rows(values, 1) if values.dim() >= 2 else values


def _log_of_rows(values: torch.Tensor, axis: int = -1) -> torch.Tensor:
    """The logarithm of probabilities along an axis; other values as they are."""
    flat = values.detach().float()
    is_rows = bool(((flat.sum(axis) - 1).abs() < 1e-3).all()) and bool((flat >= 0).all())
    return values.clamp_min(SMALLEST).log() if is_rows else values


def _logits(values: torch.Tensor) -> torch.Tensor:
    made_by = maker(values)
    inside = bool(((values >= 0) & (values <= 1)).all())
    is_sigmoid = any("Sigmoid" in name for name in made_by) if made_by else True
    return torch.logit(values, eps=SMALLEST) if inside and is_sigmoid else values


def _log_probabilities(values: torch.Tensor) -> torch.Tensor:
    total = torch.logsumexp(values.detach().float(), 1 if values.dim() > 1 else 0)
    return values if bool((total.abs() < 1e-3).all()) else F.log_softmax(values, 1 if values.dim() > 1 else 0)


def _log_rates(values: torch.Tensor) -> torch.Tensor:
    return values.clamp_min(SMALLEST).log() if bool((values >= 0).all()) else values
