"""What the variables of a script hold: tensors and arrays, themselves or one level inside containers and objects."""

from __future__ import annotations

import sys
from typing import Any

import torch

ITEMS = 16
LARGEST = 16_000_000  # numbers of an array that is looked at


def data_tensor(value: Any) -> torch.Tensor | None:
    """A tensor, or a numeric array as a tensor; None for anything else, for what is trained, and for arrays of a kind
    that torch does not read. What may not be written is copied: torch warns of it otherwise.
    """
    if issubclass(type(value), torch.Tensor):
        return value.detach() if not value.requires_grad else None
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(value, numpy.ndarray) or value.dtype.kind not in "fiub":
        return None
    if value.size > LARGEST:
        return None
    try:
        return torch.as_tensor(value if value.flags.writeable else value.copy())
    except (TypeError, ValueError):  # another order of bytes, negative strides
        return None


def inside(value: Any) -> list[tuple[str, Any]]:
    """A value itself, or what a small container or a plain object holds, by name."""
    kind = type(value)
    if issubclass(kind, torch.Tensor):
        return [("", value)]
    if issubclass(kind, dict):
        return [(str(k), v) for k, v in list(value.items())[:ITEMS]]
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return list(zip(kind._fields, value, strict=False))[:ITEMS]
    if issubclass(kind, (list, tuple)):
        return [(str(n), v) for n, v in enumerate(value[:ITEMS])] if len(value) <= ITEMS else []
    if kind.__module__ == "builtins" or issubclass(kind, (torch.nn.Module, type)):
        return []
    return list(getattr(value, "__dict__", {}).items())[:ITEMS]
