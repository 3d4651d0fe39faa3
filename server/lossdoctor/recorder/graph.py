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

    ``leaves`` holds ``id()`` values; they are exchanged for parameter indexes while the parameters live.
    """
    head: list[str] = []
    leaves: list[int] = []
    seen: set[Any] = set()
    queue: deque[Any] = deque([root.grad_fn] if root.grad_fn is not None else [])
    while queue and len(seen) < MAX_NODES:
        node = queue.popleft()
        if node in seen:
            continue
        seen.add(node)
        if len(head) < HEAD:
            head.append(operation(node))
        if hasattr(node, "variable"):
            leaves.append(id(node.variable))
        queue.extend(child for child, _ in node.next_functions if child is not None)
    return {"k": "graph", "n": number, "head": head, "nodes": len(seen), "leaves": leaves}


def operation(node: Any) -> str:
    """Name of an autograd node without its suffix: ``SqueezeBackward1`` -> ``Squeeze``."""
    return NUMBERED.sub("", str(node.name()))
