"""Recurrent layers start every training step from the state in which the step before left them, without its history.

Only where the script hands them no state and the batch has as many rows as before. Within a step the script's own
states are kept. Reaches torch's ``RNN``, ``LSTM`` and ``GRU`` layers; not recurrences that a script writes out itself,
nor evaluation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ..patching import wrap
from ..session import Session
from ._common import first_of_step


def apply(session: Session) -> None:
    last: dict[int, Any] = {}
    first = first_of_step(session)

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def forward(this: nn.Module, x: Any, hx: Any = None) -> Any:
            if first(this) and empty(hx):
                hx = last.get(id(this), hx)
            try:
                out, state = original(this, x, hx)
            except RuntimeError:  # a batch of another size
                out, state = original(this, x, None)
            if session.here() and torch.is_grad_enabled():
                last[id(this)] = detached(state)
            return out, state

        return forward

    for layer in (nn.RNN, nn.LSTM, nn.GRU):
        wrap(layer, "forward", make)


def empty(state: Any) -> bool:
    """Whether a state is none, or zero."""
    if type(state) is tuple:
        return all(empty(s) for s in state)
    return state is None or not bool(state.detach().any())


def detached(state: Any) -> Any:
    return tuple(detached(s) for s in state) if type(state) is tuple else state.detach()
