"""Compute in single precision: autocast and loss scaling are off, and weights are not made half.

Reaches ``torch.autocast``, ``GradScaler``, and ``half()``, ``bfloat16()`` and ``to(dtype)`` of modules; half inputs
of such a model are widened when it is called. Not tensors that a script converts in the middle of its own
computation, nor precision settings of compiled or distributed wrappers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.amp.grad_scaler import GradScaler

from ..patching import wrap
from ..session import Session
from ..stats import HALF
from ._common import around_calls, mapped


def apply(session: Session) -> None:
    wrap(torch.autocast, "__init__", _disabled)
    wrap(GradScaler, "__init__", _disabled)
    wrap(nn.Module, "half", lambda original: lambda this: this)
    wrap(nn.Module, "bfloat16", lambda original: lambda this: this)
    wrap(nn.Module, "to", _to)
    around_calls(session, _widened)


def _disabled(original: Callable[..., None]) -> Callable[..., None]:
    def __init__(this: Any, *args: Any, **kwargs: Any) -> None:
        original(this, *args, **kwargs)
        this._enabled = False

    return __init__


def _to(original: Callable[..., Any]) -> Callable[..., Any]:
    def to(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
        kept = {k: v for k, v in kwargs.items() if v not in HALF}
        plain = [a for a in args if not (isinstance(a, torch.dtype) and a in HALF)]
        return original(this, *plain, **kept) if plain or kept or not (args or kwargs) else this

    return to


def _widened(original: Callable[..., Any]) -> Callable[..., Any]:
    def widen(path: str, tensor: torch.Tensor) -> torch.Tensor:
        return tensor.float() if tensor.dtype in HALF else tensor

    def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
        if all(p.dtype not in HALF for p in this.parameters()):
            args, kwargs = mapped(args, widen), mapped(kwargs, widen)
        return original(this, *args, **kwargs)

    return call
