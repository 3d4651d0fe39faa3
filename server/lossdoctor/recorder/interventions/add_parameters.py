"""Put trainable parameters that no optimizer holds into the optimizer that steps, in its first group.

Added are parameters of modules that ran and that have a gradient, and other leaves of the losses that stay the same
from step to step (weights in plain attributes or variables). New ones are looked for at each of the first 20 steps
and at every 20th later: a model may be made anew for each fold. Not reached: leaves that are made anew in each step.
"""

from __future__ import annotations

from typing import Any

import torch

from ..graph import leaves_of
from ..session import Session

EVERY = 20


def apply(session: Session) -> None:
    names, optimizers = session.parts.names, session.parts.optimizers
    lasting: dict[
        int, tuple[torch.Tensor, int]
    ] = {}  # leaves that no module may own, and the step they were met at

    def due() -> bool:
        return session.steps <= EVERY or session.steps % EVERY == 0

    def meet(losses: list[torch.Tensor]) -> None:
        for leaf in (leaf for loss in losses for leaf in leaves_of(loss)) if due() else ():
            lasting.setdefault(id(leaf), (leaf, session.steps))

    def add(optimizer: Any) -> None:
        if not due():
            return
        names.resolve(optimizers.parameters())
        held = {id(p) for group in optimizers.parameters().values() for p in group}
        bare = [leaf for leaf, step in lasting.values() if step < session.steps]
        for parameter in [*names.trainable, *bare]:
            if id(parameter) not in held and parameter.grad is not None:
                held.add(id(parameter))
                optimizer.param_groups[0]["params"].append(parameter)

    session.parts.gradients.on_losses.append(meet)
    session.before_step.insert(0, add)
