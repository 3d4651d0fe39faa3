"""The output of every linear or convolution layer but the last one is normalised per feature over the batch.

What batch normalisation does, without its parameters and its memory, in training and evaluation alike: the signal and
its gradient keep their size through depth. Reaches layers that are torch modules; not recurrent ones, nor batches of
one sample.
"""

from __future__ import annotations

import torch

from ..session import Session
from ._common import between_layers

EPS = 1e-5  # as in torch's batch normalisation


def apply(session: Session) -> None:
    between_layers(session, _normalised)


def _normalised(out: torch.Tensor) -> torch.Tensor:
    others = [d for d in range(out.dim()) if d != (1 if out.dim() > 3 else out.dim() - 1)]
    if out.dim() < 2 or out.shape[0] < 2:
        return out
    return (out - out.mean(others, keepdim=True)) / (out.var(others, correction=0, keepdim=True) + EPS).sqrt()
