"""Lengths that are those of the whole padded batch become those of the sequences.

Where the script calls a module with integer sequences (N, T) and integers (N,) that all are T, the latter become the
number of positions before the trailing padding, at least 1. The padding symbol is the commonest last value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ..session import Session
from ..stats import tensors
from ._common import WHOLE, around_calls, lengths, mapped


def apply(session: Session) -> None:
    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            padded = [t for _, t in tensors(args) if t.dtype in WHOLE and t.dim() == 2]
            if not padded:
                return original(this, *args, **kwargs)

            def change(path: str, tensor: torch.Tensor) -> torch.Tensor:
                return _mended(tensor, padded[0])

            return original(this, *mapped(args, change), **mapped(kwargs, change))

        return call

    around_calls(session, make)


def _mended(told: torch.Tensor, sequences: torch.Tensor) -> torch.Tensor:
    fits = told.dtype in WHOLE and told.dim() == 1 and told.shape[0] == sequences.shape[0]
    if not fits or not bool((told == sequences.shape[1]).all()):
        return told
    return lengths(sequences).to(told)
