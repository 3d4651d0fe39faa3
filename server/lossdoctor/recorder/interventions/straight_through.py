"""Parts of a model that ran without gradients pass them through: the output keeps its values, and its gradient goes to
the input of the same shape (that of the first such output, if there are several).

The straight-through estimator (Bengio, Leonard and Courville, 2013). Reaches modules that get something with a history
and return something of its shape without one.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn.modules.module import register_module_forward_hook

from ..session import Session
from ..severed import severs
from ..stats import tensors
from ._common import mapped


def apply(session: Session) -> None:
    def leave(module: nn.Module, args: Any, output: Any) -> Any:
        if not (session.here() and torch.is_grad_enabled() and severs(args, output)):
            return None
        given = [t for _, t in tensors(args) if t.grad_fn is not None]
        done: list[str] = []

        def attach(path: str, tensor: torch.Tensor) -> torch.Tensor:
            like = next((t for t in given if t.shape == tensor.shape and tensor.is_floating_point()), None)
            if done or like is None:  # what else is returned may be the codes that the input is held against
                return tensor
            done.append(path)
            return like + (tensor - like).detach()

        return mapped(output, attach)

    register_module_forward_hook(leave)
