"""Targets of element-wise losses take the shape of the predictions when both have equally many elements.

Reaches torch's mse, l1, smooth l1, huber and binary cross-entropy losses; not losses that a script writes out itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch.nn.functional as F

from ..patching import wrap
from ..session import Session

FUNCTIONS = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy",
             "binary_cross_entropy_with_logits")  # fmt: skip


def apply(session: Session) -> None:
    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def loss(scores: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
            if session.here() and scores.shape != target.shape and scores.numel() == target.numel():
                target = target.reshape(scores.shape)
            return original(scores, target, *args, **kwargs)

        return loss

    for name in FUNCTIONS:
        wrap(F, name, make)
