"""Classification losses get the negative of their scores: distances become similarities.

Reaches ``cross_entropy`` and ``binary_cross_entropy_with_logits`` of torch while gradients are on; not probabilities,
and not losses that a script writes out itself.
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
