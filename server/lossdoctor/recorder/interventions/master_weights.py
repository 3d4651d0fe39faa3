"""Half-precision parameters are updated in single precision: the optimizer steps on a master copy, which the model gets
rounded.

The usual form of mixed-precision training (Micikevicius et al., 2018). Reaches torch optimizers that hold parameters in
bfloat16 or float16, from the first step on.
"""

from __future__ import annotations

from typing import Any

import torch

from ..session import Session
from ..stats import HALF


def apply(session: Session) -> None:
    masters: dict[torch.Tensor, torch.Tensor] = {}
    lent: dict[torch.Tensor, tuple[torch.dtype, torch.Tensor]] = {}

    def lend(optimizer: Any) -> None:
        for group in optimizer.param_groups:
            for p in group["params"]:
                if p.grad is not None and p.dtype in HALF:
                    lent[p] = p.dtype, p.grad
                    master = masters.get(p, p.detach().float())
                    gradient, p.grad = p.grad.float(), None
                    p.data, p.grad = master, gradient

    def round_off(optimizer: Any) -> None:
        for p, (dtype, gradient) in lent.items():
            masters[p], p.grad = p.data, None
            p.data, p.grad = p.data.to(dtype), gradient
        lent.clear()

    session.before_step.append(lend)
    session.after_step.append(round_off)
