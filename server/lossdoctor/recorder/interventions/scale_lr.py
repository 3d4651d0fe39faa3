"""Multiply every learning rate by ``factor`` during each optimizer step; schedules keep their shape.

The rate is put back after the step, so schedulers see their own values. Reaches torch optimizers whose groups
have ``lr``. Where a script updates by hand, the gradients are multiplied instead: the same for descent and momentum, no
change for rules that divide by the size of past gradients.
"""

from __future__ import annotations

from typing import Any

from ..session import Session
from ._common import Group, during_step, scale_by_hand


def apply(session: Session, factor: float) -> None:
    def scaled(optimizer: Any, number: int, group: Group) -> dict[str, Any]:
        return {"lr": group["lr"] * factor} if "lr" in group else {}

    during_step(session, scaled)
    scale_by_hand(session, factor)
