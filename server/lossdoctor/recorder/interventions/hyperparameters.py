"""Use other hyper-parameters during each optimizer step: ``hyperparameters(momentum=0.9, betas=[0.9, 0.999])``.

Only names that a group has are set. Reaches torch optimizers. Adagrad turns its ``initial_accumulator_value`` into
state when it is made: there the difference is taken out of the state before the first step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..session import Session
from ._common import Group, during_step

INITIAL = "initial_accumulator_value"


def apply(session: Session, **values: Any) -> None:
    wanted: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in values.items()}

    def replaced(optimizer: Any, number: int, group: Group) -> dict[str, Any]:
        return {name: value for name, value in wanted.items() if name in group}

    if INITIAL in wanted:  # while the group still has its own value
        session.before_step.append(_start_again(wanted[INITIAL]))
    during_step(session, replaced)


def _start_again(value: float) -> Callable[[Any], None]:
    """Before an optimizer's first step: lower its sums of squares from their initial value to this one."""
    done: set[int] = set()

    def lower(optimizer: Any) -> None:
        groups = optimizer.param_groups if id(optimizer) not in done else ()
        done.add(id(optimizer))
        for group in groups:
            for p in group["params"]:
                if INITIAL in group and "sum" in optimizer.state[p]:
                    optimizer.state[p]["sum"].sub_(group[INITIAL] - value)

    return lower
