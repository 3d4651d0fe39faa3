"""What outlives its step: of how many earlier steps the graph is still held, and by what; tensors that grow; stores
that fill up to a bound.

Every forward pass leaves its step number in the ``metadata`` of the node that made its output. After chosen steps
the graphs of all live tensors are walked and the distinct numbers counted: a healthy loop holds one or two.
"""

from __future__ import annotations

import gc
from collections import deque
from typing import Any

import torch

from .holders import Store, enlarged_at, grown_at, kept, single_tensors, stores
from .names import Names
from .session import Session
from .stats import tensors

CHECKS = frozenset({5, 10, 20, 40, 80, 160, 320, 640})
MAX_NODES = 20_000
LEAST_BYTES = 64 * 1024
LEAST_ITEMS = 64
MOST_GROWN = 4
LEAST_ADDED = 5  # tensors between two checks
NEARLY = 0.9  # of the most steps that one name holds: as many, but for the last ones
KEY = "lossdoctor_step"


class Growth:
    """Writes a ``held`` row after the steps of ``CHECKS``."""

    def __init__(self, session: Session, names: Names) -> None:
        self.s, self.names = session, names
        self._sizes: dict[str, int] = {}
        self._held: dict[str, int] = {}

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
        marks = {mark for tensor in live() for mark in walk(tensor.grad_fn, seen)}
        row = {"k": "held", "i": self.s.now, "steps": len(marks), "nodes": len(seen)}
        self.s.write(row | (self._holder() if len(marks) > 3 else {}))
        self._note_container()
        for tensor in self._grown():
            self.s.write({"k": "grown", "i": self.s.now, **tensor})
        for name, length, limit in filter(_is_in_use, stores(self.s.sites)):
            place = grown_at(self.s.sites, name)
            self.s.write({"k": "store", "i": self.s.now, "name": name, "len": length, "limit": limit,
                          "site": self.s.place("stored", place) if place is not None else None})  # fmt: skip

    def _note_container(self) -> None:
        """The line that adds to the container in which most tensors have come to lie since the last check."""
        held = {
            name: sum(issubclass(type(x), torch.Tensor) for x in items) for name, items in kept(self.s.sites)
        }
        grown = {name: count - self._held.get(name, count) for name, count in held.items()}
        self._held = held
        name = max(grown, key=lambda n: grown[n], default=None)
        place = grown_at(self.s.sites, name) if name is not None and grown[name] >= LEAST_ADDED else None
        if place is not None:
            self.s.place("collected", place)

    def _grown(self) -> list[dict[str, Any]]:
        """Tensors that are larger than at the last check, with the line that makes them so; those that no line joins
        to themselves (batches of longer and longer sequences, say) are made anew.
        """
        sizes = {
            name: t.numel() * t.element_size() for name, t in single_tensors(self.s.sites, self.names.roots)
        }
        grown = [n for n, size in sizes.items() if size > max(LEAST_BYTES, self._sizes.get(n, size))]
        self._sizes = sizes
        places = ((name, enlarged_at(self.s.sites, name)) for name in grown[:MOST_GROWN])
        return [
            {"name": name, "bytes": sizes[name], "site": self.s.place("grown", place)}
            for name, place in places
            if place is not None
        ]

    def _holder(self) -> dict[str, Any]:
        """The variable or attribute that holds the graphs of most steps, and the line that adds to it. What the model
        keeps comes first, and a name that no line adds to last: the loss that was just computed from it holds as many.
        """
        single = ((name, [t]) for name, t in single_tensors(self.s.sites, self.names.roots))
        held: dict[str, int] = {}
        for name, items in (*single, *kept(self.s.sites)):
            seen: set[Any] = set()
            found = {mark for item in items if _has_history(item) for mark in walk(item.grad_fn, seen)}
            held[name] = max(held.get(name, 1), len(found))
        most = max(held.values(), default=1)
        likely = [name for name, count in held.items() if count > 1 and count >= NEARLY * most]
        places = ((name, grown_at(self.s.sites, name)) for name in likely)
        added = next(((name, place) for name, place in places if place is not None), None)
        if added is None:
            return {"name": next(iter(likely), None), "site": None}
        return {"name": added[0], "site": self.s.place("grown", added[1])}


def _is_in_use(store: Store) -> bool:
    return store[1] >= LEAST_ITEMS


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


def live() -> list[torch.Tensor]:
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
