"""Summed losses are divided by their number of predictions, in training.

The trace still shows the sums, so that both runs can be compared. Reaches torch's loss functions called with
``reduction="sum"``; not sums that a script writes out itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch.nn.functional as F

from ..objectives import FUNCTIONS
from ..patching import wrap
from ..session import Session


def apply(session: Session) -> None:
    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def loss(*args: Any, **kwargs: Any) -> Any:
            value = original(*args, **kwargs)
            target = args[1] if len(args) > 1 else kwargs.get("target")
            if not session.here() or kwargs.get("reduction") != "sum" or not value.requires_grad:
                return value
            return value / max(1, getattr(target, "numel", lambda: 1)())

        return loss

    for name in FUNCTIONS:
        wrap(F, name, make)
