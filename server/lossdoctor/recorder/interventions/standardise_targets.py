"""Targets of regression losses get mean 0 and standard deviation 1, per column, in training and evaluation alike.

The statistics come from the first ``batches`` calls of each loss function and target shape beyond the batch
(cumulative, then fixed). Losses are then in units of the target's variance. Reaches torch's mse, l1, smooth l1 and
huber loss; not losses that a script writes out itself, nor targets that carry a gradient.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F

from ..patching import wrap
from ..session import Session
from ._common import Scale

LOSSES = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")


def apply(session: Session, batches: int = 10) -> None:
    scales: dict[tuple[str, tuple[int, ...]], Scale] = {}

    def make(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def loss(input: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
            if session.here() and not target.requires_grad and target.is_floating_point() and target.numel():
                with torch.no_grad():
                    target = scales.setdefault((name, tuple(target.shape[1:])), Scale(batches))(target)
            return original(input, target, *args, **kwargs)

        return loss

    for name in LOSSES:
        wrap(F, name, partial(make, name))
