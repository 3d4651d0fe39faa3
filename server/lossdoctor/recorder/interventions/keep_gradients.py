"""The optimizer gets the gradients as the last backward pass left them; what the script does to them between is undone.

Reaches clipping, scaling and masking by hand. Gradient scalers divide out their factor in that place, so scripts that
use one are left alone.
"""

from __future__ import annotations

from typing import Any

import torch

from ..session import Session


def apply(session: Session) -> None:
    kept: dict[torch.Tensor, torch.Tensor] = {}

    def keep() -> None:
        held = (p for some in session.parts.optimizers.parameters().values() for p in some)
        kept.update((p, p.grad.detach().clone()) for p in held if p.grad is not None)

    def put_back(optimizer: Any) -> None:
        for group in optimizer.param_groups if "U" not in session.sequence else ():
            for p in group["params"]:
                made = kept.pop(p, None)
                if made is not None and p.grad is not None and made.shape == p.grad.shape:
                    p.grad.copy_(made)

    session.parts.gradients.after_backward.append(keep)
    session.before_step.append(put_back)
