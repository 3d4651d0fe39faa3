"""Multiply every learning rate by ``factor`` during each optimizer step; schedules keep their shape.

With ``below`` only those that begin below that rate. The rate is put back after the step, so schedulers see their own
values. Reaches torch optimizers whose groups have ``lr``. Where a script updates by hand, the gradients are multiplied
instead: the same for descent and momentum, no change for rules that divide by the size of past gradients.
"""

from __future__ import annotations

import math
from typing import Any

from ..session import Session
from ._common import Group, during_step, scale_by_hand


def apply(session: Session, factor: float, below: float = math.inf) -> None:
    begun: dict[int, float] = {}  # of a group, which its optimizer holds

    def scaled(optimizer: Any, number: int, group: Group) -> dict[str, Any]:
        if "lr" not in group:
            return {}
        first = begun.setdefault(
            id(group), float(group["initial_lr"] if "initial_lr" in group else group["lr"])
        )
        return {"lr": group["lr"] * factor} if first < below else {}

    during_step(session, scaled)
    if below == math.inf:
        scale_by_hand(session, factor)
