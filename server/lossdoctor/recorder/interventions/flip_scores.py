"""Classification losses get the negative of their scores: distances become similarities.

Reaches ``cross_entropy``, ``binary_cross_entropy_with_logits`` and the log-probabilities of ``nll_loss`` of torch while
gradients are on; not probabilities, and not losses that a script writes out itself.
"""

from __future__ import annotations

from functools import partial

import torch
import torch.nn.functional as F

from ..patching import wrap
from ..session import Session
from .undo_activation import changed


def apply(session: Session) -> None:
    for name in ("cross_entropy", "binary_cross_entropy_with_logits"):
        wrap(F, name, partial(changed, session, torch.neg))
    wrap(F, "nll_loss", partial(changed, session, _of_negatives))


def _of_negatives(values: torch.Tensor) -> torch.Tensor:
    """Log-probabilities are the scores but for a number per row, which the softmax takes out again."""
    return F.log_softmax(-values, 1 if values.dim() > 1 else 0)
