"""Call ``step()`` of every optimizer after each ``every``-th backward pass, as long as the script never does.

The first pass is let by, to see whether the script steps. Only optimizers whose parameters have gradients step.
Reaches torch optimizers that need no closure. A script that
steps by itself is left alone from then on.
"""

from __future__ import annotations

from typing import Any

from ..session import Session


def apply(session: Session, every: int = 1) -> None:
    passes = ours = 0
    own = False  # the script made a step itself

    def notice(optimizer: Any) -> None:
        nonlocal own
        own = own or not ours

    def step() -> None:
        nonlocal passes, ours
        passes += 1
        if own or session.stepping or passes == 1 or passes % every:
            return
        for optimizer in list(session.parts.optimizers._numbers):
            if any(p.grad is not None for group in optimizer.param_groups for p in group["params"]):
                ours += 1
                try:
                    optimizer.step()
                finally:
                    ours -= 1

    session.before_step.append(notice)
    session.parts.gradients.after_backward.append(step)
