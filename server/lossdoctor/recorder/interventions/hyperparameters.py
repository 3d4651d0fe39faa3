"""Use other hyper-parameters during each optimizer step: ``hyperparameters(momentum=0.9, betas=[0.9, 0.999])``.

Only names that a group has are set. Reaches torch optimizers; values that an optimizer turns into state when it is
made (an accumulator's initial value, say) come too late.
"""

from __future__ import annotations

from typing import Any

from ..session import Session
from ._common import Group, during_step


def apply(session: Session, **values: Any) -> None:
    wanted = {name: tuple(v) if isinstance(v, list) else v for name, v in values.items()}

    def replaced(optimizer: Any, number: int, group: Group) -> dict[str, Any]:
        return {name: value for name, value in wanted.items() if name in group}

    during_step(session, replaced)
