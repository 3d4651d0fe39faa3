"""One term of a loss that the script adds up itself counts ``factor`` times: its gradient is multiplied.

The values that the script prints, and the loss itself, stay those of its own sum. Reaches the terms of
``terms.terms``, counted from 0.
"""

from __future__ import annotations

from typing import Any

import torch

from ..session import Session
from ..terms import terms


def apply(session: Session, term: int, factor: float) -> None:
    def boost(losses: list[torch.Tensor]) -> None:
        found = terms(losses[0]) if len(losses) == 1 and losses[0].numel() == 1 else []
        if len(found) > term:
            found[term].node.register_prehook(scaled)

    def scaled(gradients: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(g if g is None else g * factor for g in gradients)

    session.parts.gradients.on_losses.append(boost)
