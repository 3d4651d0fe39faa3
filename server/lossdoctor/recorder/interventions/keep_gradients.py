"""The optimizer gets the gradients as the last backward pass left them; what the script does to them between is undone.

Reaches clipping, scaling and masking by hand, also in the step of an optimizer that hands over to torch's. Gradient
scalers divide out their factor in that place, so scripts that use one are left alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.optim import Optimizer

from ..patching import wrap
from ..session import Session


def apply(session: Session) -> None:
    kept: dict[torch.Tensor, torch.Tensor] = {}
    wrapped: set[type] = set()

    def keep() -> None:
        held = (p for some in session.parts.optimizers.parameters().values() for p in some)
        kept.update((p, p.grad.detach().clone()) for p in held if p.grad is not None)

    def put_back(optimizer: Any) -> None:
        for group in optimizer.param_groups if "U" not in session.sequence else ():
            for p in group["params"]:
                made = kept.get(p)
                if made is not None and p.grad is not None and made.shape == p.grad.shape:
                    p.grad.copy_(made)
        for base in type(optimizer).__mro__[1:]:
            if "step" in vars(base) and base is not Optimizer and base not in wrapped:
                wrapped.add(base)
                wrap(base, "step", at_base)

    def at_base(original: Callable[..., Any]) -> Callable[..., Any]:
        """The step that a derived optimizer hands over to."""

        def step(this: Any, *args: Any, **kwargs: Any) -> Any:
            if session.stepping:
                put_back(this)
            return original(this, *args, **kwargs)

        return step

    session.parts.gradients.after_backward.append(keep)
    session.before_step.append(put_back)
