"""A question put to a model after the run: asked to foretell each place from those before it, does it see the place?

Of pictures of one channel and of plain rows, read line by line (van den Oord et al., "Pixel recurrent neural networks",
2016; Germain et al., "MADE", 2015): the middle place alone is changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from .stats import tensors

SAME = 0.98  # share of the targets that are the input
LEAST = 4  # places


def itself(
    call: Callable[[torch.Tensor], Any], x: torch.Tensor, target: torch.Tensor
) -> dict[str, Any] | None:
    """How much an answer changes when the middle place does: at this place, before it and after it, in standard
    deviations of the answers. None unless the targets of ``x`` (N, H, W), (N, 1, H, W) or (N, D) are ``x`` itself, and
    there is an answer for each place.
    """
    places = x[0].numel()
    shaped = x.dim() == 2 if x.is_floating_point() else x.dim() == 3
    if not (shaped or (x.dim() == 4 and x.shape[1] == 1)) or places < LEAST or not _asked_back(x, target):
        return None
    before = _by_place(call(x), x)
    if before is None:
        return None
    middle = places // 2
    other = x.reshape(len(x), places).clone()
    # every row gets a value that another place of the batch holds
    low, high = x.min(), x.max()
    other[:, middle] = torch.where(other[:, middle] > (low + high) / 2, low, high)
    after = _by_place(call(other.reshape(x.shape)), x)
    if after is None:
        return None
    moved = (after - before).abs().amax((0, 2)) / before.std().clamp_min(1e-12)
    first, own, last = moved[:middle], moved[middle], moved[middle + 1 :]
    told = {"own": own, "earlier": first.max(), "later": last.max()}
    return {"what": "itself", **{k: round(float(v), 6) for k, v in told.items()}}


def _asked_back(x: torch.Tensor, target: torch.Tensor) -> bool:
    if target.numel() % x[0].numel() or target.is_floating_point() != x.is_floating_point():
        return False
    rows = target.reshape(-1, *x.shape[1:])[: len(x)]
    return rows.shape == x.shape and float((rows == x).float().mean()) > SAME


def _by_place(answer: Any, x: torch.Tensor) -> torch.Tensor | None:
    """The first answer as (N, places, numbers per place); scores of classes stand on the second axis, or the last."""
    out = next((t.float() for _, t in tensors(answer)), None)
    grid = x.shape[2:] if x.dim() == 4 else x.shape[1:]
    if out is None or out.dim() < 2 or len(out) != len(x):
        return None
    if out.shape[1:] == grid:
        return out.reshape(len(x), -1, 1)
    if out.shape[2:] == grid:
        return out.reshape(len(x), out.shape[1], -1).transpose(1, 2)
    return out.reshape(len(x), x[0].numel(), -1) if out.shape[1:-1] == grid else None
