"""A network of its own runs beside each model that the script calls; its output is added to the model's.

It starts at zero, and its parameters join the first group of the first optimizer. It is a hidden layer over everything
that a sample holds; for sequences of symbols, and for measurements with an answer per place, two convolutions that see
no later place (van den Oord et al., "WaveNet", 2016). Beside a model of mere indexes (a user and an item) stand tables
of 16 columns instead, whose products are added up (Rendle, "Factorization machines", 2010). Reaches outputs of one
row per sample or place (of several outputs the first); not outputs that are probabilities, nor several sequences.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ..inputs import model_input
from ..session import Session
from ..stats import tensors
from ._common import around_calls
from ._sides import Plain, Products, Sequence, Side, per_place

PAIR = 2  # columns of symbols that are indexes even where one table serves both
BOUNDED = ("Sigmoid", "Softmax", "Tanh", "Relu")


def apply(session: Session, width: int = 128) -> None:
    sides: dict[int, Side] = {}
    waiting: list[nn.Parameter] = []

    def beside(this: nn.Module, x: torch.Tensor, out: torch.Tensor) -> torch.Tensor:
        if id(this) not in sides:
            if session.steps:
                return out
            with torch.random.fork_rng():
                sides[id(this)] = _side(this, x, out, width)
            waiting.extend(sides[id(this)].parameters())
        side = sides[id(this)]
        if not side.reads(x):
            return out
        was, session.active = session.active, False  # one model is seen, not two
        try:
            with torch.autocast(x.device.type, enabled=False):
                more: torch.Tensor = side(x.to(out.dtype) if x.is_floating_point() else x, out)
                return out + more
        finally:
            session.active = was

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            forward, own = this.forward, "forward" in this.__dict__

            def wider(*given: Any, **named: Any) -> Any:
                out, x = forward(*given, **named), _rows((given, named))
                several = type(out) is tuple
                first = out[0] if several and out else out
                if x is None or not _fits(x, first):
                    return out
                more = beside(this, x, first)
                return (more, *out[1:]) if several else more

            this.__dict__["forward"] = wider  # for this call: what is seen of the model is the sum
            try:
                return original(this, *args, **kwargs)
            finally:
                if own:
                    this.__dict__["forward"] = forward
                else:
                    del this.__dict__["forward"]

        return call

    def add(optimizer: Any) -> None:
        optimizer.param_groups[0]["params"].extend(waiting)
        waiting.clear()

    around_calls(session, make)
    session.before_step.insert(0, add)


def _rows(args: Any) -> torch.Tensor | None:
    """One row per sample: the indexes of a model that gets several and nothing else, else its input."""
    found = [t.detach() for _, t in tensors(args)]
    indexes = [t for t in found if t.dim() == 1 and not t.is_floating_point() and len(t) == len(found[0])]
    return torch.stack(indexes, 1).long() if 1 < len(indexes) == len(found) else model_input(args)


def _fits(x: torch.Tensor, out: Any) -> bool:
    if (
        not issubclass(type(out), torch.Tensor)
        or not out.is_floating_point()
        or out.dim() == 0
        or x.dim() < 2
    ):
        return False
    if not x.is_floating_point() and (x.dim() != 2 or x.dtype not in (torch.long, torch.int32)):
        return False
    bounded = any(b in type(out.grad_fn).__name__ for b in BOUNDED) if out.grad_fn is not None else False
    rows = out.shape[0] == x.shape[0] or (_a_sequence(x) and out.shape[0] == x.shape[1])
    return not bounded and (rows or bool(_a_sequence(x) and per_place(x, out)))


def _a_sequence(x: torch.Tensor) -> bool:
    return x.dim() == (3 if x.is_floating_point() else 2)


def _side(model: nn.Module, x: torch.Tensor, out: torch.Tensor, width: int) -> Side:
    tables = sum(isinstance(m, nn.Embedding) for m in model.modules())
    if not x.is_floating_point() and x.shape[1] <= max(PAIR, tables) and out[0].numel() == 1:
        return Products(model, x, out)
    if not x.is_floating_point() or (_a_sequence(x) and per_place(x, out)):
        return Sequence(model, x, out, width)
    return Plain(x, out, width)
