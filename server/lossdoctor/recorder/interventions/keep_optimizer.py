"""An optimizer that is made again for the same parameters goes on with the state of the one before it.

Momentum, second moments and step counts survive; rates are those of the new one. Reaches torch optimizers of the
same class over the same parameter objects.
"""

from __future__ import annotations

from typing import Any

from ..session import Session


def apply(session: Session) -> None:
    states: dict[tuple[Any, ...], Any] = {}
    known: dict[int, Any] = {}

    def adopt(optimizer: Any) -> None:
        if known.get(id(optimizer)) is optimizer:
            return
        known[id(optimizer)] = optimizer  # kept alive, so that its id stays its own
        held = sorted(id(p) for group in optimizer.param_groups for p in group["params"])
        optimizer.state = states.setdefault((type(optimizer), *held), optimizer.state)

    session.before_step.append(adopt)
