"""How well near inputs foretell labels, in each order in which labels may belong to their inputs."""

from __future__ import annotations

from collections.abc import Iterator

import torch
import torch.nn.functional as F

from .reduced import features

ROWS = 1600  # longer data are tried in three parts of a third of it
LAGS = (1, -1, 2, -2, 3, -3)
TEXT = ("as text", "as text from 1")  # inputs sorted as text, labels by number
ORDERS = ("reversed", *TEXT, "as numbers", "as numbers from 1")
# rows as near as BESIDE in the file are no neighbours: what follows in time is alike anyway
NEIGHBOURS, BESIDE = 5, 3
# rows from which centres of classes are estimated, and features used for it: 0.3 s for 1,600 rows, once per run
MANY, WIDE = 200, 512


def partner(order: str, count: int) -> torch.Tensor:
    """The row of the labels that belongs to each row of the inputs in this order; out of range where there is none."""
    if order.lstrip("-").isdigit():
        return torch.arange(count) + int(order)
    if order == "reversed":
        return torch.arange(count).flip(0)
    first = int(order.endswith("1"))  # the number of the first row
    text = torch.tensor(sorted(range(first, count + first), key=str)) - first
    return text if order in TEXT else text.argsort()


def parts_of(count: int) -> list[tuple[int, int]]:
    """The whole, its halves and quarters; of long data those of three parts."""
    if count > ROWS:
        third = ROWS // 3
        return [(s, s + third) for s in (0, (count - third) // 2, count - third)]
    cuts = [count * k // 4 for k in range(5)]
    whole, halves = [(0, count)], [(0, cuts[2]), (cuts[2], count)]
    return whole + halves + [(cuts[k], cuts[k + 1]) for k in range(4)]


def scores(
    x: torch.Tensor, y: torch.Tensor, classes: bool, start: int, end: int
) -> Iterator[tuple[str, float]]:
    """(order, score) within a part of the data; the order "0" is the one that is used."""
    near = _nearest(features(x[start:end]))
    points = _standard(x[start:end].flatten(1)) if classes and end - start >= MANY else None
    whole = (start, end) == (0, len(y)) or len(y) > ROWS
    orders = ["0", *map(str, LAGS), *(ORDERS if whole else ())]
    for order in orders:
        other = partner(order, len(y))[start:end]
        inside_part = (other >= 0) & (other < len(y))
        own = y[other.clamp(0, len(y) - 1)]
        score = _score(own, near, inside_part, classes)
        yield order, score if points is None else max(score, _by_centre(own, points, inside_part))


def _standard(x: torch.Tensor) -> torch.Tensor:
    """(n, F) standardised per feature; constant ones are 0. Of more than WIDE features some, evenly spaced."""
    points = torch.nan_to_num(x[:, :: -(-x.shape[1] // WIDE)].double())
    spread = points.std(0, correction=0)
    return (points - points.mean(0)) / torch.where(spread > 0, spread, torch.inf)


def _by_centre(y: torch.Tensor, points: torch.Tensor, valid: torch.Tensor) -> float:
    """As ``_score``, by the nearest centre of a class (Tibshirani et al., 2002): every other row is foretold by the
    centres of the rest. Bags of words, of which no two are near, still have centres.
    """
    names, own = y[valid].unique(return_inverse=True)
    rows, right = points[valid], 0.0
    for first in (0, 1):
        marks = F.one_hot(own[first::2], len(names)).double()
        centres = (marks.T @ rows[first::2]) / marks.sum(0).clamp_min(1.0)[:, None]
        nearest = torch.cdist(rows[1 - first :: 2], centres).argmin(1)
        right += float((nearest == own[1 - first :: 2]).double().sum())
    chance = float(own.bincount().max()) / len(own)
    return (right / len(own) - chance) / max(1e-9, 1 - chance)


def _nearest(x: torch.Tensor) -> torch.Tensor:
    """(n, NEIGHBOURS) rows nearest to each, standardised per feature, but for those beside it in the file."""
    points = _standard(x)
    distances = torch.cdist(points, points)
    at = torch.arange(len(points))
    distances[(at[:, None] - at[None]).abs() <= BESIDE] = torch.inf
    return distances.topk(NEIGHBOURS, largest=False).indices


def _score(y: torch.Tensor, near: torch.Tensor, valid: torch.Tensor, classes: bool) -> float:
    """Share of the labels' variance that neighbours explain; of classes the accuracy of their vote between that of the
    commonest class (0) and 1 (Cover and Hart, 1967).
    """
    own, votes = y[valid], y[near[valid]]
    if classes:
        chance = float((own == own.mode().values).double().mean())
        right = float((votes.mode(1).values == own).double().mean())
        return (right - chance) / max(1e-9, 1 - chance)
    return 1 - float(((own - votes.mean(1)) ** 2).mean()) / max(1e-30, float(own.var(correction=0)))


def echo(x: torch.Tensor, y: torch.Tensor) -> float:
    """Largest correlation of a feature with the labels of rows before or after it: what is foretold from its own past
    has its label of the row before among its inputs.
    """
    points, found = torch.nan_to_num(features(x).double()), 0.0
    for lag in LAGS:
        one, other = (points[lag:], y[:-lag]) if lag > 0 else (points[:lag], y[-lag:])
        one, other = one - one.mean(0), other - other.mean()
        scale = (one.norm(dim=0) * other.norm()).clamp_min(1e-30)
        found = max(found, float(((one * other[:, None]).sum(0) / scale).abs().max()))
    return round(found, 3)


def drift(x: torch.Tensor) -> float:
    """Distance of rows that follow each other over that of any two: far below 1 for what was measured in time."""
    points = _standard(features(x))
    following = (points[1:] - points[:-1]).norm(dim=1).mean()
    half = len(points) // 2
    return round(
        float(following / (points[half : 2 * half] - points[:half]).norm(dim=1).mean().clamp_min(1e-30)), 3
    )
