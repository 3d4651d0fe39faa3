"""Ramp every learning rate up linearly over the first steps: to the script's own rate at step ``share`` of the run.

``share`` is of the experiment's ``max_steps`` (of 1,000 when it has none). Reaches torch optimizers whose groups
have ``lr``; a schedule of the script keeps its shape and is multiplied.
"""

from __future__ import annotations

from typing import Any

from ..session import Session
from ._common import Group, during_step


def apply(session: Session, share: float = 0.2) -> None:
    length = max(1.0, share * float(session.config.get("max_steps") or 1000))

    def ramped(optimizer: Any, number: int, group: Group) -> dict[str, Any]:
        if "lr" not in group:
            return {}
        return {"lr": group["lr"] * min(1.0, (session.steps + 1) / length)}

    during_step(session, ramped)
