"""Backward starts from what torch's loss functions returned in this step, added up, instead of from the whole loss.

Terms that a script writes out itself (penalties, KL terms) and weights are left out; of several loss functions each
is divided by its first value, so that all have a say. Reaches scalar losses and, averaged, unreduced ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F

from ..objectives import FUNCTIONS
from ..patching import wrap
from ..session import Session


def apply(session: Session) -> None:
    terms: list[tuple[str, torch.Tensor]] = []
    first: dict[str, float] = {}

    def watch(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def make(original: Callable[..., Any]) -> Callable[..., Any]:
            def loss(*args: Any, **kwargs: Any) -> Any:
                value = original(*args, **kwargs)
                if session.here() and value.requires_grad:
                    terms.append((name, value.mean()))
                return value

            return loss

        return make

    def only(original: Callable[..., Any]) -> Callable[..., Any]:
        def backward(tensors: Any, *args: Any, **kwargs: Any) -> Any:
            chosen, scaled = terms[:], []
            terms.clear()
            for name, value in chosen:
                scale = first.setdefault(name, abs(float(value.detach())) or 1.0) if len(chosen) > 1 else 1.0
                scaled.append(value / scale)
            return original(sum(scaled) if scaled else tensors, *args, **kwargs)

        return backward

    for name in FUNCTIONS:
        wrap(F, name, watch(name))
    wrap(torch.autograd, "backward", only)
