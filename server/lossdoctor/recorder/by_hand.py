"""Losses that are written out, ``((model(x) - y) ** 2).mean()``: predictions and targets, read from the autograd graph.

A difference that is squared, or whose magnitude is taken, keeps the residual for its gradient; with the model's output
that gives the targets. Log-probabilities picked by class (``log_p[range(n), y]``, ``gather``) keep the classes.
Other terms beside it are passed over; anything else (residuals of derivatives, say) is not recognised, and nothing is
guessed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import torch

from .graph import operation
from .stats import tensors

REDUCTIONS = frozenset({"Mean", "Sum"})
TERMS = frozenset({"Add", "Sub"})
SCALINGS = frozenset({"Mul", "Div", "Neg"})
RESHAPES = frozenset({"View", "UnsafeView", "Squeeze", "Unsqueeze", "Alias", "ReshapeAlias"})
LONGEST = 16  # nodes that are looked at
FINE = 2.0**-12  # of the spread in the first batch: targets are rounded to a power of two of this size
COARSE = 2.0**-17  # of the largest prediction: float32 differences are right to 2**-23 of it
ROUNDING = 1e-5  # targets are differences of float32 numbers


@dataclass(frozen=True)
class WrittenOut:
    """A loss as torch's function ``name`` would have got it, with the mean that the function would return. ``call`` is
    the function that gives the same for ``output``, what the model returned.
    """

    name: str
    scores: torch.Tensor
    target: torch.Tensor
    value: torch.Tensor
    call: str
    output: torch.Tensor
    grain: float | None = None  # what targets were rounded to; 0.0 when they could not be told that exactly


def written_out(loss: torch.Tensor, outputs: Any, grain: float | None = None) -> WrittenOut | None:
    """What a loss compares, given what the model returned last, beside other terms; None where the graph does not tell,
    or shows several such terms. ``grain`` is that of the first call, so that equal targets stay equal.
    """
    found: list[WrittenOut] = []
    waiting: list[Any] = [loss.grad_fn]
    for _ in range(LONGEST):
        if not waiting:
            break
        node = waiting.pop(0)
        kind = operation(node) if node is not None else ""
        if kind in ("Pow", "Abs") or (kind == "Mul" and is_square(node)):
            found += _difference(node, kind, outputs, grain)
        elif kind in ("Index", "Gather"):
            found += _picked(node, kind, outputs)
        elif kind in TERMS or (kind in REDUCTIONS | SCALINGS | RESHAPES and _by_a_number(node)):
            waiting += [child for child, _ in node.next_functions if child is not None]
    return found[0] if len(found) == 1 else None


def _by_a_number(node: Any) -> bool:
    """Whether a product or quotient is with one number; weights per sample make another loss."""
    other = getattr(node, "_saved_other", None)
    return not isinstance(other, torch.Tensor) or other.numel() == 1


def is_square(node: Any) -> bool:
    """Whether a product is that of a tensor with itself."""
    (left, _), (right, _) = (*node.next_functions, (None, 0), (None, 0))[:2]
    return left is not None and left is right


def _difference(node: Any, kind: str, outputs: Any, grain: float | None) -> list[WrittenOut]:
    if kind == "Pow" and float(node._saved_exponent) != 2.0:
        return []
    inner = node.next_functions[0][0]
    if inner is None or operation(inner) != "Sub" or float(getattr(inner, "_saved_alpha", 1)) != 1.0:
        return []
    (left, _), (right, _) = inner.next_functions[:2]
    if (left is None) == (right is None):
        return []  # both sides are computed by the model, or neither
    scores = _output(left or right, outputs)
    residual = node._saved_self.detach()
    if scores is None or scores.numel() != residual.numel():
        return []
    scores = scores.reshape(residual.shape)
    target = scores.detach() - residual if right is None else scores.detach() + residual
    span, spread, largest, missed = _sizes(target, scores, residual)
    if span <= ROUNDING * (missed + largest):
        return []  # one number for all: a penalty, or an adversary's goal
    grain = grain or 2.0 ** math.floor(math.log2(spread * FINE))
    if grain > COARSE * largest:
        target = (target / grain).round() * grain
    else:
        grain = 0.0
    name = "l1_loss" if kind == "Abs" else "mse_loss"
    value = residual.abs().mean() if kind == "Abs" else residual.square().mean()
    return [WrittenOut(name, scores, target, value, name, scores, grain)]


def _sizes(target: torch.Tensor, scores: torch.Tensor, residual: torch.Tensor) -> list[float]:
    """Range and standard deviation of the targets, largest prediction or target, largest residual: fetched at once."""
    largest = torch.maximum(scores.detach().abs().amax(), target.abs().amax())
    spread = target.std(correction=0)
    values: list[float] = torch.stack(
        [target.amax() - target.amin(), spread, largest, residual.abs().amax()]
    ).tolist()
    return values


def _output(node: Any, outputs: Any) -> torch.Tensor | None:
    """The output of the model that a node is, or only reshapes."""
    found = [t for _, t in tensors(outputs) if t.grad_fn is not None]
    for _ in range(LONGEST):
        match = next((t for t in found if t.grad_fn is node), None)
        if match is not None or node is None or operation(node) not in RESHAPES:
            return match
        node = node.next_functions[0][0]
    return None


def _picked(node: Any, kind: str, outputs: Any) -> list[WrittenOut]:
    """Log-probabilities (N, C) of which one per row was picked."""
    inner = node.next_functions[0][0]
    if inner is None or operation(inner) != "LogSoftmax":
        return []
    output = _output(inner, outputs)
    if output is None:
        output = _output(inner.next_functions[0][0], outputs)
    if output is None:
        return []
    scores = inner._saved_result.detach()
    if kind == "Gather":
        classes = node._saved_index.squeeze(-1)
    else:
        picked = [t for t in node._saved_indices if t is not None]
        classes = picked[-1] if len(picked) == 2 else None
    if scores.dim() != 2 or classes is None or classes.shape != scores.shape[:1]:
        return []
    value = -scores.gather(1, classes[:, None]).mean()
    return [WrittenOut("nll_loss", scores, classes.detach(), value, "cross_entropy", output.detach())]
