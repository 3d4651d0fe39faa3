"""Differences of an answer and a target of its shape, in losses that a script writes out itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ..patching import wrap
from ..session import Session
from ._common import around_calls

NAMES = ("__sub__", "__rsub__", "sub")
Pair = tuple[torch.Tensor, torch.Tensor]


def around_differences(
    session: Session,
    change: Callable[[torch.Tensor, torch.Tensor], Pair],
    fits: Callable[[torch.Tensor], bool] = lambda target: True,
) -> None:
    """Where one of two tensors of a shape depends on weights and the other is a constant that ``fits``, outside of the
    model's own calls: what ``change`` makes of (answer, target) is subtracted instead, whichever comes first. A target
    may be held against several answers for each sample (quantiles).
    """
    inside = [0]  # calls of the model that are running, and our own arithmetic

    def make_call(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            inside[0] += 1
            try:
                return original(this, *args, **kwargs)
            finally:
                inside[0] -= 1

        return call

    def changed(answer: torch.Tensor, target: torch.Tensor) -> Pair:
        inside[0] += 1
        try:
            return change(answer, target)
        finally:
            inside[0] -= 1

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def difference(one: torch.Tensor, other: Any, *args: Any, **kwargs: Any) -> Any:
            target = None if inside[0] or not session.here() else _constant_of(one, other)
            if target is None or not fits(target):
                return original(one, other, *args, **kwargs)
            if target is one:
                other, one = changed(other, one)
            else:
                one, other = changed(one, other)
            return original(one, other, *args, **kwargs)

        return difference

    around_calls(session, make_call)
    for name in NAMES:
        wrap(torch.Tensor, name, make)


def _constant_of(one: torch.Tensor, other: Any) -> torch.Tensor | None:
    """The one of two tensors that depends on nothing, while the other depends on weights: of equal shape, or with one
    number where the other has several.
    """
    if not issubclass(type(other), torch.Tensor) or not one.dim() or not one.numel():
        return None
    constant = [t for t in (one, other) if not t.requires_grad and t.is_floating_point()]
    if len(constant) != 1 or one.dim() != other.dim() or one.shape[0] != other.shape[0]:
        return None
    answer = other if constant[0] is one else one
    fits = all(n in (1, m) for n, m in zip(constant[0].shape, answer.shape, strict=True))
    return constant[0] if fits else None
