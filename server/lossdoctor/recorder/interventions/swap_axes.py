"""Recurrent layers of three-dimensional input read its other leading axis as time: what `batch_first` would change.

Input and output are transposed around the layer, which starts from an empty state. Reaches torch's ``RNN``, ``LSTM``
and ``GRU``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import nn

from ..patching import wrap
from ..session import Session


def apply(session: Session) -> None:
    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def forward(this: nn.Module, x: Any, hx: Any = None) -> Any:
            if not session.here() or type(x).__name__ == "PackedSequence" or x.dim() != 3:
                return original(this, x, hx)
            out, state = original(this, x.transpose(0, 1), None)
            return out.transpose(0, 1), state

        return forward

    for layer in (nn.RNN, nn.LSTM, nn.GRU):
        wrap(layer, "forward", make)
