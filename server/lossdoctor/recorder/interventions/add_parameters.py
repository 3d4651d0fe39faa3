"""Put trainable parameters that no optimizer holds into the first optimizer, in its first group.

Only parameters of modules that ran and that have a gradient are added, before each step until none is left.
Reaches what ``nn.Module`` registers; not tensors that live outside every module.
"""

from __future__ import annotations

from typing import Any

from ..session import Session


def apply(session: Session) -> None:
    names, optimizers = session.parts.names, session.parts.optimizers

    def add(optimizer: Any) -> None:
        if session.steps > 20:
            return
        names.resolve(optimizers.parameters())
        held = {id(p) for group in optimizers.parameters().values() for p in group}
        for parameter in names.trainable:
            if id(parameter) not in held and parameter.grad is not None:
                optimizer.param_groups[0]["params"].append(parameter)

    session.before_step.insert(0, add)
