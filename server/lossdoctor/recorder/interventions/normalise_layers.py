"""The output of every linear or convolution layer but the last one is normalised per sample (mean 0, variance 1).

What layer normalisation does, without its parameters: the signal and its gradient keep their size through depth.
Reaches layers that are torch modules; not recurrent ones.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F

from ..session import Session
from ._common import between_layers


def apply(session: Session) -> None:
    between_layers(session, _normalised)


def _normalised(out: torch.Tensor) -> torch.Tensor:
    return F.layer_norm(out, out.shape[-1:] if out.dim() == 3 else out.shape[1:]) if out.dim() >= 2 else out
