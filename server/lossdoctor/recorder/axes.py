"""Whether the numbers of a sample change less along its axes as they are read, or as another reading of the same memory
would have them: signals that were stored moment by moment and are read sensor by sensor, images that were stored pixel
by pixel and are read colour by colour.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn.modules.module import register_module_forward_pre_hook

from .forwards import Forwards
from .keywords import whole
from .layouts import outer_input
from .session import Session

FIRST = 3  # steps that are looked at
LEAST = 8  # moments along either reading, pixels along each side
CHANNELS = range(2, 17)  # of images: colours, bands


class Axes:
    """Writes an ``axes`` row for signals (N, A, B) and colour images (N, C, H, W) of the first training steps."""

    def __init__(self, session: Session, forwards: Forwards) -> None:
        self.s, self.forwards = session, forwards

    def install(self) -> None:
        self.s.until(FIRST, register_module_forward_pre_hook(self.s.guarded(self._enter)))

    def _enter(self, module: nn.Module, args: Any) -> None:
        if self.s.steps >= FIRST or not torch.is_grad_enabled() or not self.forwards.outermost(module):
            return
        x = outer_input(whole(args))
        found = None if x is None else roughness(x)
        if found is not None and x is not None:
            row = {"k": "axes", "i": self.s.now + 1, "shape": list(x.shape), "site": self.s.site("forward")}
            self.s.add({**row, **found})


def roughness(x: torch.Tensor) -> dict[str, float] | None:
    """Mean |difference| of neighbours along the last axis of x (N, A, B), along the middle one, and along the axis of
    length B of x read as (N, B, A), each over that of values far apart; None for inputs of another kind. Of images
    (N, C, H, W) along a row, along a column, and along the rows of x read as (N, H, W, C).

    Memory is the same for both readings, so neighbours of the other one lie A (C) numbers apart.
    """
    if not x.is_floating_point() or not (_is_signal(x.shape) or _is_image(x.shape)):
        return None
    flat = x.detach().float().flatten(1)
    scale = (flat - flat.roll(flat.shape[1] // 2 + 1, 1)).abs().mean()
    if not bool(torch.isfinite(flat).all()) or float(scale) == 0:
        return None
    apart = x.shape[1]
    steps = {"along": x.diff(dim=-1), "across": x.diff(dim=-2), "other": flat[:, apart:] - flat[:, :-apart]}
    return {name: float(d.detach().abs().mean() / scale) for name, d in steps.items()}


def _is_signal(shape: torch.Size) -> bool:
    return len(shape) == 3 and shape[1] != shape[2] and min(shape[1:]) >= 2 and max(shape[1:]) >= LEAST


def _is_image(shape: torch.Size) -> bool:
    return len(shape) == 4 and shape[1] in CHANNELS and min(shape[2:]) >= LEAST
