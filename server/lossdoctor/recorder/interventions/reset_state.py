"""Recurrent layers start every training step from an empty state, whatever state the script hands them.

Within a step the script's own states are kept, so loops over moments still work. Reaches torch's ``RNN``, ``LSTM`` and
``GRU`` layers and cells; not recurrences that a script writes out itself, nor evaluation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ..patching import wrap
from ..session import Session
from ._common import first_of_step

LAYERS = (nn.RNN, nn.LSTM, nn.GRU, nn.RNNCell, nn.LSTMCell, nn.GRUCell)


def apply(session: Session) -> None:
    first = first_of_step(session)

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def forward(this: nn.Module, x: Any, hx: Any = None) -> Any:
            if first(this):
                hx = None if hx is None else emptied(hx)
            return original(this, x, hx)

        return forward

    for layer in LAYERS:
        wrap(layer, "forward", make)


def emptied(state: Any) -> Any:
    """Zeros of the same shapes."""
    return tuple(emptied(s) for s in state) if type(state) is tuple else torch.zeros_like(state)
