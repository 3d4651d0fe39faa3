"""Answers at positions that only fill a sequence of measurements up get no gradient: the model learns nothing there.

What fills up is what the rows of the first floating-point input (N, T) or (N, T, F) end with, where it is ``value`` in
all features. The last measured position counts as filled too, since its target may be what comes next. Reaches every
loss of a model's first output (N, T, ...); the loss keeps its value, the rest of its gradient its mean.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ..session import Session
from ..stats import tensors
from ._common import around_calls

ROWS = 2  # axes: samples and moments


def apply(session: Session, value: float) -> None:
    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            with torch.no_grad():
                kept = _measured([t for _, t in tensors((args, kwargs))], value)
            output = original(this, *args, **kwargs)
            answers = next((t for _, t in tensors(output) if t.is_floating_point()), None)
            if (
                kept is None
                or answers is None
                or not answers.requires_grad
                or answers.shape[:ROWS] != kept.shape
            ):
                return output
            share = kept.float().mean().clamp_min(1 / kept.numel())
            weights = (kept.float() / share).reshape(*kept.shape, *[1] * (answers.dim() - ROWS))
            answers.register_hook(lambda gradient: gradient * weights.to(gradient))
            return output

        return call

    around_calls(session, make)


def _measured(given: list[torch.Tensor], value: float) -> torch.Tensor | None:
    """(N, T): positions before the last measured one; None where nothing is filled up."""
    x = next((t for t in given if t.is_floating_point() and t.dim() >= ROWS), None)
    if x is None:
        return None
    filled = torch.isclose(x, torch.full_like(x, value), rtol=1e-3, atol=1e-6)
    filled = filled.flatten(ROWS).all(-1) if x.dim() > ROWS else filled
    ends = filled.flip(1).int().cummin(1).values.flip(1).bool()
    if not bool(ends.any()):
        return None
    last = torch.cat([ends[:, 1:], ends[:, -1:]], 1)
    return ~last
