"""Dropout drops nothing. The random numbers are drawn all the same, so everything else stays as it was.

Reaches ``torch.nn.functional`` dropout, which all dropout modules call, attention's ``dropout_p``, and dropout
between recurrent layers; not masks that a script draws itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from ..patching import wrap
from ..session import Session

FUNCTIONS = ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout")


def apply(session: Session) -> None:
    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def dropout(
            input: torch.Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
        ) -> torch.Tensor:
            with torch.no_grad():
                original(torch.ones_like(input), p, training, False)
            return input

        return dropout

    for name in FUNCTIONS:
        if hasattr(F, name):
            wrap(F, name, make)
    wrap(F, "scaled_dot_product_attention", _attention)
    session.parts.forwards.before_forward.append(_recurrent)


def _attention(original: Callable[..., Any]) -> Callable[..., Any]:
    def attention(query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0, *args: Any,
                  **kwargs: Any) -> Any:  # fmt: skip
        return original(query, key, value, attn_mask, 0.0, *args, **kwargs)

    return attention


def _recurrent(module: nn.Module) -> None:
    for part in module.modules():
        if isinstance(part, nn.RNNBase):
            part.dropout = 0.0
