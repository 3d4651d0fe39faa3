"""Scale the gradients of each optimizer down to a total norm of ``max_norm`` right before its step.

Under a gradient scaler the gradients are unscaled by then. Reaches torch optimizers; a total that is not finite is
left alone, so that the step shows what it would have done.
"""

from __future__ import annotations

from typing import Any

import torch

from ..session import Session
from ..stats import local


def apply(session: Session, max_norm: float = 1.0) -> None:
    def shrink(optimizer: Any) -> None:
        held = (p for group in optimizer.param_groups for p in group["params"])
        gradients = [local(p.grad) for p in held if p.grad is not None]
        if not gradients:
            return
        total = torch.stack([n.double().cpu() for n in torch._foreach_norm(gradients)]).norm()
        if torch.isfinite(total) and total > max_norm:
            torch._foreach_mul_(gradients, float(max_norm / total))

    session.before_step.append(shrink)
