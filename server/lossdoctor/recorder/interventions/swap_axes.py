"""Recurrent and attention layers of three-dimensional input read its other leading axis as time: what `batch_first`
would change.

Input and output are transposed around the layer; a recurrent one starts from an empty state. Reaches torch's ``RNN``,
``LSTM`` and ``GRU``, and ``MultiheadAttention`` (in torch's transformer layers, too) where it is given no mask.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import nn

from ..patching import wrap
from ..session import Session

MASKS = ("key_padding_mask", "attn_mask")


def apply(session: Session) -> None:
    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def forward(this: nn.Module, x: Any, hx: Any = None) -> Any:
            if not session.here() or type(x).__name__ == "PackedSequence" or x.dim() != 3:
                return original(this, x, hx)
            out, state = original(this, x.transpose(0, 1), None)
            return out.transpose(0, 1), state

        return forward

    def make_attention(original: Callable[..., Any]) -> Callable[..., Any]:
        def forward(this: nn.Module, query: Any, key: Any, value: Any, *args: Any, **kwargs: Any) -> Any:
            masked = args or any(kwargs.get(name) is not None for name in MASKS)
            if not session.here() or query.dim() != 3 or masked:
                return original(this, query, key, value, *args, **kwargs)
            swapped = (t.transpose(0, 1) for t in (query, key, value))
            out, weights = original(this, *swapped, **kwargs)
            return out.transpose(0, 1), weights

        return forward

    for layer in (nn.RNN, nn.LSTM, nn.GRU):
        wrap(layer, "forward", make)
    wrap(nn.MultiheadAttention, "forward", make_attention)
