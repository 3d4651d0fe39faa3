"""The terms of a loss that a script adds up itself: their values and weights, read from the autograd graph.

Means and sums of squares or magnitudes keep what they were taken of for their gradient, products with a number keep the
number. One addend of any other kind is what the others leave of the loss; a loss with two such is passed over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from .by_hand import REDUCTIONS, RESHAPES, TERMS, is_square
from .graph import operation
from .session import Session
from .stats import wide

MOST = 8  # terms
DEEP = 24  # nodes that are looked at
ROUNDING = 1e-6  # of the loss: float32 sums are right to 2**-23 of their largest addend


@dataclass(frozen=True)
class Term:
    """One addend: the node that made it, its weight in the sum, and its value without the weight."""

    node: Any
    weight: float
    value: torch.Tensor


class Terms:
    """Writes a ``terms`` row on sampled steps: ``v`` and ``w``, value and weight of each term of the loss, in the order
    of the sum.
    """

    def __init__(self, session: Session) -> None:
        self.s = session

    def read(self, losses: list[torch.Tensor]) -> None:
        """Look at what backward starts from."""
        if not self.s.sampling or len(losses) != 1 or losses[0].numel() != 1:
            return
        with torch.no_grad():
            found = terms(losses[0])
        if len(found) > 1:
            self.s.add({"k": "terms", "i": self.s.now + 1, "w": [t.weight for t in found],
                        "v": [self.s.defer(t.value) for t in found], "site": self.s.site("backward")})  # fmt: skip


def terms(loss: torch.Tensor) -> list[Term]:
    """The terms of a loss; none if two of its addends are of another kind."""
    found: list[Term] = []
    unread: list[tuple[int, Any, float]] = []  # place among the terms, node, weight
    waiting: list[tuple[Any, float]] = [(loss.grad_fn, 1.0)]
    for _ in range(DEEP):
        if not waiting:
            break
        node, weight = waiting.pop(0)
        kind = operation(node) if node is not None else ""
        number = _number(node, kind) if node is not None else None
        if number is not None:  # of a whole sum, say
            waiting = [(_inner(node), weight * number), *waiting]
        elif kind in TERMS:
            scale = float(getattr(node, "_saved_alpha", 1) or 1) * (-1.0 if kind == "Sub" else 1.0)
            weights = (weight, weight * scale)
            parts = [(child, w) for (child, _), w in zip(node.next_functions, weights, strict=False)]
            waiting = [p for p in parts if p[0] is not None] + waiting
        else:
            term = _term(node, weight)
            if term is None:
                unread.append((len(found), node, weight))
            else:
                found.append(term)
    if waiting or len(unread) > 1 or not 0 < len(found) <= MOST or not all(w for _, _, w in unread):
        return []
    for place, node, weight in unread:
        found.insert(place, Term(node, weight, _left(loss, found) / weight))
    return found


def _left(loss: torch.Tensor, found: list[Term]) -> torch.Tensor:
    """What the known terms leave of a loss; nothing where that is rounding."""
    whole = wide(loss.detach()).reshape(())
    left = whole - sum(term.weight * wide(term.value).reshape(()) for term in found)
    return left * (left.abs() > ROUNDING * whole.abs())


def _term(node: Any, weight: float) -> Term | None:
    top, scale = node, 1.0
    for _ in range(DEEP):
        kind = operation(node) if node is not None else ""
        number = _number(node, kind)
        if number is not None:
            scale *= number
        elif kind not in RESHAPES | {"Select"}:
            break
        node = _inner(node)
    value = _reduced(node) if node is not None else None
    return None if value is None else Term(top, weight * scale, value)


def _inner(node: Any) -> Any:
    return next((child for child, _ in node.next_functions if child is not None), None)


def _number(node: Any, kind: str) -> float | None:
    """What a product or quotient is taken with, if it is a number."""
    if kind == "Neg":
        return -1.0
    other = getattr(node, "_saved_other", None)
    if (
        kind not in ("Mul", "Div")
        or other is None
        or (isinstance(other, torch.Tensor) and other.numel() != 1)
    ):
        return None
    number = float(other)
    return number if kind == "Mul" else 1 / number if number else None


def _reduced(node: Any) -> torch.Tensor | None:
    """Value of a mean or a sum of squares or magnitudes, or of one square."""
    kind = operation(node)
    inner = node.next_functions[0][0] if kind in REDUCTIONS else node
    values = _squares(inner)
    if values is None or (kind not in REDUCTIONS and values.numel() != 1):
        return None
    return values.sum() if kind == "Sum" else values.mean()


def _squares(node: Any, depth: int = 3) -> torch.Tensor | None:
    """The squares or magnitudes that a node holds, or adds up."""
    kind = operation(node) if node is not None else ""
    if kind == "Add" and depth and float(getattr(node, "_saved_alpha", 1) or 1) == 1.0:
        parts = [_squares(child, depth - 1) for child, _ in node.next_functions]
        known = [p for p in parts if p is not None]
        return known[0] + known[1] if len(known) == len(parts) == 2 else None
    kept: torch.Tensor | None = getattr(node, "_saved_self", None)
    if kept is None:
        return None
    if kind == "Abs":
        return kept.detach().abs()
    square = kind == "Pow" and float(node._saved_exponent) == 2.0
    square = square or (kind == "Mul" and is_square(node))
    return kept.detach().square() if square else None
