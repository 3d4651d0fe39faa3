"""What a loss of any form holds the model's answers against, read from its autograd graph.

``by_hand`` knows the usual losses with their value; this module looks for the targets alone, however the loss goes on:
differences to constants (the root of their mean, Huber, log-cosh, a Gaussian's likelihood with its own deviation),
picks of a class from probabilities, and constants that answers are multiplied by, where a known loss of both is the
number that was handed to backward, or where they are shares of classes, or stand beside their complement. Weights look
alike: what multiplies a difference or a pick is no target; a difference that is multiplied by numbers of either sign
(rewards) tells of none, nor does a pick that is multiplied by any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch
import torch.nn.functional as F

from .by_hand import classes_of, factor_of, inner_of, is_square, without_noise
from .graph import operation
from .loss_forms import names_of, same, within
from .retraced import RESHAPES, Made, made_by, retraced

MOST = 64  # nodes that are looked at
ROWS = 2  # axes of scores of classes
EQUAL = (
    1e-3  # relative difference of targets that two operations hold, and of shares of classes to one in all
)
# functions of a difference that keep it for their derivative
OF_DIFFERENCES = frozenset({"Pow", "Abs", "Cosh", "LinalgVectorNorm", "Softplus"})
# torch's own, where something else than its function was called (a distribution)
WITH_TARGET = frozenset(
    {"BinaryCrossEntropyWithLogits", "BinaryCrossEntropy", "MseLoss", "SmoothL1Loss", "HuberLoss", "NllLoss"}
)
PICKS = frozenset({"Gather", "Index"})
Factor = tuple[torch.Tensor, Any]  # a constant, and the operation whose result it multiplies


@dataclass(frozen=True)
class Compared:
    """Answers and targets; ``name`` is the function of torch's that gives the loss itself for both, if one does.
    ``grain`` is what targets were rounded to, 0.0 when they could not be told that exactly.
    """

    answers: torch.Tensor
    target: torch.Tensor
    name: str | None = None
    grain: float | None = None


def compared(loss: torch.Tensor, outputs: Any, grain: float | None = None) -> Compared | None:
    """The one thing that a loss compares the model's last answers with; None for none, or several. ``grain`` is that of
    the first call, so that equal targets stay equal.
    """
    made = made_by(outputs)
    if not made or loss.grad_fn is None:
        return None
    found: dict[Any, Compared] = {}
    factors: list[Factor] = []
    with torch.no_grad():
        for node, weights in _nodes(loss.grad_fn, made):
            told = _told(node, made, grain)
            if told is None:
                factors += _factors(node)
            elif not any(bool((w < 0).any()) for w in weights) and not (weights and operation(node) in PICKS):
                found[told[0]] = told[1]
        if not found:
            return _multiplied(factors, loss.detach(), made)
        first = next(iter(found.values()))
        if not all(_equal(first.target, c.target) for c in found.values()):
            return None
        return replace(first, name=next(names_of(first.answers, first.target, loss.detach()), None))


def unadjusted(scores: torch.Tensor, outputs: Any) -> torch.Tensor:
    """The scores (N, C) that a loss gets, without what is added to each class alike (the logarithm of its share, Menon
    et al., 2021): it is what the model answers that later decides.
    """
    node, plain = scores.grad_fn, scores.detach()
    inner = inner_of(node) if node is not None and scores.dim() == ROWS and operation(node) == "Add" else None
    output = next((t for (made, _), t in made_by(outputs).items() if made is inner), None) if inner else None
    if output is None or output.shape != plain.shape:
        return plain
    with torch.no_grad():
        added = plain - output
        alike = torch.allclose(added, added[:1].expand_as(added), rtol=EQUAL, atol=EQUAL)
    return output if alike else plain


def _nodes(root: Any, made: Made) -> Iterator[tuple[Any, tuple[torch.Tensor, ...]]]:
    """The operations of a loss above the model's outputs, nearest first, each with the constants that it is multiplied
    by on the way.
    """
    ends = {node for node, _ in made}
    waiting: list[tuple[Any, tuple[torch.Tensor, ...]]] = [(root, ())]
    seen = {root}
    while waiting and len(seen) <= MOST:
        node, weights = waiting.pop(0)
        if node in ends:
            continue
        yield node, weights
        more = (*weights, *(constant for constant, _ in _factors(node)))
        for child, _ in node.next_functions:
            if child is not None and child not in seen:
                seen.add(child)
                waiting.append((child, more))


def _told(node: Any, made: Made, grain: float | None) -> tuple[Any, Compared] | None:
    """What one operation compares, and where (two functions of one difference are one comparison)."""
    kind = operation(node)
    if kind in WITH_TARGET:
        return node, Compared(node._saved_self.detach(), node._saved_target.detach())
    if kind in PICKS:
        return _picked(node, kind, made)
    if kind in OF_DIFFERENCES or (kind == "Mul" and (is_square(node) or factor_of(node) is None)):
        return _difference(node, made, grain)
    return None


def _factors(node: Any) -> list[Factor]:
    """The constant that an operation multiplies something by, and what."""
    kind = operation(node)
    if kind == "Xlogy" and inner_of(node) is not None and isinstance(node._saved_self, torch.Tensor):
        return [(node._saved_self, inner_of(node))]
    constant = factor_of(node) if kind == "Mul" else None
    return [] if constant is None else [(constant, inner_of(node))]


def _difference(node: Any, made: Made, grain: float | None) -> tuple[Any, Compared] | None:
    residual = getattr(node, "_saved_self", None)
    if not isinstance(residual, torch.Tensor) or not residual.numel():
        return None
    before = _undone(node.next_functions[0][0], residual.detach())
    if before is None:
        return None
    inner, residual = before
    sides = inner.next_functions
    if len(sides) < 2 or (sides[0][0] is None) == (sides[1][0] is None):
        return None  # both sides are computed by the model, or one is a number
    left = sides[0][0] is not None
    made_node, number = sides[0 if left else 1]
    answers = retraced(made_node, number, made)
    if answers is None or answers.numel() != residual.numel():
        return None
    answers = answers.reshape(residual.shape)
    exact = without_noise(answers, answers - residual if left else answers + residual, residual, grain)
    return None if exact is None else (inner, Compared(answers, exact[0], grain=exact[1]))


def _undone(node: Any, value: torch.Tensor) -> tuple[Any, torch.Tensor] | None:
    """The subtraction that a value comes from, and what it gave; None where more than scalings stand between."""
    for _ in range(MOST):
        kind = operation(node) if node is not None else ""
        if kind == "Sub":
            return node, value
        undone = UNDONE[kind](node, value) if kind in UNDONE else value if kind in RESHAPES else None
        if undone is None:
            return None
        node, value = node.next_functions[0][0], undone
    return None


def _divided(node: Any, value: torch.Tensor) -> torch.Tensor:
    other = node._saved_other
    return value * (other.detach() if isinstance(other, torch.Tensor) else other)


def _weighed(node: Any, value: torch.Tensor) -> torch.Tensor | None:
    """Before a product with a constant; one that holds zeros has lost what it multiplied."""
    saved = [v for v in (node._saved_other, node._saved_self) if isinstance(v, torch.Tensor)]
    if len(saved) != 1 or saved[0].requires_grad or not bool((saved[0] != 0).all()):
        return None
    return value / saved[0]


UNDONE: dict[str, Callable[[Any, torch.Tensor], torch.Tensor | None]] = {
    "Div": _divided,
    "Mul": _weighed,
    "Neg": lambda node, value: -value,
}


def _picked(node: Any, kind: str, made: Made) -> tuple[Any, Compared] | None:
    inner = inner_of(node)
    while inner is not None and operation(inner) in RESHAPES:
        inner = inner_of(inner)
    scores = None if inner is None else _log_shares(inner, made)
    classes = None if scores is None or scores.dim() < 2 else classes_of(node, kind, scores)
    if scores is None or classes is None or classes.shape != scores.shape[:-1]:
        return None
    return inner, Compared(scores.flatten(0, -2), classes.detach().reshape(-1))


def _log_shares(node: Any, made: Made) -> torch.Tensor | None:
    """Log-probabilities (..., C) that a node holds, itself or as their exponentials: of a softmax, or scores less the
    logarithm of their summed exponentials (what ``torch.distributions.Categorical`` does).
    """
    kind = operation(node)
    if kind in ("LogSoftmax", "Softmax"):
        result: torch.Tensor = node._saved_result.detach()
        return result if kind == "LogSoftmax" else result.clamp_min(torch.finfo(result.dtype).tiny).log()
    if kind == "Log":
        below = inner_of(node)
        return _log_shares(below, made) if below is not None and operation(below) == "Softmax" else None
    if kind != "Sub" or len(node.next_functions) < 2:
        return None
    (scores, number), (other, _) = node.next_functions[:2]
    if other is None or operation(other) != "Logsumexp":
        return None
    held = retraced(scores, number, made)
    return None if held is None else F.log_softmax(held, -1)


def _multiplied(factors: list[Factor], loss: torch.Tensor, made: Made) -> Compared | None:
    """Of constants that functions of the answers are multiplied by those that are targets."""
    shares = [(c, n) for c, n in factors if operation(n) == "LogSoftmax" and _shares(c, n._saved_result)]
    if len(shares) == 1:
        target, node = shares[0]
        scores = node._saved_result.detach()
        named = same(loss, -(target * scores).sum(-1).mean()) and scores.dim() == 2
        return Compared(scores, target, "cross_entropy" if named else None)
    pairs = [
        (output.reshape(constant.shape), constant.to(output.dtype))
        for output in made.values()
        for constant, _ in factors
        if constant.numel() == output.numel() > 1 and constant.is_floating_point()
    ]
    pairs += [(answers, -sides) for answers, sides in pairs if bool((sides.abs() == 1).all())]
    for answers, target in pairs:
        for name in names_of(answers, target, loss):
            return Compared(answers, target, name)
    for answers, target in pairs:
        if within(target) and any(_equal(target + other, torch.ones_like(target)) for _, other in pairs):
            return Compared(answers, target)
    return None


def _shares(constant: torch.Tensor, of: torch.Tensor) -> bool:
    """Whether a constant (..., C) holds a share of each class, which are one in all."""
    if constant.shape != of.shape or not constant.is_floating_point() or not within(constant):
        return False
    return bool(((constant.sum(-1) - 1).abs() < EQUAL).all())


def _equal(a: torch.Tensor, b: torch.Tensor) -> bool:
    if a.numel() != b.numel():
        return False
    return torch.allclose(a.reshape(-1).double(), b.reshape(-1).double(), rtol=EQUAL, atol=1e-6)
