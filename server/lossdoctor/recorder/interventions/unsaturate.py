"""Sigmoid and tanh get operands that their flat ends do not swallow: at each place where more than half of the first
operand lies in them, this and all later operands are divided by one number, so that the first has a spread of 1.

Reaches the functions, methods and modules of torch by these names; not the gates inside recurrent layers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch

from ..patching import wrap
from ..session import Session
from ..sites import Site
from ..stats import sample

EDGES = {
    "sigmoid": 4.6,
    "tanh": 2.3,
}  # where the slope has fallen to about a hundredth (of 1 for tanh, of 1/4)
MOST = 0.5  # share of the operand beyond them


def apply(session: Session) -> None:
    factors: dict[tuple[Site | None, int], float] = {}
    for name, edge in EDGES.items():
        for owner in (torch, torch.Tensor):  # those of torch.nn.functional call the method
            wrap(owner, name, partial(_scaled, session, edge, factors))


def _scaled(
    session: Session, edge: float, factors: dict[tuple[Site | None, int], float], original: Callable[..., Any]
) -> Callable[..., Any]:
    def operation(x: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        if not session.here():
            return original(x, *args, **kwargs)
        key = (session.sites.caller(), x.shape[-1] if x.dim() else 0)
        if key not in factors:
            factors[key] = _factor(x, edge)
        return original(x * factors[key] if factors[key] != 1 else x, *args, **kwargs)

    return operation


def _factor(x: torch.Tensor, edge: float) -> float:
    values = sample(x).float()
    if not values.numel() or float((values.abs() > edge).float().mean()) <= MOST:
        return 1.0
    spread = float(values.square().mean().sqrt())
    return 1 / spread if 0 < spread < float("inf") else 1.0
