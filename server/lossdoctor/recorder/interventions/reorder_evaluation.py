"""Evaluation inputs get their columns (N, C) or channels (N, C, ...) back in the order of training inputs.

``order[k]`` is the training column that column ``k`` of evaluation holds; reaches floating-point tensors with so many
columns that the script passes when it calls a module with gradients off. ``shift`` is what evaluation's tokens are
numbered higher than those of training; reaches integer tensors of two or more axes, where 0 stays: it pads.
``around`` is what values are taken from where light and dark are exchanged; reaches floating-point tensors of three or
more axes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ..session import Session
from ._common import around_calls, mapped

TOKENS = frozenset({torch.int64, torch.int32})


def apply(
    session: Session, order: list[int] | None = None, shift: int = 0, around: float | None = None
) -> None:
    order = order or []
    back = [order.index(k) for k in range(len(order))]

    def change(path: str, tensor: torch.Tensor) -> torch.Tensor:
        if shift and tensor.dtype in TOKENS and tensor.dim() > 1:
            return torch.where(tensor == 0, tensor, (tensor - shift).clamp(min=0))
        if (
            around is not None
            and tensor.is_floating_point()
            and tensor.dim() > 2
            and not tensor.requires_grad
        ):
            return around - tensor
        fits = tensor.is_floating_point() and tensor.dim() > 1 and tensor.shape[1] == len(back)
        return tensor[:, back] if fits and not tensor.requires_grad else tensor

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            if torch.is_grad_enabled():
                return original(this, *args, **kwargs)
            return original(this, *mapped(args, change), **mapped(kwargs, change))

        return call

    around_calls(session, make)
