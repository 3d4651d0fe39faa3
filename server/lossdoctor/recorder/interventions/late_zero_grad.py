"""Gradients that were computed since the last step are not cleared before the optimizer used them.

A ``zero_grad()`` between backward and step is carried out right after the step. Reaches ``zero_grad()`` of
optimizers and modules; not gradients that a script clears by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import nn
from torch.optim.optimizer import Optimizer

from ..patching import wrap
from ..session import Session


def apply(session: Session) -> None:
    waiting: list[Callable[[], Any]] = []
    computed = False

    def note() -> None:
        nonlocal computed
        computed = True

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def zero_grad(this: Any, *args: Any, **kwargs: Any) -> Any:
            if computed and session.here() and not session.stepping:
                return waiting.append(lambda: original(this, *args, **kwargs))
            return original(this, *args, **kwargs)

        return zero_grad

    def clear(optimizer: Any) -> None:
        nonlocal computed
        computed = False
        while waiting:
            waiting.pop()()

    wrap(Optimizer, "zero_grad", make)
    wrap(nn.Module, "zero_grad", make)
    session.parts.gradients.after_backward.append(note)
    session.after_step.append(clear)
