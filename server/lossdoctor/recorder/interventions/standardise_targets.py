"""Targets of regression losses get mean 0 and standard deviation 1, per column, in training and evaluation alike.

The statistics come from the first ``batches`` calls of each loss function and target shape beyond the batch
(cumulative, then fixed). Losses are then in units of the target's variance. Reaches torch's mse, l1, smooth l1 and
huber loss, and in losses that a script writes out itself the difference of a prediction and a target of its shape and
of unusual size (a ``standardised`` row says so: what the recorder finds of such targets is as it was); not targets
that carry a gradient.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from ..patching import wrap
from ..session import Session
from ._common import Scale, around_calls

LOSSES = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
DIFFERENCES = ("__sub__", "__rsub__", "sub")
LARGE = 10.0  # outputs begin near 1; other differences of a loss (of means, of weights) stay as they are


def apply(session: Session, batches: int = 10) -> None:
    scales: dict[tuple[str, tuple[int, ...]], Scale] = {}

    def standardised(name: str, target: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            return scales.setdefault((name, tuple(target.shape[1:])), Scale(batches))(target)

    def make(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def loss(input: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
            if session.here() and not target.requires_grad and target.is_floating_point() and target.numel():
                target = standardised(name, target)
            return original(input, target, *args, **kwargs)

        return loss

    for name in LOSSES:
        wrap(F, name, partial(make, name))
    _in_differences(session, partial(standardised, "difference"))


def _in_differences(session: Session, standardised: Callable[[torch.Tensor], torch.Tensor]) -> None:
    inside = [0]  # calls of the model that are running, and our own arithmetic
    told: list[int] = []

    def make_call(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            inside[0] += 1
            try:
                return original(this, *args, **kwargs)
            finally:
                inside[0] -= 1

        return call

    def changed(target: torch.Tensor) -> torch.Tensor:
        inside[0] += 1
        try:
            return standardised(target)
        finally:
            inside[0] -= 1
            if not told:
                told.append(session.steps)
                session.write({"k": "standardised", "i": session.steps})

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def difference(one: torch.Tensor, other: Any, *args: Any, **kwargs: Any) -> Any:
            if inside[0] or not session.here() or not _is_pair(one, other):
                return original(one, other, *args, **kwargs)
            if one.grad_fn is None:
                return original(changed(one), other, *args, **kwargs)
            return original(one, changed(other), *args, **kwargs)

        return difference

    around_calls(session, make_call)
    for name in DIFFERENCES:
        wrap(torch.Tensor, name, make)


def _is_pair(one: torch.Tensor, other: Any) -> bool:
    """Whether one of two tensors of equal shape depends on weights and the other is a large constant."""
    if not issubclass(type(other), torch.Tensor) or one.shape != other.shape or not one.dim():
        return False
    constant = [t for t in (one, other) if not t.requires_grad and t.is_floating_point()]
    return len(constant) == 1 and bool(constant[0].detach().abs().max() > LARGE)
