"""The loss leaves out targets that are the padding ``value`` (``ignore_index``), in training and evaluation.

Reaches ``cross_entropy`` and ``nll_loss`` with class indices; not losses that a script writes out itself. Losses
without reduction are made larger by as much as leaves their mean over all positions that over the ones which count.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch.nn.functional as F

from ..patching import wrap
from ..session import Session


def apply(session: Session, value: int) -> None:
    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def loss(input: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
            if not session.here() or target.is_floating_point() or len(args) > 2:
                return original(input, target, *args, **kwargs)
            left = original(input, target, *args, **{**kwargs, "ignore_index": value})
            counted = int((target != value).sum())
            return left * (target.numel() / max(1, counted)) if kwargs.get("reduction") == "none" else left

        return loss

    for name in ("cross_entropy", "nll_loss"):
        wrap(F, name, make)
