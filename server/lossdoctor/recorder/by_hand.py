"""Losses that are written out, ``((model(x) - y) ** 2).mean()``: predictions and targets, read from the autograd graph.

A difference that is squared, or whose magnitude is taken, keeps the residual for its gradient; with the model's output
that gives the targets. Log-probabilities picked by class (``log_p[range(n), y]``, ``gather``) keep the classes.
Anything else (several terms, penalties, residuals of derivatives) is not recognised, and nothing is guessed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from .graph import operation
from .stats import tensors

REDUCTIONS = frozenset({"Mean", "Sum"})
SCALINGS = frozenset({"Mul", "Div", "Neg"})
RESHAPES = frozenset({"View", "UnsafeView", "Squeeze", "Unsqueeze", "Alias", "ReshapeAlias"})
LONGEST = 8
ROUNDING = 1e-5  # targets are differences of float32 numbers
SAME = (
    1e-3  # relative difference below which the loss is the plain mean: float32 sums differ in the fifth digit
)


@dataclass(frozen=True)
class WrittenOut:
    """A loss as torch's function ``name`` would have got it; ``plain``: it is the mean, without a factor. ``call`` is
    the function that gives the same for ``output``, what the model returned.
    """

    name: str
    scores: torch.Tensor
    target: torch.Tensor
    plain: bool
    call: str
    output: torch.Tensor


def written_out(loss: torch.Tensor, outputs: Any) -> WrittenOut | None:
    """What a loss compares, given what the model returned last; None where the graph does not tell."""
    node: Any = loss.grad_fn
    for _ in range(LONGEST):
        kind = operation(node) if node is not None else ""
        if kind in ("Pow", "Abs") or (kind == "Mul" and _is_square(node)):
            return _difference(loss, node, kind, outputs)
        if kind in ("Index", "Gather"):
            return _picked(loss, node, kind, outputs)
        if kind not in REDUCTIONS | SCALINGS | RESHAPES:
            return None
        branches = [child for child, _ in node.next_functions if child is not None]
        if len(branches) != 1:
            return None
        node = branches[0]
    return None


def _is_square(node: Any) -> bool:
    """Whether a product is that of a tensor with itself."""
    (left, _), (right, _) = (*node.next_functions, (None, 0), (None, 0))[:2]
    return left is not None and left is right


def _difference(loss: torch.Tensor, node: Any, kind: str, outputs: Any) -> WrittenOut | None:
    if kind == "Pow" and float(node._saved_exponent) != 2.0:
        return None
    inner = node.next_functions[0][0]
    if inner is None or operation(inner) != "Sub" or float(getattr(inner, "_saved_alpha", 1)) != 1.0:
        return None
    (left, _), (right, _) = inner.next_functions[:2]
    if (left is None) == (right is None):
        return None  # both sides are computed by the model, or neither
    scores = _output(left or right, outputs)
    residual = node._saved_self.detach()
    if scores is None or scores.numel() != residual.numel():
        return None
    scores = scores.reshape(residual.shape)
    target = scores.detach() - residual if right is None else scores.detach() + residual
    if target.numel() < 2 or bool(
        target.amax() - target.amin() <= ROUNDING * (residual.abs().amax() + target.abs().amax())
    ):
        return None  # one number for all: a penalty, or an adversary's goal
    name = "l1_loss" if kind == "Abs" else "mse_loss"
    usual = residual.abs().mean() if kind == "Abs" else residual.square().mean()
    return WrittenOut(name, scores, target, _same(loss, usual), name, scores)


def _output(node: Any, outputs: Any) -> torch.Tensor | None:
    """The output of the model that a node is, or only reshapes."""
    found = [t for _, t in tensors(outputs) if t.grad_fn is not None]
    for _ in range(LONGEST):
        match = next((t for t in found if t.grad_fn is node), None)
        if match is not None or node is None or operation(node) not in RESHAPES:
            return match
        node = node.next_functions[0][0]
    return None


def _picked(loss: torch.Tensor, node: Any, kind: str, outputs: Any) -> WrittenOut | None:
    """Log-probabilities (N, C) of which one per row was picked."""
    inner = node.next_functions[0][0]
    if inner is None or operation(inner) != "LogSoftmax":
        return None
    output = _output(inner, outputs)
    if output is None:
        output = _output(inner.next_functions[0][0], outputs)
    if output is None:
        return None
    scores = inner._saved_result.detach()
    if kind == "Gather":
        classes = node._saved_index.squeeze(-1)
    else:
        picked = [t for t in node._saved_indices if t is not None]
        classes = picked[-1] if len(picked) == 2 else None
    if scores.dim() != 2 or classes is None or classes.shape != scores.shape[:1]:
        return None
    usual = -scores.gather(1, classes[:, None]).mean()
    return WrittenOut(
        "nll_loss", scores, classes.detach(), _same(loss, usual), "cross_entropy", output.detach()
    )


def _same(loss: torch.Tensor, usual: torch.Tensor) -> bool:
    return bool((loss.detach() - usual).abs() <= SAME * usual.abs())
