"""Batch normalisation layers in training or evaluation normalise each sample by itself instead of across the batch.

The layer's own scale and shift are kept; (N, C) features are normalised over C, anything larger over all but the
first dimension, as layer normalisation does. Reaches ``torch.nn.functional.batch_norm``, which all torch batch
normalisation layers call; not fused or synchronised ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch.nn.functional as F

from ..patching import wrap
from ..session import Session


def apply(session: Session) -> None:
    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def batch_norm(x: Any, *args: Any, **kwargs: Any) -> Any:
            if not session.here():
                return original(x, *args, **kwargs)
            weight = kwargs.get("weight", args[2] if len(args) > 2 else None)
            bias = kwargs.get("bias", args[3] if len(args) > 3 else None)
            out = F.layer_norm(x, x.shape[1:], eps=float(kwargs.get("eps", 1e-5)))
            shape = (1, -1, *(1 for _ in x.shape[2:]))
            out = out * weight.reshape(shape) if weight is not None else out
            return out + bias.reshape(shape) if bias is not None else out

        return batch_norm

    wrap(F, "batch_norm", make)
