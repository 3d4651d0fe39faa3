"""No weight decay during optimizer steps.

Reaches the ``weight_decay`` of torch optimizers; not penalties that a script adds to its loss.
"""

from __future__ import annotations

from typing import Any

from ..session import Session
from ._common import Group, during_step


def apply(session: Session) -> None:
    def without(optimizer: Any, number: int, group: Group) -> dict[str, Any]:
        return {"weight_decay": 0.0} if "weight_decay" in group else {}

    during_step(session, without)
