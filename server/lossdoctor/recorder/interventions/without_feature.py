"""Some numbers of an input are zero throughout, in training and evaluation alike.

``columns`` are counted within one sample: of the ``argument``-th floating-point tensor, flattened, or of what the
recorder takes as the input of the script's call of a module, which may be several arguments side by side.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ..inputs import has_content, parts_of, side_by_side
from ..session import Session
from ._common import around_calls, mapped


def apply(session: Session, columns: list[int], argument: int | None = None) -> None:
    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            given = parts_of([args, kwargs])
            meant = _meant(given, columns) if argument is None else _at(given, argument, columns)

            def without(path: str, tensor: torch.Tensor) -> torch.Tensor:
                return emptied(tensor, meant[id(tensor)]) if id(tensor) in meant else tensor

            return original(this, *mapped(args, without), **mapped(kwargs, without))

        return call

    around_calls(session, make)


def _meant(given: list[torch.Tensor], columns: list[int]) -> dict[int, list[int]]:
    """Columns of what stands side by side as columns of each of the tensors, by the tensor's id."""
    found = [t for t in given if has_content(t)]
    out: dict[int, list[int]] = {}
    start = 0
    for tensor in side_by_side(found) if found else ():
        width = tensor[0].numel()
        own = [c - start for c in columns if start <= c < start + width]
        start += width
        if own and (tensor.dim() > 1 or tensor.is_floating_point()):
            out[id(tensor)] = own
    return out


def _at(given: list[torch.Tensor], argument: int, columns: list[int]) -> dict[int, list[int]]:
    floats = [t for t in given if t.is_floating_point() and t.dim() > 1]
    fits = argument < len(floats) and floats[argument][0].numel() > max(columns)
    return {id(floats[argument]): columns} if fits else {}


def emptied(tensor: torch.Tensor, columns: list[int]) -> torch.Tensor:
    """(N, ...) with these numbers of each sample, flattened, set to zero."""
    kept = torch.ones(tensor[0].numel(), dtype=tensor.dtype, device=tensor.device)
    kept[columns] = 0
    clean = torch.nan_to_num(tensor) if tensor.is_floating_point() else tensor
    return clean * kept.reshape(tensor.shape[1:])
