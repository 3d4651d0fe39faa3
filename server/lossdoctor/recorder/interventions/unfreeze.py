"""Every floating-point parameter of the model that is trained requires gradients, and the optimizer gets those
that it lacks.

Done before each training pass. Reaches registered parameters of modules that the script calls; not passes that run
under ``no_grad``, and not models that were wrapped for distributed training while frozen.
"""

from __future__ import annotations

from typing import Any

from torch import nn

from ..session import Session


def apply(session: Session) -> None:
    freed: dict[int, Any] = {}

    def free(module: nn.Module) -> None:
        for parameter in module.parameters():
            if parameter.is_floating_point() and not parameter.requires_grad:
                freed[id(parameter)] = parameter.requires_grad_(True)

    def hold(optimizer: Any) -> None:
        if freed:
            held = {id(p) for group in session.parts.optimizers.parameters().values() for p in group}
            fresh = [p for p in freed.values() if id(p) not in held and p.grad is not None]
            optimizer.param_groups[0]["params"].extend(fresh)

    session.parts.forwards.before_forward.append(free)
    session.before_step.insert(0, hold)
