"""A ``detach()`` in one ``line`` of a ``file`` of that name leaves its tensor in the graph, while the model is trained.

Where what was detached is a sum through which gradients cancel (``hard - soft + soft``), they go through its second
part alone: the straight-through estimator (Bengio, Leonard and Courville, 2013) with its parentheses elsewhere.
Reaches the method, not ``.data`` and not what runs under ``no_grad``.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import torch

from ..graph import leaves_behind, operation
from ..patching import unpatched, wrap
from ..session import Session

TERMS = 2


def apply(session: Session, file: str, line: int) -> None:
    cancelling: list[bool] = []  # told once, of the first call

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def detach(this: torch.Tensor) -> torch.Tensor:
            training = this.requires_grad and torch.is_grad_enabled() and session.here()
            place = session.sites.calling() if training else None
            if place is None or (os.path.basename(place[0]), place[1]) != (file, line):
                result: torch.Tensor = original(this)
                return result
            if not cancelling:
                cancelling.append(_cancels(this))
            if cancelling[0]:
                _parts(this)[0].register_prehook(lambda gradients: tuple(map(_nothing, gradients)))
            return this.view_as(this)

        return detach

    wrap(torch.Tensor, "detach", make)


def _parts(tensor: torch.Tensor) -> list[Any]:
    """The autograd nodes of both parts of a sum; none for anything else."""
    node: Any = tensor.grad_fn
    parts = [child for child, _ in node.next_functions if child is not None] if node is not None else []
    return parts if len(parts) == TERMS and operation(node) == "Add" else []


def _cancels(tensor: torch.Tensor) -> bool:
    """Whether no gradient of a sum's arrives at any leaf, although both its parts rest on some."""
    if not _parts(tensor):
        return False
    leaves = leaves_behind([tensor.grad_fn])
    directions = torch.linspace(1.0, 2.0, tensor.numel(), device=tensor.device).view_as(tensor).to(tensor)
    with unpatched():  # no pass of the script's
        found = torch.autograd.grad(tensor, leaves, directions, retain_graph=True, allow_unused=True)
    return all(g is None or not bool(g.any()) for g in found)


def _nothing(gradient: torch.Tensor | None) -> torch.Tensor | None:
    return None if gradient is None else torch.zeros_like(gradient)
