"""Call ``step()`` of the optimizers that the script itself never steps after each ``every``-th backward pass.

The first pass is let by, to see whether the script steps; one of several optimizers, where others step, after PATIENCE
of them. Only optimizers whose parameters have gradients step. Reaches torch optimizers that need no closure. One that
the script steps by itself is left alone from then on.
"""

from __future__ import annotations

import weakref
from typing import Any

from ..session import Session

PATIENCE = 5  # optimizers may take turns


def apply(session: Session, every: int = 1) -> None:
    passes = ours = 0
    own: weakref.WeakSet[Any] = weakref.WeakSet()  # those that the script stepped itself

    def notice(optimizer: Any) -> None:
        if not ours:
            own.add(optimizer)

    def step() -> None:
        nonlocal passes, ours
        passes += 1
        if session.stepping or passes <= (PATIENCE if own else 1) or passes % every:
            return
        for optimizer in [o for o in list(session.parts.optimizers._numbers) if o not in own]:
            if any(p.grad is not None for group in optimizer.param_groups for p in group["params"]):
                ours += 1
                try:
                    _step(optimizer, counted=not own)
                finally:
                    ours -= 1

    session.before_step.append(notice)
    session.parts.gradients.after_backward.append(step)


def _step(optimizer: Any, counted: bool) -> None:
    """A step; beside those of the script's own one past torch's hooks, which does not count as a step of the run."""
    method = type(optimizer).step
    (method if counted else getattr(method, "__wrapped__", method))(optimizer)
