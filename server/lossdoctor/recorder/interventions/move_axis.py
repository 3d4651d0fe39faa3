"""A reshape that reads one axis of each sample as if it were another one moves that axis first.

(N, heads, length, d) that is read as (N, length, heads * d) becomes (N, length, heads, d) before;
(N, length, heads * d) that is read as (N, heads, length, d) is split first; (N, classes, T) that is read as
(N * T, classes) becomes (N, T, classes) before. Reaches ``reshape`` and ``view`` of tensors
in the script and its project.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from ..layouts import RESHAPES, folds, heads_first, moved
from ..patching import wrap
from ..session import Session


def apply(session: Session) -> None:
    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def reshape(this: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
            result = original(this, *args, **kwargs)
            if not session.here() or result.dim() < 2:
                return result
            before, after = list(this.shape), list(result.shape)
            if folds(before, after) and this.requires_grad:
                return this.movedim(1, -1).contiguous().view(result.shape)
            if heads_first(before, after):
                return this.unflatten(2, (after[1], after[3])).transpose(1, 2).contiguous()
            axis = moved(before, after)
            return result if axis is None else this.movedim(axis, 1).contiguous().view(result.shape)

        return reshape

    for owner, name in RESHAPES:
        wrap(owner, name, make)
