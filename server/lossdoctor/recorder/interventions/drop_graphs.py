"""What outlives its step keeps its values but not its history: after every fourth step (later: every 40th), tensors
whose graph reaches back more than three steps, or is much longer than that of the first losses, are detached in place.

Reaches whatever holds them (lists, attributes, closures, sums); not views, which torch does not detach in place.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import torch

from ..graph import graph_row
from ..growth import live, walk
from ..session import Session

# steps between looks through the whole heap, at first and after so many steps
EVERY, LATER, EARLY = 4, 40, 400
RECENT = 3  # steps whose graphs a loop may hold: the last output, the loss before, the other of two models
LONGER = 2  # times the nodes of the longest of the first losses
FIRST = 3


def apply(session: Session) -> None:
    usual: list[int] = []

    def measure(losses: list[torch.Tensor]) -> None:
        if len(usual) < FIRST:
            usual.append(max((graph_row(loss, 0)["nodes"] for loss in losses), default=0))

    def drop(optimizer: Any) -> None:
        if session.steps % (EVERY if session.steps <= EARLY else LATER):
            return
        for tensor in live():
            seen: set[Any] = set()
            marks = walk(tensor.grad_fn, seen)
            old = bool(marks) and min(marks) < session.steps - RECENT
            if old or (len(usual) == FIRST and len(seen) > LONGER * max(usual)):
                with suppress(RuntimeError):
                    tensor.detach_()

    session.parts.gradients.on_losses.append(measure)
    session.after_step.append(drop)
