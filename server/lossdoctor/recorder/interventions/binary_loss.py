"""Several labels per sample are each decided alone: a softmax cross-entropy that gets rows of 0 and 1 becomes a binary
cross-entropy with logits, in training and evaluation alike.

Reaches torch's ``cross_entropy`` with floating-point targets in the shape of the scores. Its loss is another measure,
so nothing follows from its size; what the script says of its answers does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch.nn.functional as F

from ..patching import wrap
from ..session import Session


def apply(session: Session) -> None:
    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def loss(scores: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
            if session.here() and target.is_floating_point() and target.shape == scores.shape:
                return F.binary_cross_entropy_with_logits(scores, target.to(scores.dtype).clamp(0, 1))
            return original(scores, target, *args, **kwargs)

        return loss

    wrap(F, "cross_entropy", make)
