"""No update after step ``after``: every rate is 0 from there on, while the script runs to its end.

Reaches torch optimizers whose update is scaled by the rate (all but LBFGS); batch statistics still follow the data.
"""

from __future__ import annotations

from typing import Any

from ..session import Session
from ._common import Group, during_step


def apply(session: Session, after: int) -> None:
    def change(optimizer: Any, number: int, group: Group) -> dict[str, Any]:
        return {"lr": 0.0} if session.steps >= after else {}

    during_step(session, change)
