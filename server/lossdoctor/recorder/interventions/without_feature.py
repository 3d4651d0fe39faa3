"""Some numbers of an input are zero throughout, in training and evaluation alike.

``columns`` are counted within one sample, flattened. Reaches floating-point inputs with a batch dimension that the
script passes when it calls a module: the ``argument``-th of them, or every (N, F) that has such columns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ..session import Session
from ._common import around_calls, mapped


def apply(session: Session, columns: list[int], argument: int | None = None) -> None:
    def emptied(tensor: torch.Tensor) -> torch.Tensor:
        kept = torch.ones(tensor[0].numel(), dtype=tensor.dtype, device=tensor.device)
        kept[columns] = 0
        return torch.nan_to_num(tensor) * kept.reshape(tensor.shape[1:])

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            count = -1

            def without(path: str, tensor: torch.Tensor) -> torch.Tensor:
                nonlocal count
                if not tensor.is_floating_point() or tensor.dim() < 2:
                    return tensor
                count += 1
                meant = tensor.dim() == 2 if argument is None else count == argument
                return emptied(tensor) if meant and tensor[0].numel() > max(columns) else tensor

            return original(this, *mapped(args, without), **mapped(kwargs, without))

        return call

    around_calls(session, make)
