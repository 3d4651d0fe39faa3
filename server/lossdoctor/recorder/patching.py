"""Replacing a function or method by a wrapped one that still looks like itself."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

Function = Callable[..., Any]


def wrap(owner: Any, name: str, make: Callable[[Function], Function]) -> Function:
    """Set ``owner.name`` to ``make(original)``, keeping its name, docstring and signature; return the original."""
    original: Function = getattr(owner, name)
    setattr(owner, name, functools.wraps(original)(make(original)))
    return original
