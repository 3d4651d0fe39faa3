"""Autograd history that outlives its step: of how many earlier steps the graph is still held, and by what.

Every forward pass leaves its step number in the ``metadata`` of the node that made its output. After chosen steps
the graphs of all live tensors are walked and the distinct numbers counted: a healthy loop holds one or two.
"""

from __future__ import annotations

import gc
from collections import deque
from typing import Any

import torch

from .holders import grown_at, kept
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
                node: Any = tensor.grad_fn  # torch's stub calls metadata a method; it is a dict
                node.metadata[KEY] = self.s.steps

    def _check(self, optimizer: Any) -> None:
        if self.s.steps not in CHECKS:
            return
        seen: set[Any] = set()
        marks = {mark for tensor in _live() for mark in walk(tensor.grad_fn, seen)}
        row = {"k": "held", "i": self.s.steps, "steps": len(marks), "nodes": len(seen)}
        self.s.write(row | (self._holder() if len(marks) > 3 else {}))

    def _holder(self) -> dict[str, Any]:
        """The variable that holds the graphs of most steps, and the line that adds to it."""
        best, most = None, 1
        for name, items in kept(self.s.sites):
            seen: set[Any] = set()
            found = {mark for item in items if _has_history(item) for mark in walk(item.grad_fn, seen)}
            if len(found) > most:
                best, most = name, len(found)
        place = grown_at(self.s.sites, best) if best else None
        return {"name": best, "site": self.s.place("grown", place) if place else None}


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
    """All tensors with a history. Types are looked up, not asked: there are hundreds of thousands of objects."""
    kinds: set[type] = {torch.Tensor}
    queue: list[type] = [torch.Tensor]
    while queue:
        found: list[type] = queue.pop().__subclasses__()
        queue.extend(found)
        kinds.update(found)
    return [o for o in gc.get_objects() if type(o) in kinds and o.grad_fn is not None]


def _has_history(value: Any) -> bool:
    return issubclass(type(value), torch.Tensor) and value.grad_fn is not None
