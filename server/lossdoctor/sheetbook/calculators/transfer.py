"""Carrying a learning rate over to another batch size or another width."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from lossdoctor.errors import BadArgument

ROLES = ("input", "hidden", "output")


@dataclass(frozen=True, slots=True)
class AdamSettings:
    """Learning rate, betas and eps of an Adam-family optimizer."""

    lr: float
    beta1: float
    beta2: float
    eps: float


def linear_transfer(lr: float, old_batch: int, new_batch: int) -> float:
    """lr * k for batch k times larger: SGD, with warm-up, below the critical batch (Goyal et al. 2017)."""
    return lr * _ratio(old_batch, new_batch)


def sqrt_transfer(lr: float, old_batch: int, new_batch: int) -> float:
    """lr * sqrt(k): start for Adam-family optimizers (Krizhevsky 2014; Malladi et al. 2022)."""
    return lr * sqrt(_ratio(old_batch, new_batch))


def adam_transfer(settings: AdamSettings, old_batch: int, new_batch: int) -> AdamSettings:
    """The square-root rule with all its parts: lr*sqrt(k), 1-beta -> k(1-beta), eps/sqrt(k).

    Malladi et al. 2022, "On the SDEs and Scaling Rules for Adaptive Gradient Algorithms",
    arXiv:2205.10287, definition 5.3. Raises BadArgument where k is so large that a beta leaves [0, 1).
    """
    k = _ratio(old_batch, new_batch)
    betas = [1 - k * (1 - beta) for beta in (settings.beta1, settings.beta2)]
    if min(betas) < 0:
        raise BadArgument(f"batch ratio {k:g} pushes a beta below 0", hint="keep the betas and sweep the lr")
    return AdamSettings(settings.lr * sqrt(k), betas[0], betas[1], settings.eps / sqrt(k))


@dataclass(frozen=True, slots=True)
class WidthScale:
    """Factors on the base model's values for one parameter role: learning rate and initial std."""

    lr: float
    init_std: float


def mup_transfer(role: str, width_ratio: float, optimizer: str = "adam") -> WidthScale:
    """Maximal-update factors when the hidden width grows by ``width_ratio``.

    Yang et al. 2022, "Tensor Programs V", arXiv:2203.03466, table 3. Roles: "input" (fan-in fixed, fan-out
    grows: embeddings, first layer, and all biases and norm gains), "hidden" (both grow), "output" (fan-in
    grows, fan-out fixed: readout). The base init is 1/sqrt(fan_in) per layer, so an init_std of
    1/sqrt(ratio) is what fan-in initialisation does by itself and only "output" departs from it.
    Attention logits are to be scaled by 1/d_head, not 1/sqrt(d_head).
    """
    if role not in ROLES or optimizer not in ("adam", "sgd") or width_ratio <= 0:
        raise BadArgument("unknown role, optimizer or width", hint="input|hidden|output, adam|sgd, ratio > 0")
    r = width_ratio
    lr = {
        "adam": {"input": 1.0, "hidden": 1 / r, "output": 1 / r},
        "sgd": {"input": r, "hidden": 1.0, "output": 1 / r},
    }[optimizer][role]
    return WidthScale(lr, {"input": 1.0, "hidden": 1 / sqrt(r), "output": 1 / r}[role])


def _ratio(old_batch: int, new_batch: int) -> float:
    if min(old_batch, new_batch) < 1:
        raise BadArgument("batch sizes must be at least 1", hint="pass effective batches")
    return new_batch / old_batch
