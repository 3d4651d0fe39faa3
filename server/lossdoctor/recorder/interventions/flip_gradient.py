"""Negate every gradient right before each optimizer step, and put it back after: ascent becomes descent.

Where a script updates by hand, every gradient is negated as it is made.
"""

from __future__ import annotations

from typing import Any

import torch

from ..session import Session
from ..stats import local
from ._common import scale_by_hand


def apply(session: Session) -> None:
    def flip(optimizer: Any) -> None:
        held = (p for group in optimizer.param_groups for p in group["params"])
        gradients = [local(p.grad) for p in held if p.grad is not None]
        if gradients:
            torch._foreach_neg_(gradients)

    session.before_step.append(flip)
    session.after_step.append(flip)
    scale_by_hand(session, -1.0)
