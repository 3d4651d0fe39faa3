"""A bounded walk over the autograd graph of a loss."""

from __future__ import annotations

import re
from collections import deque
from typing import Any

import torch

NUMBERED = re.compile(r"Backward\d+$")
HEAD = 24
MAX_NODES = 20_000


def graph_row(root: torch.Tensor, number: int) -> dict[str, Any]:
    """Names of the nodes nearest to the loss (breadth first), number of nodes, ids of the leaf tensors reached.

    ``ops`` holds for each named node the shape of its result, how many of its inputs carry a gradient, the index of
    the node that it feeds, and name and shape of each of those inputs: a node may feed several. ``leaves`` holds the
    tensors themselves; they are exchanged for parameter indexes at the end of the step. ``kinds`` are the different
    operations of the whole graph.
    """
    head: list[str] = []
    ops: list[list[Any]] = []
    feeds: dict[Any, int] = {}
    leaves: list[torch.Tensor] = []
    kinds: set[str] = set()
    seen: set[Any] = set()
    queue: deque[Any] = deque([root.grad_fn] if root.grad_fn is not None else [])
    while queue and len(seen) < MAX_NODES:
        node = queue.popleft()
        if node in seen:
            continue
        seen.add(node)
        name = operation(node)
        kinds.add(name)
        if len(head) < HEAD:
            place = len(head)
            head.append(name)
            given = [[operation(c), result_shape(c, k)] for c, k in node.next_functions if c is not None]
            ops.append([result_shape(node), len(given), feeds.get(node, -1), given])
            for child, _ in node.next_functions:
                feeds.setdefault(child, place)
        if hasattr(node, "variable"):
            leaves.append(node.variable)
        queue.extend(child for child, _ in node.next_functions if child is not None)
    return {"k": "graph", "n": number, "head": head, "ops": ops, "kinds": sorted(kinds)[:64], "nodes": len(seen),
            "leaves": leaves}  # fmt: skip


def is_multiplied(root: torch.Tensor, node: Any, most: int = 200) -> bool:
    """Whether something else that carries a gradient multiplies the result of ``node`` on its way into ``root``."""
    waiting, seen = deque([(root.grad_fn, False)]), set[Any]()
    while waiting and len(seen) < most:
        here, product = waiting.popleft()
        if here is node:
            return product
        inputs = [child for child, _ in here.next_functions if child is not None] if here is not None else []
        product = product or (len(inputs) > 1 and inputs[0] is not inputs[1] and operation(here) == "Mul")
        waiting.extend((child, product) for child in inputs if child not in seen)
        seen.update(inputs)
    return False


def leaves_of(root: torch.Tensor) -> list[torch.Tensor]:
    """The leaf tensors that a loss depends on."""
    return leaves_behind([root.grad_fn] if root.grad_fn is not None else [])


def leaves_behind(nodes: list[Any]) -> list[torch.Tensor]:
    """The leaf tensors that any of some autograd nodes rests on, of the nearest ``MAX_NODES`` nodes, nearest first."""
    leaves: list[torch.Tensor] = []
    seen, queue = set(nodes), deque(nodes)
    while queue and len(seen) < MAX_NODES:
        node = queue.popleft()
        if hasattr(node, "variable"):
            leaves.append(node.variable)
        fresh = dict.fromkeys(
            child for child, _ in node.next_functions if child is not None and child not in seen
        )
        seen.update(fresh)
        queue.extend(fresh)
    return leaves


def result_shape(node: Any, part: int = 0) -> list[int] | None:
    """Shape of what an autograd node computed, of one ``part`` if it computed several; None where torch does not
    tell.
    """
    found = getattr(node, "_input_metadata", None)
    try:
        return [int(n) for n in found[part].shape] if found else None
    except (IndexError, RuntimeError, TypeError, ValueError):
        return None  # nested and undefined tensors have no plain shape


def operation(node: Any) -> str:
    """Name of an autograd node without its suffix: ``SqueezeBackward1`` -> ``Squeeze``."""
    return NUMBERED.sub("", str(node.name()))
