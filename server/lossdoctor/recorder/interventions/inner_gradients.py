"""Blocks of a model's own code that run under ``no_grad`` run with gradients, while the model is trained.

Reaches ``torch.no_grad`` as a block or a decorator in what a module's ``forward`` calls, where gradients were on
before; ``inference_mode`` and ``detach`` stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from ..patching import wrap
from ..session import Session
from ..severed import around_block, inside_module


def apply(session: Session) -> None:
    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def enter(this: Any) -> Any:
            training = session.here() and torch.is_grad_enabled()
            entered = original(this)
            around = around_block() if training else None
            if around is not None and session.sites.is_user(around[0]) and inside_module():
                torch.set_grad_enabled(True)
            return entered

        return enter

    wrap(torch.no_grad, "__enter__", make)
