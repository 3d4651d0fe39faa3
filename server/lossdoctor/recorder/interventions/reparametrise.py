"""Draws from distributions that the model parametrises are made with a gradient (``rsample``), ``torch.normal`` too.

The reparametrisation of Kingma and Welling (2014). Reaches distributions that can be reparametrised, while gradients
are on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from ..patching import wrap
from ..session import Session
from ..severed import DRAWS, learned


def apply(session: Session) -> None:
    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def sample(this: Any, *args: Any, **kwargs: Any) -> Any:
            if session.here() and torch.is_grad_enabled() and learned(this):
                return this.rsample(*args, **kwargs)
            return original(this, *args, **kwargs)

        return sample

    def make_normal(original: Callable[..., Any]) -> Callable[..., Any]:
        def normal(mean: Any, std: Any = 1.0, *args: Any, **kwargs: Any) -> Any:
            with_history = any(issubclass(type(v), torch.Tensor) and v.requires_grad for v in (mean, std))
            if not (session.here() and torch.is_grad_enabled() and with_history):
                return original(mean, std, *args, **kwargs)
            spread = std if issubclass(type(std), torch.Tensor) else torch.full_like(mean, std)
            drawn = original(torch.zeros_like(spread), torch.ones_like(spread), *args, **kwargs)
            return mean + spread * drawn

        return normal

    for kind in DRAWS:
        wrap(kind, "sample", make)
    wrap(torch, "normal", make_normal)
