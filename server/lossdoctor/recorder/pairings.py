"""Whether labels belong to the inputs beside them: tried against the rows around, and other usual orders of a file.

A script that shuffles or splits its data still holds them as they were read, as two variables of equal length. There a
label file that lacks a row shows: from that row on, the labels of near inputs agree once they are moved by one. Where
one side was sorted as text (``10`` before ``2``) or read from its end, they agree in that order.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import torch
import torch.nn.functional as F

from .pools import FRAMES, NEARLY
from .reduced import features, identities
from .session import Session
from .shared_rows import look_for_shared_picks
from .variables import data_tensor, inside

FEWEST = 120  # rows; a quarter of them is the shortest part that is tried
FEW = 20  # compared answers of a batch that is all there is
ROWS = 1600  # longer data are tried in three parts of a third of it
MOST = 4_000_000  # numbers in a variable that is looked through
LAGS = (1, -1, 2, -2, 3, -3)
TEXT = ("as text", "as text from 1")  # inputs sorted as text, labels by number
ORDERS = ("reversed", *TEXT, "as numbers", "as numbers from 1")
NEIGHBOURS, BESIDE = (
    5,
    3,
)  # rows as near as this in the file are no neighbours: what follows in time is alike anyway
# rows from which centres of classes are estimated, and features used for it: 0.3 s for 1,600 rows, once per run
MANY, WIDE = 200, 512
CLASSES = 20  # more different labels are measurements
CLOSE = 1e-4


class Pairing:
    """The two variables: ``x`` (N, ...) and ``y`` (N,), and which row every sample is; or, for a batch that is all of
    ``x``, which rows ``picked`` are compared.
    """

    def __init__(
        self,
        x: torch.Tensor,
        y: torch.Tensor,
        rows: dict[int, int],
        change: tuple[float, float],
        picked: torch.Tensor | None = None,
    ) -> None:
        self.x, self.y, self.rows, self.change, self.picked = x, y, rows, change, picked

    def partner(self, order: str) -> torch.Tensor:
        """The row of ``y`` that belongs to each row of ``x`` in this order; out of range where there is none."""
        count = len(self.y)
        if order.lstrip("-").isdigit():
            return torch.arange(count) + int(order)
        if order == "reversed":
            return torch.arange(count).flip(0)
        first = int(order.endswith("1"))  # the number of the first row
        text = torch.tensor(sorted(range(first, count + first), key=str)) - first
        return text if order in TEXT else text.argsort()


def look_for_pairing(
    session: Session,
    x: torch.Tensor,
    target: torch.Tensor | None,
    places: list[int] | None = None,
    held: bool = False,
) -> None:
    """Write one ``pairing`` row: how well labels are foretold by near inputs, per part of the data and order.

    ``places`` are the numbers of the batch's samples in their data set, where a loader told them. Training samples that
    augmentation has changed are no rows of a variable; held-out ones may be rows of the same. With ``held`` the row
    holds the mark by which the variable of the labels is known again.
    """
    if target is None or getattr(session.parts, "paired", False):
        return
    found = find_pairing(session, x, target)
    placed = found is None and places is not None
    if places is not None and placed:
        found = _by_place(session, target, places)
    if found is None:
        return
    session.parts.paired = True
    if found.picked is not None:
        look_for_shared_picks(session, len(found.y), found.picked)
    y = torch.nan_to_num(found.y.double())
    classes = not found.y.is_floating_point() or y.unique().numel() <= CLASSES
    parts = [
        {
            "from": start,
            "to": end,
            "scores": {k: round(v, 3) for k, v in _scores(found, y, classes, start, end)},
        }
        for start, end in _parts(len(y))
    ]
    session.add({"k": "pairing", "i": session.steps + 1, "n": len(y), "classes": classes, "parts": parts,
                 "placed": placed, "mark": mark(found.y) if held else None, "echo": _echo(found.x, y),
                 "drift": _drift(found.x)})  # fmt: skip


def mark(y: torch.Tensor) -> float:
    """A number that tells a variable's content and its order from others."""
    flat = torch.nan_to_num(y.reshape(-1).double())
    return float((flat * torch.arange(1, len(flat) + 1)).sum())


def marked(session: Session, wanted: float, count: int) -> Iterator[torch.Tensor]:
    """Variables of so many numbers with this mark, as the script holds them: what is written into one, it sees."""
    for value in _variables(session):
        if value.numel() == len(value) == count and value.is_contiguous() and mark(value) == wanted:
            yield value.reshape(-1)


def find_pairing(session: Session, x: torch.Tensor, target: torch.Tensor) -> Pairing | None:
    """The longest pair of variables that holds this batch row by row; targets may be a straight line of theirs. Where
    the model is shown everything and some answers are compared (the labelled nodes of a graph), the variable that holds
    their labels, and the one that picks them.
    """
    if not target.dim() or target.numel() != target.shape[0] or target.shape[0] > x.shape[0]:
        return None
    if target.shape[0] < x.shape[0]:
        return _picked(session, x.cpu(), target.detach().reshape(-1).cpu())
    x, wanted = x.cpu(), target.detach().reshape(-1).cpu()
    prints = identities(x)
    values = list(_variables(session))
    held = (v for v in values if v.shape[1:] == x.shape[1:] and len(v) > max(FEWEST - 1, len(x)))
    for candidate in sorted(held, key=len, reverse=True):
        rows = {h: k for k, h in enumerate(identities(candidate.to(x.dtype)))}
        at = [(k, rows[h]) for k, h in enumerate(prints) if h in rows]
        if len(rows) < NEARLY * len(candidate) or len(at) < NEARLY * len(prints):
            continue
        for other in values:
            change = _same(other, len(candidate), at, wanted)
            if change is not None:
                return Pairing(candidate, other.reshape(-1), rows, change)
    return None


def _by_place(session: Session, target: torch.Tensor, places: list[int]) -> Pairing | None:
    """Variables of a data set that changes its samples as it hands them out (augmentation): the labels are those of the
    batch at these places, the inputs the largest variable with as many rows, or nearly so (files that were never
    compared).
    """
    wanted, at = target.detach().reshape(-1).cpu(), list(enumerate(places))
    if len(wanted) != len(places) or target.dim() < 1 or target.shape[0] != len(wanted):
        return None
    values = [v for v in _variables(session) if len(v) > max(places)]
    inputs = [v for v in values if v.dim() > 1 and v.numel() > len(v)]
    for y in values:
        change = _same(y, len(y), at, wanted)
        beside = [v for v in inputs if abs(len(v) - len(y)) <= (1 - NEARLY) * len(y)]
        if change is not None and beside:
            x = max(beside, key=torch.numel)
            rows = min(len(x), len(y))
            return Pairing(x[:rows], y.reshape(-1)[:rows], {}, change)
    return None


def _picked(session: Session, x: torch.Tensor, wanted: torch.Tensor) -> Pairing | None:
    values = list(_variables(session, FEW))
    if len(x) < FEWEST or len(wanted) < FEW:
        return None
    labels = [v.reshape(-1) for v in values if len(v) == v.numel() == len(x) and v.dtype == wanted.dtype]
    for picks in values:
        if picks.dim() != 1 or not _picks(picks, len(x), len(wanted)):
            continue
        for y in labels:
            if y is not picks and torch.equal(y[picks], wanted):
                return Pairing(x, y, {}, (1.0, 0.0), picks)
    return None


def _picks(values: torch.Tensor, rows: int, count: int) -> bool:
    """Whether a variable chooses that many of the rows, by a mark for each or by their numbers."""
    if values.dtype == torch.bool:
        return len(values) == rows and int(values.sum()) == count
    whole = not values.is_floating_point() and len(values) == count
    return whole and int(values.min()) >= 0 and int(values.max()) < rows


def _same(
    y: torch.Tensor, count: int, at: list[tuple[int, int]], wanted: torch.Tensor
) -> tuple[float, float] | None:
    """(factor, offset) that makes these targets of a variable's rows; None where it holds something else."""
    if len(y) != count or y.numel() != count:
        return None
    batch = wanted[[k for k, _ in at]].double()
    own = y.reshape(-1)[[r for _, r in at]].double()
    if torch.allclose(own, batch, rtol=CLOSE, atol=CLOSE):
        return 1.0, 0.0
    spread = float(own.std()) if wanted.is_floating_point() and len(at) > 4 else 0.0
    if not spread > 0:
        return None
    factor = float(((own - own.mean()) * (batch - batch.mean())).mean() / own.var(correction=0))
    offset = float(batch.mean()) - factor * float(own.mean())
    off = (factor * own + offset - batch).abs().max()
    return (factor, offset) if float(off) < CLOSE * max(1.0, float(batch.std())) and factor else None


def _variables(session: Session, fewest: int = FEWEST) -> Iterator[torch.Tensor]:
    """Tensors and arrays among the variables of the calling code, of its modules, and in the data sets they hold."""
    frames = list(islice(session.sites.frames(), FRAMES))
    spaces = [f.f_locals for f in frames] + [f.f_globals for f in frames]
    values = [value for space in spaces for value in list(space.values())]
    last = getattr(session.parts, "data_set", None)  # behind a loader that no variable holds, say
    held = (item for value in (*values, *_layers(last)) for item in _held(value))
    for found in map(data_tensor, {id(item): item for item in held}.values()):
        if found is not None and _may_be_data(found, fewest):
            yield found.cpu()


def _may_be_data(found: torch.Tensor, fewest: int) -> bool:
    rows = len(found) if found.dim() and found.layout == torch.strided else 0
    return rows >= fewest and found.numel() <= MOST and not found.is_complex() and found.device.type != "meta"


def _held(value: Any) -> Iterator[Any]:
    """A variable itself, what it holds, and what a data set in it holds."""
    yield value
    yield from (inner for _, inner in inside(value))
    yield from _in_data_set(value)


def _in_data_set(value: Any) -> Iterator[Any]:
    """What the data set of a loader holds, and the one that a subset is of."""
    for data_set in _layers(getattr(value, "__dict__", {}).get("dataset")):
        for _, inner in inside(data_set):
            yield inner
            yield from inner if issubclass(type(inner), tuple) else ()


def _layers(data_set: Any) -> Iterator[Any]:
    """A data set, and the one that a subset is of."""
    for _ in range(3):
        if data_set is None:
            return
        yield data_set
        data_set = getattr(data_set, "__dict__", {}).get("dataset")


def _parts(count: int) -> list[tuple[int, int]]:
    """The whole, its halves and quarters; of long data those of three parts."""
    if count > ROWS:
        third = ROWS // 3
        return [(s, s + third) for s in (0, (count - third) // 2, count - third)]
    cuts = [count * k // 4 for k in range(5)]
    whole, halves = [(0, count)], [(0, cuts[2]), (cuts[2], count)]
    return whole + halves + [(cuts[k], cuts[k + 1]) for k in range(4)]


def _scores(
    pairing: Pairing, y: torch.Tensor, classes: bool, start: int, end: int
) -> Iterator[tuple[str, float]]:
    """(order, score) within a part of the data; the order "0" is the one that is used."""
    near = _nearest(features(pairing.x[start:end]))
    points = _standard(pairing.x[start:end].flatten(1)) if classes and end - start >= MANY else None
    whole = (start, end) == (0, len(y)) or len(y) > ROWS
    orders = ["0", *map(str, LAGS), *(ORDERS if whole else ())]
    for order in orders:
        partner = pairing.partner(order)[start:end]
        inside_part = (partner >= 0) & (partner < len(y))
        own = y[partner.clamp(0, len(y) - 1)]
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


def _echo(x: torch.Tensor, y: torch.Tensor) -> float:
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


def _drift(x: torch.Tensor) -> float:
    """Distance of rows that follow each other over that of any two: far below 1 for what was measured in time."""
    points = _standard(features(x))
    following = (points[1:] - points[:-1]).norm(dim=1).mean()
    half = len(points) // 2
    return round(
        float(following / (points[half : 2 * half] - points[:half]).norm(dim=1).mean().clamp_min(1e-30)), 3
    )
