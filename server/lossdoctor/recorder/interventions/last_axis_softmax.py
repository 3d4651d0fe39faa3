"""A softmax over the first axis runs over the last one instead.

Reaches ``softmax`` and ``log_softmax`` as functions, methods and modules, on two and more dimensions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F

from ..patching import wrap
from ..session import Session


def apply(session: Session) -> None:
    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def softmax(input: Any, *args: Any, **kwargs: Any) -> Any:
            if session.here() and input.dim() > 1 and (args[:1] == (0,) or kwargs.get("dim") == 0):
                args, kwargs = (-1, *args[1:]), {k: v for k, v in kwargs.items() if k != "dim"}
            return original(input, *args, **kwargs)

        return softmax

    for owner in (F, torch, torch.Tensor):
        for name in ("softmax", "log_softmax"):
            wrap(owner, name, make)
