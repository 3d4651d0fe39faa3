"""Hold every learning rate at one value, whatever a schedule says: ``lr``, or the rate that the optimizer was made
with.

Reaches torch optimizers whose groups have ``lr``; not rates that a script applies by hand. The rate that an
optimizer was made with is the one that its schedulers start from, or else that of its first step.
"""

from __future__ import annotations

from typing import Any

from ..session import Session
from ._common import Group, during_step


def apply(session: Session, lr: float | None = None) -> None:
    first: dict[tuple[int, int], Any] = {}

    def constant(optimizer: Any, number: int, group: Group) -> dict[str, Any]:
        if "lr" not in group:
            return {}
        own = first.setdefault((id(optimizer), number), group.get("initial_lr", group["lr"]))
        return {"lr": own if lr is None else lr}

    during_step(session, constant)
