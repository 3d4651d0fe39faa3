"""A network of two layers runs beside each model that the script calls; its output is added to the model's.

It starts at zero, gets the model's input as one row per sample, and its parameters join the first group of the first
optimizer. Reaches floating-point inputs and outputs of one row per sample; not outputs that are probabilities, nor
sequences of tokens.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ..inputs import model_input
from ..session import Session
from ._common import around_calls

BOUNDED = ("Sigmoid", "Softmax", "Tanh", "Relu")


def apply(session: Session, width: int = 128) -> None:
    sides: dict[int, nn.Sequential] = {}
    waiting: list[nn.Parameter] = []

    def beside(this: nn.Module, x: torch.Tensor, out: torch.Tensor) -> torch.Tensor:
        if id(this) not in sides:
            if session.steps:
                return out
            with torch.random.fork_rng():
                sides[id(this)] = _side(x, out, width)
            waiting.extend(sides[id(this)].parameters())
        was, session.active = session.active, False  # one model is seen, not two
        try:
            with torch.autocast(x.device.type, enabled=False):
                more: torch.Tensor = sides[id(this)](x.to(out.dtype).flatten(1))
                return out + more.reshape(out.shape)
        finally:
            session.active = was

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            forward, own = this.forward, "forward" in this.__dict__

            def wider(*given: Any, **named: Any) -> Any:
                out, x = forward(*given, **named), model_input((given, named))
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


def _fits(x: torch.Tensor, out: Any) -> bool:
    rows = issubclass(type(out), torch.Tensor) and out.is_floating_point() and out.shape[:1] == x.shape[:1]
    name = type(out.grad_fn).__name__ if rows and out.grad_fn is not None else ""
    return rows and x.is_floating_point() and x.dim() >= 2 and not any(b in name for b in BOUNDED)


def _side(x: torch.Tensor, out: torch.Tensor, width: int) -> nn.Sequential:
    wide = x[0].numel()
    last = nn.Linear(width, out[0].numel())
    nn.init.zeros_(last.weight)
    nn.init.zeros_(last.bias)
    side = nn.Sequential(nn.Linear(wide, width), nn.ReLU(), last)
    return side.to(device=out.device, dtype=out.dtype)
