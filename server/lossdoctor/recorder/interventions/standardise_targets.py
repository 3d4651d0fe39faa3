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

from ..patching import wrap
from ..session import Session
from ._common import Scale
from ._differences import Pair, around_differences

LOSSES = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
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

    told: list[int] = []

    def changed(answer: torch.Tensor, target: torch.Tensor) -> Pair:
        if not told:
            told.append(session.now)
            session.write({"k": "standardised", "i": session.now})
        return answer, standardised("difference", target)

    for name in LOSSES:
        wrap(F, name, partial(make, name))
    around_differences(session, changed, _large)


def _large(target: torch.Tensor) -> bool:
    return bool(target.detach().abs().max() > LARGE)
