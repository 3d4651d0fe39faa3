"""Give every linear and convolution layer fresh weights (``kaiming`` or ``xavier``) and zero biases, before the first
training pass of each model; norm layers get weight one; tables of zeros, and of columns that are copies of each
other, small values. ``one of two``: of matrices of zeros, each second one in the order of the model's parameters stays
as it is, the others get fresh values, and nothing else changes: their product is still zero (Hu et al., 2022). Where no
module holds such matrices, those of the first optimizer, before its first step.

Drawn from a separate random stream, so that data order and dropout stay as they were. Reaches registered modules
of the model that is called, and weights loaded later not at all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import torch
from torch import nn

from ..copies import HALF, different
from ..session import Session

SMALL = 0.1
LAYERS = (
    nn.Linear,
    nn.Conv1d,
    nn.Conv2d,
    nn.Conv3d,
    nn.ConvTranspose1d,
    nn.ConvTranspose2d,
    nn.ConvTranspose3d,
)


def apply(session: Session, scheme: str = "kaiming") -> None:
    done: set[int] = set()
    changed: list[torch.Tensor] = []

    def held(optimizer: Any) -> None:
        if not changed and session.steps == 0:
            with torch.random.fork_rng(devices=[]), torch.no_grad():
                torch.manual_seed(int(session.config.get("seed", 0)) + 1)
                changed.extend(_one_of_two(p for group in optimizer.param_groups for p in group["params"]))

    def once(module: nn.Module) -> None:
        if id(module) in done or session.steps > 0:
            return
        done.add(id(module))
        with torch.random.fork_rng(devices=[]), torch.no_grad():
            torch.manual_seed(int(session.config.get("seed", 0)) + 1)
            if scheme == "one of two":
                changed.extend(_one_of_two(module.parameters()))
                return
            for part in module.modules():
                fresh(part, scheme)

    session.parts.forwards.before_forward.append(once)
    if scheme == "one of two":
        session.before_step.insert(0, held)


def _one_of_two(parameters: Iterable[torch.Tensor]) -> list[torch.Tensor]:
    """Each second matrix of zeros, with values in it."""
    zeros = [p for p in parameters if p.requires_grad and p.dim() > 1 and not p.any()]
    for matrix in zeros[::2]:
        nn.init.kaiming_uniform_(matrix, a=math.sqrt(5))
    return zeros[::2]


def fresh(module: nn.Module, scheme: str) -> None:
    """Re-initialise one module in place: He et al. (2015) or Glorot and Bengio (2010)."""
    if isinstance(module, LAYERS):
        if scheme == "xavier":
            nn.init.xavier_uniform_(module.weight)
        else:
            nn.init.kaiming_uniform_(module.weight, nonlinearity="relu")
        if module.bias is not None:
            nn.init.zeros_(module.bias)
    elif isinstance(module, nn.Embedding):
        _, distinct = different(module.weight, "columns")
        if not module.weight.any() or 1 <= distinct <= HALF * module.embedding_dim:
            nn.init.normal_(module.weight, std=SMALL)
    elif (
        isinstance(module, (nn.LayerNorm, nn.BatchNorm1d, nn.BatchNorm2d, nn.GroupNorm))
        and module.weight is not None
    ):
        nn.init.ones_(module.weight)
        nn.init.zeros_(module.bias)
