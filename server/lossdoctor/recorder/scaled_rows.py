"""Which rows of a variable a batch was made of, where every feature was shifted and scaled on the way, as standardising
does; samples that augmentation has shaken afterwards still lie nearest to their own row.
"""

from __future__ import annotations

import torch

from .stats import local

FEWEST = 20  # samples of a batch: two numbers are estimated per feature
MOST, FEATURES, ROWS = 64, 32, 20_000  # samples and features that are looked at, and rows of a variable
ROUNDS = 12
USUAL = 0.7  # of a batch's samples that have one value of a feature: with more, its scale is not told
EXACT = 1e-3  # of a feature's spread: float32 and whole numbers leave far less, a foreign row far more
NEARLY = 0.95  # of the samples: a few rows may be there twice


class ScaledRows:
    """A variable (N, ...) per feature on the scale of a batch (n, ...): ``nearest`` gives the rows of any samples."""

    def __init__(
        self, rows: torch.Tensor, kept: torch.Tensor, factor: torch.Tensor, offset: torch.Tensor
    ) -> None:
        self._rows, self._kept, self._factor, self._offset = rows, kept, factor, offset

    def nearest(self, x: torch.Tensor) -> list[int]:
        """(n, ...) -> the number of the row that each sample lies nearest to."""
        points = (_flat(x)[:, self._kept] - self._offset) / self._factor
        found: list[int] = torch.cdist(points, self._rows).argmin(1).tolist()
        return found


def scaled_rows(x: torch.Tensor, variable: torch.Tensor) -> ScaledRows | None:
    """The variable's rows that the samples were made of; None where they were not, to within rounding.

    Starts from both sides standardised by themselves and goes to and fro between the nearest rows and the scale that
    they imply (Besl and McKay, "A method for registration of 3-D shapes", 1992).
    """
    if (
        not len(x) >= FEWEST
        or len(variable) > ROWS
        or x[0].numel() != variable[0].numel()
        or x[0].numel() < 2
    ):
        return None
    batch, whole = _flat(x[:MOST]), _flat(variable)
    kept = _telling(batch, whole)
    if not len(kept):
        return None
    spread = whole[:, kept].std(0)
    rows = (whole[:, kept] - whole[:, kept].mean(0)) / spread
    batch = batch[:, kept]
    for start in (_as_it_is(batch, whole[:, kept], spread), (batch.std(0), batch.mean(0))):
        found = _registered(batch, rows, *start)
        if found is not None:
            return ScaledRows(rows, kept, *found)
    return None


Scale = tuple[torch.Tensor, torch.Tensor]  # factor and offset per feature


def _telling(batch: torch.Tensor, whole: torch.Tensor) -> torch.Tensor:
    """The features that are least often at one value, in the batch: those that never are say most of the scale."""
    usual = (batch == batch.mode(0).values).double().mean(0)
    varied = (whole.std(0) > 0) & (usual < USUAL)
    order = usual.argsort()
    return order[varied[order]][:FEATURES]


def _as_it_is(batch: torch.Tensor, whole: torch.Tensor, spread: torch.Tensor) -> Scale:
    """One factor and offset for all features, as dividing by 255 has: from the spread of all numbers."""
    factor = batch.std() / whole.std()
    return factor * spread, batch.mean() - factor * (whole.mean() - whole.mean(0))


def _registered(
    batch: torch.Tensor, rows: torch.Tensor, factor: torch.Tensor, offset: torch.Tensor
) -> Scale | None:
    """Scale at which the samples are rows; each round estimates it from the half that fits best."""
    for _ in range(ROUNDS):
        distances, nearest = torch.cdist((batch - offset) / factor, rows).min(1)
        best = distances.argsort()[: max(FEWEST // 2, len(batch) // 2)]
        near, own = rows[nearest[best]], batch[best]
        middle, centre = near.mean(0), own.mean(0)
        size = (near - middle).square().sum(0)
        slope = ((near - middle) * (own - centre)).sum(0) / size.clamp_min(1e-12)
        known = (size > 1e-6) & (slope.abs() > 1e-12)  # the best half may all have one value of a feature
        factor = torch.where(known, slope, factor)
        offset = torch.where(known, centre - factor * middle, offset)
        left = ((batch - offset) / factor - rows[nearest]).abs().amax(1)
        if float((left < EXACT).double().mean()) >= NEARLY:
            return factor, offset
    return None


def _flat(x: torch.Tensor) -> torch.Tensor:
    return torch.nan_to_num(local(x).reshape(x.shape[0], -1).cpu().double())
