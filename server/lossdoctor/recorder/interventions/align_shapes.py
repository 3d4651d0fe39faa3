"""Targets of element-wise losses take the shape of the predictions when both have equally many elements.

Reaches torch's mse, l1, smooth l1, huber and binary cross-entropy losses; of losses that a script writes out itself
the difference, product or quotient of (N, 1) and (N,) of which one depends on weights. A prediction that was given
its extra dimension by ``unsqueeze``, ``expand`` or an index is meant to meet every target.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F

from ..graph import operation
from ..patching import wrap
from ..session import Session

FUNCTIONS = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy",
             "binary_cross_entropy_with_logits")  # fmt: skip
OPERATORS = ("__sub__", "__rsub__", "__mul__", "__truediv__", "sub", "mul", "div")
ON_PURPOSE = frozenset({"Unsqueeze", "Expand", "Index"})


def apply(session: Session) -> None:
    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def loss(scores: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
            if session.here() and scores.shape != target.shape and scores.numel() == target.numel():
                target = target.reshape(scores.shape)
            return original(scores, target, *args, **kwargs)

        return loss

    for name in FUNCTIONS:
        wrap(F, name, make)
    for name in OPERATORS:
        wrap(torch.Tensor, name, lambda original: _aligned(session, original))


def _aligned(session: Session, original: Callable[..., Any]) -> Callable[..., Any]:
    def operator(one: torch.Tensor, other: Any, *args: Any, **kwargs: Any) -> Any:
        if not (session.here() and issubclass(type(other), torch.Tensor) and _spread(one, other)):
            return original(one, other, *args, **kwargs)
        if one.grad_fn is None:
            return original(one.reshape(other.shape), other, *args, **kwargs)
        return original(one, other.reshape(one.shape), *args, **kwargs)

    return operator


def _spread(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether a prediction and a target of equally many elements would meet as (N, N)."""
    many, shapes = one.numel(), {tuple(one.shape), tuple(other.shape)}
    asked = [t for t in (one, other) if t.grad_fn is not None]
    if many < 2 or shapes != {(many,), (many, 1)} or len(asked) != 1:
        return False
    return operation(asked[0].grad_fn) not in ON_PURPOSE
