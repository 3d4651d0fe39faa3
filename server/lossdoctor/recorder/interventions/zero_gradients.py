"""Clear gradients before the first backward pass after every optimizer step.

Reaches the parameters of every torch optimizer, whatever the script's own clearing does. Does not reach manual
updates without an optimizer.
"""

from __future__ import annotations

from typing import Any

from ..session import Session


def apply(session: Session) -> None:
    stepped: list[Any] = []

    def clear() -> None:
        for optimizer in stepped:
            for group in optimizer.param_groups:
                for parameter in group["params"]:
                    parameter.grad = None
        stepped.clear()

    session.after_step.append(stepped.append)
    session.parts.gradients.before_backward.insert(0, clear)
