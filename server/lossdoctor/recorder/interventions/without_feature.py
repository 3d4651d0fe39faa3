"""One input column is zero throughout, in training and evaluation alike.

Reaches floating-point inputs (N, F) that the script passes when it calls a module.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ..session import Session
from ._common import around_calls, mapped


def apply(session: Session, column: int) -> None:
    def without(path: str, tensor: torch.Tensor) -> torch.Tensor:
        if not tensor.is_floating_point() or tensor.dim() != 2 or tensor.shape[1] <= column:
            return tensor
        kept = torch.ones(tensor.shape[1], dtype=tensor.dtype, device=tensor.device)
        kept[column] = 0
        return torch.nan_to_num(tensor) * kept

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            return original(this, *mapped(args, without), **mapped(kwargs, without))

        return call

    around_calls(session, make)
