"""Values that are not finite are filled in: in a model's inputs with the mean of their feature (0 where it has none),
in the targets of a loss with the prediction, so that they ask for nothing.

Reaches floating-point tensors that the script passes when it calls a module, those that carry no gradient, and the
targets of torch's element-wise losses; not those of a loss that a script writes out itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from ..patching import wrap
from ..session import Session
from ._common import Scale, around_calls, mapped
from .align_shapes import FUNCTIONS


def apply(session: Session) -> None:
    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            return original(this, *mapped(args, _filled), **mapped(kwargs, _filled))

        return call

    def make_loss(original: Callable[..., Any]) -> Callable[..., Any]:
        def loss(scores: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
            if session.here() and scores.shape == target.shape and target.is_floating_point():
                target = torch.where(torch.isfinite(target), target, scores.detach().to(target.dtype))
            return original(scores, target, *args, **kwargs)

        return loss

    around_calls(session, make)
    for name in FUNCTIONS:
        wrap(F, name, make_loss)


def _filled(path: str, tensor: torch.Tensor) -> torch.Tensor:
    if not tensor.is_floating_point() or tensor.requires_grad or bool(torch.isfinite(tensor).all()):
        return tensor
    scale = Scale(1)
    scale.add(tensor)
    mean = scale.moments()[0].to(tensor.dtype)
    return torch.where(torch.isfinite(tensor), tensor, mean.expand_as(tensor))
