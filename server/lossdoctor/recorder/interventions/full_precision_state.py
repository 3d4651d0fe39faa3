"""Optimizers keep their state in single precision: what they make in or turn into half precision in a step stays whole.

Reaches tensors made with a ``dtype`` and conversions (``to``, ``half``, ``bfloat16``) of single-precision ones inside
``step()``; not kernels that are compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from ..patching import wrap
from ..session import Session
from ..stats import HALF

MAKERS = ("zeros", "ones", "empty", "full", "zeros_like", "ones_like", "empty_like", "full_like")


def apply(session: Session) -> None:
    def whole(value: Any) -> Any:
        return torch.float32 if isinstance(value, torch.dtype) and value in HALF else value

    def stepping(tensor: Any = None) -> bool:
        return session.stepping and (tensor is None or tensor.dtype == torch.float32)

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def made(*args: Any, **kwargs: Any) -> Any:
            if stepping() and "dtype" in kwargs:
                kwargs = {**kwargs, "dtype": whole(kwargs["dtype"])}
            return original(*args, **kwargs)

        return made

    def convert(original: Callable[..., Any]) -> Callable[..., Any]:
        def to(this: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
            if not stepping(this):
                return original(this, *args, **kwargs)
            asked = [*args, *kwargs.values()]
            if any(isinstance(v, torch.dtype) and v in HALF for v in asked):
                return this.clone()  # a conversion makes a tensor of its own
            return original(this, *args, **kwargs)

        return to

    def shorten(original: Callable[..., Any]) -> Callable[..., Any]:
        def half(this: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
            return this.clone() if stepping(this) else original(this, *args, **kwargs)

        return half

    for name in MAKERS:
        wrap(torch, name, make)
    wrap(torch.Tensor, "to", convert)
    for name in ("half", "bfloat16"):
        wrap(torch.Tensor, name, shorten)
