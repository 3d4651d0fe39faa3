"""A ``factor`` times larger batch: the mean gradient of ``factor`` calls of ``optimizer.step()`` makes one step.

The calls between do nothing; each call's gradients are kept aside, so any way of clearing them works. A learning
rate schedule still moves at every call. Reaches torch optimizers without a closure; batch norm sees the small
batches; a script that never clears its gradients has them counted repeatedly.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any

import torch
from torch.optim.optimizer import Optimizer

from ..patching import wrap
from ..session import Session


def apply(session: Session, factor: int) -> None:
    def make(original: Callable[..., None]) -> Callable[..., None]:
        def __init__(this: Optimizer, *args: Any, **kwargs: Any) -> None:
            original(this, *args, **kwargs)
            if session.here():
                _gather(this, int(factor))

        return __init__

    wrap(Optimizer, "__init__", make)


def _gather(optimizer: Optimizer, factor: int) -> None:
    """Give this optimizer a ``step`` that acts at every ``factor``-th call."""
    step, sums = optimizer.step, dict[torch.Tensor, torch.Tensor]()
    calls = 0

    def gathering(self: Optimizer, closure: Any = None, *args: Any, **kwargs: Any) -> Any:
        nonlocal calls
        if closure is not None:
            return step(closure, *args, **kwargs)
        calls += 1
        parameters = [p for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        with torch.no_grad():
            for p in parameters:
                sums[p] = sums[p] + p.grad if p in sums else p.grad.clone()
            if calls % factor:
                return None
            for p, total in sums.items():
                p.grad = total / factor
        sums.clear()
        return step(*args, **kwargs)

    optimizer.__dict__["step"] = MethodType(gathering, optimizer)
