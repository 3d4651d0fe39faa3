"""Inputs (N, A, B) of the model are read as (N, B, A) and transposed, images (N, C, H, W) as (N, H, W, C).

The numbers of a sample stay where they are in memory, and are handed on as the other storage order means them. In
training and in evaluation.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn.modules.module import register_module_forward_pre_hook

from ..session import Session


def apply(session: Session) -> None:
    forwards = session.parts.forwards

    def enter(module: nn.Module, args: Any) -> Any:
        if not session.here() or not args or not forwards.outermost(module):
            return None
        x = args[0]
        if not issubclass(type(x), torch.Tensor) or x.dim() not in (3, 4):
            return None
        return (x.reshape(x.shape[0], *x.shape[2:], x.shape[1]).movedim(-1, 1), *args[1:])

    register_module_forward_pre_hook(enter)
