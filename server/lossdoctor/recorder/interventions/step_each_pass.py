"""Every backward pass makes a step of its own, where the script gathers the gradients of several for one step.

``scale`` is what the gradient of a pass is multiplied with, for optimizers that its length matters to: the number of
passes, where the script divides by it. The script's own step then finds no gradients and does nothing. Reaches torch
optimizers that need no closure and share no gradient scaler.
"""

from __future__ import annotations

from ..session import Session


def apply(session: Session, factor: int, scale: float = 1.0) -> None:
    """``factor``: updates of the changed run for each of the script's, with the empty one that it makes itself."""

    def step() -> None:
        if session.stepping or "U" in session.sequence:
            return
        for optimizer in list(session.parts.optimizers._numbers):
            held = [p for group in optimizer.param_groups for p in group["params"]]
            made = [p for p in held if p.grad is not None]
            for p in made:
                p.grad.mul_(scale)
            if made:
                optimizer.step()
            for p in made:
                p.grad = None

    session.parts.gradients.after_backward.append(step)
