"""Inputs (N, A, B) of the model are read as (N, B, A) and transposed, images (N, C, H, W) as (N, H, W, C).

The numbers of a sample stay where they are in memory, and are handed on as the other storage order means them. In
training and in evaluation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ..session import Session
from ._common import around_calls


def apply(session: Session) -> None:
    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            if args:
                return original(this, reread(args[0]), *args[1:], **kwargs)
            first = next(iter(kwargs), None)
            return original(this, **{k: reread(v) if k == first else v for k, v in kwargs.items()})

        return call

    around_calls(session, make)


def reread(x: Any) -> Any:
    """The same numbers in the same order, as the other storage order means them; what has no such order stays."""
    if not issubclass(type(x), torch.Tensor) or x.dim() not in (3, 4):
        return x
    return x.reshape(x.shape[0], *x.shape[2:], x.shape[1]).movedim(-1, 1)
