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
    met: list[
        tuple[int, dict[int, torch.Tensor]]
    ] = []  # the two last looks: step, and leaves of its losses by id
    lasting: dict[int, torch.Tensor] = {}  # leaves of two looks

    def due() -> bool:
        return session.steps <= EVERY or session.steps % EVERY == 0

    def meet(losses: list[torch.Tensor]) -> None:
        if not due():
            return
        if not met or met[-1][0] != session.steps:
            met[:-1] = []
            met.append((session.steps, {}))
        found = {id(leaf): leaf for loss in losses for leaf in leaves_of(loss)}
        met[-1][1].update(found)
        lasting.update({k: leaf for k, leaf in found.items() if len(met) > 1 and k in met[0][1]})

    def add(optimizer: Any) -> None:
        if not due():
            return
        names.resolve(optimizers.parameters())
        held = {id(p) for group in optimizers.parameters().values() for p in group}
        for parameter in [*names.trainable, *lasting.values()]:
            if id(parameter) not in held and parameter.grad is not None:
                held.add(id(parameter))
                optimizer.param_groups[0]["params"].append(parameter)

    session.parts.gradients.on_losses.append(meet)
    session.before_step.insert(0, add)
