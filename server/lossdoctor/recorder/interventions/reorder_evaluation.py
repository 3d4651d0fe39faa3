"""Evaluation inputs get their columns (N, C) or channels (N, C, ...) back in the order of training inputs.

``order[k]`` is the training column that column ``k`` of evaluation holds; reaches floating-point tensors with so many
columns that the script passes when it calls a module with gradients off. ``shift`` is what evaluation's tokens are
numbered higher than those of training; reaches integer tensors of two or more axes, where 0 stays: it pads.
``around`` is what values are taken from where light and dark are exchanged; reaches floating-point tensors of three or
more axes. ``codes`` are categories of evaluation that stand under other codes, each as a column (counted over the
inputs side by side, as samples are) with pairs of its code and that of training; a code in no pair stays. ``symbols``
are such pairs for the symbols of a vocabulary; reaches integer tensors of two or more axes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ..inputs import has_content, side_by_side
from ..session import Session
from ..stats import tensors
from ._common import around_calls, mapped

TOKENS = frozenset({torch.int64, torch.int32})
Pairs = list[list[float]]  # a code and what it stands for


def apply(
    session: Session,
    order: list[int] | None = None,
    shift: int = 0,
    around: float | None = None,
    codes: list[dict[str, Any]] | None = None,
    symbols: Pairs | None = None,
) -> None:
    order = order or []
    back = [order.index(k) for k in range(len(order))]

    def change(path: str, tensor: torch.Tensor) -> torch.Tensor:
        if shift and tensor.dtype in TOKENS and tensor.dim() > 1:
            return torch.where(tensor == 0, tensor, (tensor - shift).clamp(min=0))
        if symbols and tensor.dtype in TOKENS and tensor.dim() > 1:
            return _exchange(tensor, symbols)
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
            args, kwargs = _recoded(codes, args, kwargs) if codes else (args, kwargs)
            return original(this, *mapped(args, change), **mapped(kwargs, change))

        return call

    around_calls(session, make)


def _recoded(codes: list[dict[str, Any]], args: Any, kwargs: Any) -> tuple[Any, Any]:
    """The same arguments with the codes of these columns put back."""
    found = [t for _, t in tensors((args, kwargs)) if has_content(t)]
    parts, start = side_by_side(found) if found else [], 0
    changed: dict[int, torch.Tensor] = {}
    for part in parts:
        flat = part.reshape(part.shape[0], -1)
        for entry in codes:
            column = entry["column"] - start
            if 0 <= column < flat.shape[1]:
                changed.setdefault(id(part), flat.clone())[:, column] = _exchange(
                    flat[:, column], entry["pairs"]
                )
        start += flat.shape[1]

    def put(path: str, tensor: torch.Tensor) -> torch.Tensor:
        return changed[id(tensor)].view(tensor.shape) if id(tensor) in changed else tensor

    return mapped(args, put), mapped(kwargs, put)


def _exchange(column: torch.Tensor, pairs: Pairs) -> torch.Tensor:
    out = column.clone()
    for code, other in pairs:
        out[column == code] = other
    return out
