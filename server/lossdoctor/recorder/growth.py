"""Autograd history that outlives its step: of how many earlier steps the graph is still held, and by what.

Every forward pass leaves its step number in the ``metadata`` of the node that made its output. After chosen steps
the graphs of all live tensors are walked and the distinct numbers counted: a healthy loop holds one or two.
"""

from __future__ import annotations

import gc
from collections import deque
from typing import Any

import torch

from .holders import grown_at, variable_of
from .session import Session
from .stats import tensors

CHECKS = frozenset({5, 10, 20, 40, 80, 160, 320, 640})
MAX_NODES = 20_000
KEY = "lossdoctor_step"


class Growth:
    """Writes a ``held`` row after the steps of ``CHECKS``."""

    def __init__(self, session: Session) -> None:
        self.s = session

    def install(self) -> None:
        self.s.after_step.append(self._check)

    def mark(self, output: Any) -> None:
        """Remember the step in the nodes that made an output."""
        for _, tensor in tensors(output)[:4]:
            if tensor.grad_fn is not None:
                tensor.grad_fn.metadata[KEY] = self.s.steps

    def _check(self, optimizer: Any) -> None:
        if self.s.steps not in CHECKS:
            return
        seen: set[Any] = set()
        marks: set[int] = set()
        oldest: tuple[int, torch.Tensor] | None = None
        for tensor in _live():
            found = walk(tensor.grad_fn, seen)
            marks |= found
            if found and (oldest is None or min(found) < oldest[0]):
                oldest = min(found), tensor
        row: dict[str, Any] = {
            "k": "held",
            "i": self.s.steps,
            "steps": len(marks),
            "nodes": len(seen),
            "name": None,
        }
        if oldest is not None and len(marks) > 3:
            row |= self._holder(oldest[1])
        self.s.write(row)

    def _holder(self, tensor: torch.Tensor) -> dict[str, Any]:
        name = variable_of(self.s.sites, tensor)
        place = grown_at(self.s.sites, name) if name else None
        return {"name": name, "site": self.s.place("grown", place) if place else None}


def walk(root: Any, seen: set[Any]) -> set[int]:
    """Step numbers found in the graph above ``root``, nodes in ``seen`` left out and added to it."""
    marks: set[int] = set()
    queue: deque[Any] = deque([root])
    while queue and len(seen) < MAX_NODES:
        node = queue.popleft()
        if node is None or node in seen:
            continue
        seen.add(node)
        if KEY in node.metadata:
            marks.add(node.metadata[KEY])
        queue.extend(child for child, _ in node.next_functions)
    return marks


def _live() -> list[torch.Tensor]:
    """All tensors with a history, in the order of their creation as the collector sees it."""
    found = [o for o in gc.get_objects() if issubclass(type(o), torch.Tensor)]
    return [t for t in found if t.grad_fn is not None]
