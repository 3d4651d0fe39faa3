"""Multiply every learning rate by ``factor`` during each optimizer step; schedules keep their shape.

The rate is put back after the step, so schedulers see their own values. Reaches torch optimizers whose groups
have ``lr``; not rates that a script applies by hand.
"""

from __future__ import annotations

from typing import Any

from ..session import Session
from ._common import Group, during_step


def apply(session: Session, factor: float) -> None:
    def scaled(optimizer: Any, number: int, group: Group) -> dict[str, Any]:
        return {"lr": group["lr"] * factor} if "lr" in group else {}

    during_step(session, scaled)
