"""Updates without an optimizer: parameters changed by hand, or never changed at all."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import torch

from .gradients import Gradients
from .names import Names
from .optimizers import Optimizers, norms
from .session import Session
from .stats import local

PROBE = 8  # elements per parameter whose values tell whether it moved
GRACE = 64  # backward passes without any step before they count as steps (accumulation windows are shorter)


class Manual:
    """While no optimizer has stepped, writes a ``step`` row with optimizer -1 for every backward pass."""

    def __init__(self, session: Session, names: Names, gradients: Gradients, optimizers: Optimizers) -> None:
        self.s, self.names, self.gradients, self.optimizers = session, names, gradients, optimizers
        self._watched: list[torch.Tensor] = []
        self._last: list[list[float]] = []
        self._norm = 0.0
        self.passes = 0

    def install(self) -> None:
        self.gradients.before_backward.append(self.before_backward)
        self.gradients.after_backward.append(self.after_backward)

    def before_backward(self) -> None:
        """Close the previous pass: did the parameters move since?"""
        if self.s.steps > 0 or self.gradients.total_backwards == 0:
            return
        values = [local(p).reshape(-1)[:PROBE].tolist() for p in self._watched]
        moved = bool(self._last) and values != self._last
        self._last = values
        self.passes += 1
        row: dict[str, Any] = {
            "k": "step",
            "i": self.passes,
            "o": -1,
            "t": round(self.s.seconds(), 5),
            "lr": [],
        }
        row |= {"moved": moved, "gn": self._norm, "loss": self.gradients.take_losses()}
        row["seq"], self.s.sequence = "".join(self.s.sequence), []
        self.s.add(row)
        self.s.flush()
        if moved or self.passes > GRACE:
            self.s.check_limits(self.passes)

    def after_backward(self) -> None:
        """Gradients are read here: by the next pass they may have been cleared."""
        if self.s.steps == 0:
            self._watched = self._watched or self._find()
            self._norm = (
                sum(n * n for n in norms([p.grad for p in self._watched if p.grad is not None])) ** 0.5
            )

    def _find(self) -> list[torch.Tensor]:
        self.names.resolve(self.optimizers.parameters())
        return self.names.trainable[:32] or _leaves()[:32]


def _leaves() -> list[torch.Tensor]:
    """Bare leaf tensors that require a gradient, from the user's frames."""
    found: dict[int, torch.Tensor] = {}
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        for value in list(frame.f_locals.values()):
            for item in value if isinstance(value, (list, tuple)) else [value]:
                if issubclass(type(item), torch.Tensor) and item.is_leaf and item.requires_grad:
                    found.setdefault(id(item), item)
        frame = frame.f_back
    return list(found.values())
