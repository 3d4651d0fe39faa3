"""Whether the inputs of an evaluation have a mean of exactly zero in every feature: their own statistics were taken."""

from __future__ import annotations

from typing import Any

import torch

from .stats import wide

LARGEST = 100_000  # elements per sample


class Centring:
    """Sums the inputs of one evaluation, element by element."""

    def __init__(self) -> None:
        self._sum: torch.Tensor | None = None
        self._count = 0
        self._alone = 0.0

    def add(self, x: torch.Tensor) -> None:
        """A batch (N, ...) of held-out inputs."""
        fits = x.is_floating_point() and x.dim() >= 2 and x[0].numel() <= LARGEST
        if not fits or (self._sum is not None and self._sum.shape != x.shape[1:]):
            return
        total = x.detach().cpu().double().sum(0)
        self._sum = total if self._sum is None else self._sum + total
        if self._count == 0:
            self._alone = float(wide(x[0].detach()).mean())
        self._count += x.shape[0]

    def result(self) -> dict[str, Any] | None:
        """``n`` samples; ``off``: the largest mean of a feature, where a feature is an element, or an index of the
        first or last dimension, whichever is nearest to zero in all; ``features``: how many; ``alone``: the mean of
        the first sample by itself.
        """
        if self._sum is None or not self._count:
            return None
        means, found = self._sum / self._count, []
        for group in _groups(means):
            if group.numel() > 1:
                found.append((float(group.abs().max()), group.numel()))
        if not found:
            return None
        off, features = min(found)
        return {"n": self._count, "off": off, "features": features, "alone": self._alone}


def _groups(means: torch.Tensor) -> list[torch.Tensor]:
    if means.dim() == 1:
        return [means]
    flat = means.reshape(means.shape[0], -1)
    return [flat.mean(1), means.reshape(-1, means.shape[-1]).mean(0)]
