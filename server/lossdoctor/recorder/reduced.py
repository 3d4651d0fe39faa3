"""Samples as numbers that fit into a trace: a fingerprint each, at most 128 features, labels and answers."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import torch
import torch.nn.functional as F

from .inputs import CATEGORIES, FEATURES, bins
from .stats import local

COLUMNS = 4096  # numbers of a sample that its fingerprint is taken of


def is_index(target: torch.Tensor) -> bool:
    return target.dim() == 1 and not target.is_floating_point()


def simple_labels(target: torch.Tensor | None) -> list[float] | None:
    """One number per sample: class indices, or floating-point targets of one column (six digits); else None."""
    if target is None or target.dim() < 1 or target.numel() != target.shape[0]:
        return None
    flat = target.detach().reshape(-1)
    return [float(f"{v:.6g}") for v in flat.tolist()] if flat.is_floating_point() else flat.tolist()


def identities(x: torch.Tensor) -> list[int]:
    """One number per sample; differs for different contents with probability near one. Shape of x: (N, ...).

    The leading 40 bits of a double's fraction, so that the order of summation does not show; made on the CPU, so that
    no other device's rounding does.
    """
    flat = local(x).reshape(x.shape[0], -1)
    flat = flat[:, :: -(-flat.shape[1] // COLUMNS)].cpu().double()
    sums = torch.nan_to_num(flat) @ _weights(flat.shape[1])
    return ((sums.view(torch.int64) + 2048) >> 12).tolist()


@lru_cache(maxsize=8)
def _weights(count: int) -> torch.Tensor:
    positions = torch.arange(count, dtype=torch.float64)
    weights = torch.cos(positions * 12.9898) * 43758.5453
    return weights - weights.floor() + 0.5


def sample_row(
    x: torch.Tensor,
    target: torch.Tensor | None,
    scores: torch.Tensor | None,
    take: int,
    elsewhere: torch.Tensor | None = None,
) -> dict[str, Any]:
    """Features (take, <= 128), targets (``z``: in another unit than those of training) and predictions as nested lists,
    four significant digits.
    """
    row: dict[str, Any] = {
        "shape": list(x.shape[1:]),
        "x": rounded(features(x[:take])),
        "int": not x.is_floating_point(),
    }
    if row["int"] and x.dim() <= 2 and x[0].numel() <= CATEGORIES:
        row["codes"] = local(x[:take]).reshape(take, -1).long().tolist()
    if target is not None:
        row["y"] = target[:take].tolist() if is_index(target) else rounded(_reduced(target[:take]))
    if elsewhere is not None:
        row["z"] = rounded(_reduced(elsewhere[:take]))
    if scores is not None and scores.dim() >= 1 and scores.shape[0] == x.shape[0]:
        row |= predictions(scores[:take])
    return row


def _reduced(target: torch.Tensor) -> torch.Tensor:
    """(N, ...) -> (N, <= 16): masks and images pooled to at most 4 x 4, anything else its first 8 numbers."""
    if target.dim() >= 3 and target[0].numel() > 16:
        planes = local(target).float().reshape(target.shape[0], -1, *target.shape[-2:]).mean(1, keepdim=True)
        return F.adaptive_avg_pool2d(planes, 4).reshape(target.shape[0], -1)
    return _flat(target)[:, :8]


def predictions(scores: torch.Tensor) -> dict[str, Any]:
    """``p``: the best class and ``m``: its lead over the second, for scores (N, C); else ``p``: (N, <= 8) values."""
    if scores.dim() != 2 or scores.shape[1] < 2:
        return {"p": rounded(_flat(scores)[:, :8])}
    best = scores.float().topk(2, 1)
    lead = best.values[:, 0] - best.values[:, 1]
    return {"p": best.indices[:, 0].tolist(), "m": [float(f"{v:.4g}") for v in lead.tolist()]}


def features(x: torch.Tensor) -> torch.Tensor:
    """(N, ...) -> (N, <= 128): as they are, images pooled to at most 6 x 6 per channel, tokens counted in 128 bins,
    anything else strided.
    """
    x = local(x)
    if x.dim() < 2:
        return x.reshape(-1, 1).float()
    if not x.is_floating_point():
        return _counts(x.reshape(x.shape[0], -1)) if x.reshape(x.shape[0], -1).shape[1] > 1 else x.float()
    flat = x.reshape(x.shape[0], -1)
    if flat.shape[1] <= FEATURES:
        return flat.float()
    if x.dim() == 4 and x.shape[1] <= 3:
        return F.adaptive_avg_pool2d(x.float(), 6).reshape(x.shape[0], -1)
    return flat[:, :: -(-flat.shape[1] // FEATURES)].float()


def _counts(tokens: torch.Tensor) -> torch.Tensor:
    places = bins(tokens)
    return torch.zeros(tokens.shape[0], FEATURES, device=tokens.device).scatter_add_(
        1, places, torch.ones_like(places, dtype=torch.float)
    )


def _flat(tensor: torch.Tensor) -> torch.Tensor:
    return local(tensor).reshape(tensor.shape[0], -1).float()


def rounded(values: torch.Tensor) -> list[list[float]]:
    return [[float(f"{v:.4g}") for v in row] for row in values.tolist()]
