"""Training passes run in training mode: dropout drops, batch norm uses the batch. The script's own mode is put back
after each call.

Reaches every module that the script calls while gradients are on, and all that is registered inside, also layers
that a script keeps in evaluation mode on purpose.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ..session import Session
from ._common import around_calls


def apply(session: Session) -> None:
    in_mode(session, grad=True, training=True)


def in_mode(session: Session, grad: bool, training: bool) -> None:
    """Run calls with gradients on (or off) in one mode."""

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: nn.Module, *args: Any, **kwargs: Any) -> Any:
            wrong = (
                [m for m in this.modules() if m.training != training]
                if torch.is_grad_enabled() == grad
                else []
            )
            for module in wrong:
                module.training = training
            try:
                return original(this, *args, **kwargs)
            finally:
                for module in wrong:
                    module.training = not training

        return call

    around_calls(session, make)
