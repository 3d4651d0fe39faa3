"""The training loss weights each class by the inverse of its share of the labels (``shares``: class -> share).

Reaches ``cross_entropy`` and ``nll_loss`` (``weight``) and ``binary_cross_entropy_with_logits`` (``pos_weight``) with
one score per class that are called without weights, or with equal ones; not losses that a script writes out itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F

from ..patching import wrap
from ..session import Session


def apply(session: Session, shares: dict[str, float]) -> None:
    known = {int(label): share for label, share in shares.items() if share > 0}

    def by_class(scores: torch.Tensor) -> dict[str, torch.Tensor]:
        if scores.dim() != 2 or not set(known) <= set(range(scores.shape[1])):
            return {}
        return {
            "weight": scores.new_tensor(
                [1 / (len(known) * known.get(c, 1.0)) for c in range(scores.shape[1])]
            )
        }

    def of_one(scores: torch.Tensor) -> dict[str, torch.Tensor]:
        return {"pos_weight": scores.new_tensor(known[0] / known[1])} if set(known) == {0, 1} else {}

    for name, weights in (
        ("cross_entropy", by_class), ("nll_loss", by_class), ("binary_cross_entropy_with_logits", of_one),
    ):  # fmt: skip
        wrap(F, name, partial(_weighted, session, weights))


def _weighted(
    session: Session, weights: Callable[[torch.Tensor], dict[str, torch.Tensor]], original: Callable[..., Any]
) -> Callable[..., Any]:
    inside = False

    def loss(input: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
        nonlocal inside
        options = (*args, kwargs.get("weight"), kwargs.get("pos_weight"))
        if inside or any(map(_weighs, options)) or not session.here() or not input.requires_grad:
            return original(input, target, *args, **kwargs)
        inside = True
        try:
            return original(input, target, **{**kwargs, **weights(input.detach())})
        finally:
            inside = False

    return loss


def _weighs(option: Any) -> bool:
    """Whether something was given that is not 1 throughout."""
    return option is not None and not (issubclass(type(option), torch.Tensor) and bool((option == 1).all()))
