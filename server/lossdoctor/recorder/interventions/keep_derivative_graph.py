"""Derivatives by inputs (``torch.autograd.grad`` of something that is no parameter) keep a graph of their own.

What a loss computes from them then gives the model a gradient. Reaches calls while gradients are on; not functional
derivatives (``torch.func``), which keep theirs anyway.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from ..gradients import is_cut_derivative
from ..patching import wrap
from ..session import Session

POSITION = 4  # of ``create_graph``


def apply(session: Session) -> None:
    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def grad(*args: Any, **kwargs: Any) -> Any:
            if session.here() and torch.is_grad_enabled() and is_cut_derivative(args, kwargs):
                args, kwargs = args[:POSITION], {**kwargs, "create_graph": True}
            return original(*args, **kwargs)

        return grad

    wrap(torch.autograd, "grad", make)
