"""A network of two layers runs beside each model that the script calls; its output is added to the model's.

It starts at zero, gets the model's input as one row per sample, and its parameters join the first group of the first
optimizer. Beside a model of mere indexes (a user and an item) stand tables of 16 columns instead, whose products are
added up (Rendle, "Factorization machines", 2010). Reaches floating-point inputs and outputs of one row per sample; not
outputs that are probabilities, nor sequences of tokens.
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

FACTORS, START = 16, 0.05  # columns of a table, and the deviation of its first values: a sum near zero
BOUNDED = ("Sigmoid", "Softmax", "Tanh", "Relu")


def apply(session: Session, width: int = 128) -> None:
    sides: dict[int, nn.Module] = {}
    waiting: list[nn.Parameter] = []

    def beside(this: nn.Module, x: torch.Tensor, out: torch.Tensor) -> torch.Tensor:
        if id(this) not in sides:
            if session.steps:
                return out
            with torch.random.fork_rng():
                sides[id(this)] = _side(x, out, width) if x.is_floating_point() else Products(this, x, out)
            waiting.extend(sides[id(this)].parameters())
        was, session.active = session.active, False  # one model is seen, not two
        try:
            with torch.autocast(x.device.type, enabled=False):
                rows = x.to(out.dtype).flatten(1) if x.is_floating_point() else x
                more: torch.Tensor = sides[id(this)](rows)
                return out + more.reshape(out.shape)
        finally:
            session.active = was

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            forward, own = this.forward, "forward" in this.__dict__

            def wider(*given: Any, **named: Any) -> Any:
                out, x = forward(*given, **named), _rows((given, named))
                return beside(this, x, out) if x is not None and _fits(x, out) else out

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


class Products(nn.Module):
    """A table per index, and the sum over all pairs of the products of what they hold."""

    def __init__(self, model: nn.Module, indexes: torch.Tensor, out: torch.Tensor) -> None:
        super().__init__()
        known = [m.num_embeddings for m in model.modules() if isinstance(m, nn.Embedding)]
        size = max([*known, int(indexes.max()) + 1])
        tables = [nn.Embedding(size, FACTORS) for _ in range(indexes.shape[1])]
        for table in tables:
            nn.init.normal_(table.weight, std=START)
        self.tables = nn.ModuleList(tables)
        self.to(device=out.device, dtype=out.dtype)

    def forward(self, indexes: torch.Tensor) -> torch.Tensor:
        held = torch.stack([table(indexes[:, k]) for k, table in enumerate(self.tables)])
        return 0.5 * (held.sum(0).square() - held.square().sum(0)).sum(-1)


def _rows(args: Any) -> torch.Tensor | None:
    """One row per sample: the indexes of a model that gets several and nothing else, else its input."""
    found = [t.detach() for _, t in tensors(args)]
    indexes = [t for t in found if t.dim() == 1 and not t.is_floating_point() and len(t) == len(found[0])]
    return torch.stack(indexes, 1).long() if 1 < len(indexes) == len(found) else model_input(args)


def _fits(x: torch.Tensor, out: Any) -> bool:
    rows = issubclass(type(out), torch.Tensor) and out.is_floating_point() and out.shape[:1] == x.shape[:1]
    name = type(out.grad_fn).__name__ if rows and out.grad_fn is not None else ""
    indexes = not x.is_floating_point() and x.dim() == 2 and x.dtype == torch.long
    usable = x.is_floating_point() or (indexes and rows and out[0].numel() == 1)
    return rows and usable and x.dim() >= 2 and not any(b in name for b in BOUNDED)


def _side(x: torch.Tensor, out: torch.Tensor, width: int) -> nn.Sequential:
    wide = x[0].numel()
    last = nn.Linear(width, out[0].numel())
    nn.init.zeros_(last.weight)
    nn.init.zeros_(last.bias)
    side = nn.Sequential(nn.Linear(wide, width), nn.ReLU(), last)
    return side.to(device=out.device, dtype=out.dtype)
