"""Every floating-point input of a model gets mean 0 and standard deviation 1 per feature, in training and evaluation
alike.

The statistics come from the first ``batches`` batches (cumulative, then fixed) of each model and argument. Reaches
tensors that the script passes when it calls a module, nested ones too; inputs that carry a gradient (the output of
another network) are left alone. Not inputs that are read from attributes, nor integer inputs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ..session import Session
from ._common import Scale, around_calls, mapped


def apply(session: Session, batches: int = 10) -> None:
    scales: dict[tuple[int, str], Scale] = {}

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            def change(path: str, tensor: torch.Tensor) -> torch.Tensor:
                if (
                    not tensor.is_floating_point()
                    or tensor.requires_grad
                    or tensor.dim() < 2
                    or not tensor.numel()
                ):
                    return tensor
                with torch.no_grad():
                    return scales.setdefault((id(this), path), Scale(batches))(tensor)

            return original(this, *mapped(args, change), **mapped(kwargs, change))

        return call

    around_calls(session, make)
