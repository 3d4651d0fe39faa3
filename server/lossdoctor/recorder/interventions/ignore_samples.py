"""Samples with these fingerprints (``ids`` rows of a trace) are shown as before, but nothing is learned from them; or,
where a model is shown everything at once (a graph), from its answers with these numbers (``rows``).

Their rows of the model's output have no gradient; losses are averaged as before. Reaches models that the script calls
with gradients on and whose outputs have one row per input; layers that mix samples (batch normalisation) still see
them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ..inputs import model_input
from ..reduced import identities
from ..session import Session
from ._common import around_calls, mapped


def apply(session: Session, prints: list[int] | None = None, rows: list[int] | None = None) -> None:
    known, numbers = frozenset(prints or ()), frozenset(rows or ())

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            out = original(this, *args, **kwargs)
            x = model_input((args, kwargs)) if torch.is_grad_enabled() else None
            if x is None:
                return out
            shown = identities(x) if known else []
            return _detached(out, [h in known for h in shown] or [k in numbers for k in range(len(x))])

        return call

    around_calls(session, make)


def _detached(out: Any, ignored: list[bool]) -> Any:
    def change(path: str, tensor: torch.Tensor) -> torch.Tensor:
        if not tensor.requires_grad or tensor.dim() == 0 or tensor.shape[0] != len(ignored):
            return tensor
        rows = torch.tensor(ignored, device=tensor.device).reshape(-1, *(1 for _ in tensor.shape[1:]))
        return torch.where(rows, tensor.detach(), tensor)

    return mapped(out, change)
