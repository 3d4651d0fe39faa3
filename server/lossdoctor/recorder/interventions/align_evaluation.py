"""Evaluation inputs get the mean and standard deviation that training inputs have, per feature.

Training inputs are those of calls with gradients on; both sides' statistics are cumulative. Undoes other scales and
offsets, not another order of channels or columns. Reaches floating-point tensors that the script passes when it calls
a module.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ..session import Session
from ._common import Scale, around_calls, mapped

ALL = 10**9  # batches


def apply(session: Session) -> None:
    train: dict[tuple[int, str], Scale] = {}
    held: dict[tuple[int, str], Scale] = {}

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            learning = torch.is_grad_enabled()

            def change(path: str, tensor: torch.Tensor) -> torch.Tensor:
                key = id(this), path
                if (
                    not tensor.is_floating_point()
                    or tensor.dim() < 2
                    or not tensor.numel()
                    or tensor.requires_grad
                ):
                    return tensor
                if learning:
                    train.setdefault(key, Scale(ALL)).add(tensor)
                    return tensor
                if key not in train:
                    return tensor
                mean, std = train[key].moments()
                return held.setdefault(key, Scale(ALL))(tensor) * std.to(tensor) + mean.to(tensor)

            return original(this, *mapped(args, change), **mapped(kwargs, change))

        return call

    around_calls(session, make)
