"""Losses that are written out, ``((model(x) - y) ** 2).mean()``: predictions and targets, read from the autograd graph.

A difference that is squared, or whose magnitude is taken, keeps the residual for its gradient; with the model's output
that gives the targets. Log-probabilities picked by class (``log_p[range(n), y]``, ``gather``, a product with one-hot
rows) keep the classes; a mask over them tells which are left out. Other terms beside it are passed over; anything else
(residuals of derivatives, say) is not recognised, and nothing is guessed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import torch

from .graph import operation
from .stats import IGNORED, tensors

REDUCTIONS = frozenset({"Mean", "Sum"})
TERMS = frozenset({"Add", "Sub"})
SCALINGS = frozenset({"Mul", "Div", "Neg"})
RESHAPES = frozenset({"View", "UnsafeView", "Squeeze", "Unsqueeze", "Alias", "ReshapeAlias"})
BOTH = 2
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
    waiting: list[tuple[Any, torch.Tensor | None, bool]] = [(loss.grad_fn, None, False)]
    for _ in range(LONGEST):
        if not waiting:
            break
        node, mask, weighed = waiting.pop(0)
        kind = operation(node) if node is not None else ""
        factor = factor_of(node) if kind == "Mul" else None
        if mask is None and (kind in ("Pow", "Abs") or (kind == "Mul" and is_square(node))):
            found += _difference(node, kind, outputs, grain)
        elif kind in ("Index", "Gather") or (
            factor is not None and operation(inner_of(node)) == "LogSoftmax"
        ):
            found += [] if weighed else _picked(node, kind, outputs, mask)
        elif factor is not None and mask is None and is_mask(factor):
            waiting.append((inner_of(node), factor, weighed))
        elif kind in TERMS or (kind in REDUCTIONS | SCALINGS | RESHAPES and _by_a_number(node)):
            more = weighed or factor is not None
            waiting += [(child, mask, more) for child, _ in node.next_functions if child is not None]
    return found[0] if len(found) == 1 else None


def factor_of(node: Any) -> torch.Tensor | None:
    """The constant tensor of several numbers that something is multiplied by, whichever side it stands on."""
    saved = [getattr(node, name, None) for name in ("_saved_other", "_saved_self")]
    found = [t for t in saved if isinstance(t, torch.Tensor) and t.numel() > 1 and not t.requires_grad]
    return found[0] if len(found) == 1 and inner_of(node) is not None else None


def is_mask(factor: torch.Tensor) -> bool:
    """Whether it says of each row whether it counts: yes or no, or ones that may end before the row does. Other zeros
    and ones may be rewards.
    """
    if factor.dtype == torch.bool:
        return True
    plain = bool(((factor == 0) | (factor == 1)).all())
    return plain and (
        bool((factor == 1).all()) or (factor.dim() > 1 and bool((factor.diff(dim=-1) <= 0).all()))
    )


def inner_of(node: Any) -> Any:
    """The one operation that a node takes up; None where it takes several, or none."""
    inner = [child for child, _ in node.next_functions if child is not None]
    return inner[0] if len(inner) == 1 else None


def _by_a_number(node: Any) -> bool:
    """Whether a product or quotient is with one number, or its weights stand first: ``w * (model(x) - y) ** 2``."""
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
    residual = node._saved_self.detach()
    compared = _compared(inner, residual, outputs)
    if compared is None:
        return []
    scores = compared[0]
    exact = without_noise(*compared, residual, grain)
    if exact is None:
        return []
    target, grain = exact
    name = "l1_loss" if kind == "Abs" else "mse_loss"
    value = residual.abs().mean() if kind == "Abs" else residual.square().mean()
    return [WrittenOut(name, scores, target, value, name, scores, grain)]


def without_noise(
    scores: torch.Tensor, target: torch.Tensor, residual: torch.Tensor, grain: float | None
) -> tuple[torch.Tensor, float] | None:
    """Targets that were worked out from a difference, rounded so that equal ones are equal, and what to (that of the
    first call, where it is given); 0.0 where they are not known that exactly. None for one number in all: a penalty,
    or an adversary's goal.
    """
    span, spread, largest, missed = _sizes(target, scores, residual)
    if not span > ROUNDING * (missed + largest):
        return None
    grain = grain or 2.0 ** math.floor(math.log2(spread * FINE))
    if grain > COARSE * largest:
        return (target / grain).round() * grain, grain
    return target, 0.0


def _compared(inner: Any, residual: torch.Tensor, outputs: Any) -> tuple[torch.Tensor, torch.Tensor] | None:
    """What the model answered and the targets, of the operation that subtracts them and the numbers that it gave."""
    if inner is None or operation(inner) != "Sub" or float(getattr(inner, "_saved_alpha", 1)) != 1.0:
        return None
    (left, _), (right, _) = inner.next_functions[:2]
    if (left is None) == (right is None):
        return None  # both sides are computed by the model, or neither
    scores = _output(left or right, outputs)
    if scores is None or scores.numel() != residual.numel():
        return None
    scores = scores.reshape(residual.shape)
    return scores, scores.detach() - residual if right is None else scores.detach() + residual


def quantiles(loss: torch.Tensor, outputs: Any) -> tuple[torch.Tensor, torch.Tensor] | None:
    """Answers and targets of a quantile loss (Koenker and Bassett, 1978) that takes the larger of two multiples, which
    are one apart, of the same residual: q r and (q - 1) r; of several quantiles (N, Q) of one target the middle one.
    None for any other loss.
    """
    node: Any = loss.grad_fn
    for _ in range(LONGEST):
        if node is None or operation(node) not in REDUCTIONS | SCALINGS | RESHAPES:
            break
        node = next((child for child, _ in node.next_functions if child is not None), None)
    if node is None or operation(node) != "Maximum":
        return None
    factors = [child for child, _ in node.next_functions if child is not None]
    inner = {inner_of(f) for f in factors if operation(f) == "Mul"}
    if len(factors) != BOTH or len(inner) != 1:
        return None
    saved = (getattr(factors[0], name, None) for name in ("_saved_self", "_saved_other"))
    first = next((t for t in saved if isinstance(t, torch.Tensor) and not t.requires_grad), None)
    if first is None:
        return None
    residual = (node._saved_self - node._saved_other).detach()
    residual = residual if bool((first > 0).all()) else -residual  # the first multiple is q, else q - 1
    compared = _compared(inner.pop(), residual, outputs)
    if compared is None or compared[1].dim() < BOTH:
        return compared
    scores, target = compared
    same = (target - target[:, :1]).abs().amax() <= ROUNDING * (scores.detach().abs() + residual.abs()).amax()
    middle = scores.shape[1] // 2
    return (scores[:, middle], target[:, middle]) if bool(same) else compared


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


def _picked(node: Any, kind: str, outputs: Any, mask: torch.Tensor | None) -> list[WrittenOut]:
    """Log-probabilities (..., C) one of which was picked per row; ``mask``, one number per row, tells which count."""
    inner = inner_of(node)
    if inner is None or operation(inner) != "LogSoftmax":
        return []
    output = _output(inner, outputs)
    if output is None:
        output = _output(inner.next_functions[0][0], outputs)
    if output is None:
        return []
    scores = inner._saved_result.detach()
    classes = classes_of(node, kind, scores)
    if scores.dim() < 2 or classes is None or classes.shape != scores.shape[:-1]:
        return []
    counted = torch.ones_like(classes, dtype=torch.bool) if mask is None else mask.reshape(-1) != 0
    if counted.numel() != classes.numel():
        return []
    scores, classes, counted = scores.flatten(0, -2), classes.detach().reshape(-1), counted.reshape(-1)
    value = -(scores.gather(1, classes[:, None])[:, 0] * counted).sum() / counted.sum().clamp_min(1)
    target = torch.where(counted, classes, IGNORED)
    output = output.detach().reshape(scores.shape)
    return [WrittenOut("nll_loss", scores, target, value, "cross_entropy", output)]


def classes_of(node: Any, kind: str, scores: torch.Tensor) -> torch.Tensor | None:
    """The class that is picked from each row of scores (..., C); None where it is not one."""
    if kind == "Gather":
        last = node._saved_dim in (-1, scores.dim() - 1, 2**64 - 1)  # unsigned in the graph
        return node._saved_index.squeeze(-1) if last else None
    if kind == "Index":
        picked = [t for t in node._saved_indices if t is not None]
        return picked[-1] if len(picked) == 2 and scores.dim() == 2 else None
    rows = factor_of(node)
    if rows is None or rows.shape != scores.shape:
        return None
    single = ((rows == 0) | (rows == 1)).all() & (rows.sum(-1) == 1).all()
    return rows.argmax(-1) if bool(single) else None
