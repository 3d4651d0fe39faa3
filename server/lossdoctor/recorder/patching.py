"""Replacing a function or method by a wrapped one that still looks like itself."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch

Function = Callable[..., Any]


def wrap(owner: Any, name: str, make: Callable[[Function], Function]) -> Function:
    """Set ``owner.name`` to ``make(original)``, keeping its name, docstring and signature; return the original."""
    original: Function = getattr(owner, name)
    made = make(original)

    @functools.wraps(original)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        if torch.compiler.is_compiling():  # a constant to the compiler: it sees nothing of ours
            return original(*args, **kwargs)
        return made(*args, **kwargs)

    setattr(owner, name, guarded)
    return original
