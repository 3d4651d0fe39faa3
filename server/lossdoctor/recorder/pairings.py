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

from .pairing_scores import drift, echo, parts_of, scores
from .pools import FRAMES, NEARLY
from .reduced import identities
from .scaled_rows import ScaledRows, scaled_rows
from .session import Session
from .shared_rows import look_for_shared_picks
from .variables import data_tensor, inside

FEWEST = 120  # rows; a quarter of them is the shortest part that is tried
FEW = 20  # compared answers of a batch that is all there is
MOST = 4_000_000  # numbers in a variable that is looked through
CLASSES = 20  # more different labels are measurements
CLOSE = 1e-4
TRIED = 6  # variables whose scale is looked for; one of 20,000 rows takes half a second


class Pairing:
    """The two variables: ``x`` (N, ...) and ``y`` (N,), and which row every sample is; or, for a batch that is all of
    ``x``, which rows ``picked`` are compared; or, for samples whose features were ``scaled``, how to find their rows.
    """

    def __init__(
        self,
        x: torch.Tensor,
        y: torch.Tensor,
        rows: dict[int, int],
        change: tuple[float, float],
        picked: torch.Tensor | None = None,
        scaled: ScaledRows | None = None,
    ) -> None:
        self.x, self.y, self.rows, self.change = x, y, rows, change
        self.picked, self.scaled = picked, scaled

    def places(self, x: torch.Tensor, target: torch.Tensor) -> list[int]:
        """The row of every sample, -1 where it is not known; one that is merely nearest must have its label."""
        if self.scaled is None:
            return [self.rows.get(h, -1) for h in identities(x)]
        nearest = self.scaled.nearest(x)
        (factor, offset), own = self.change, target.detach().reshape(-1).cpu().double()
        expected = factor * self.y.double()[nearest] + offset
        right = torch.isclose(expected, own, rtol=CLOSE, atol=CLOSE).tolist()
        return [row if same else -1 for row, same in zip(nearest, right, strict=True)]


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
    # the rows of a data set that was split are in another order than they were read in: others may be found yet
    session.parts.paired = not placed
    if found.picked is not None:
        look_for_shared_picks(session, len(found.y), found.picked)
    y = torch.nan_to_num(found.y.double())
    classes = not found.y.is_floating_point() or y.unique().numel() <= CLASSES
    parts = [
        {
            "from": start,
            "to": end,
            "scores": {k: round(v, 3) for k, v in scores(found.x, y, classes, start, end)},
        }
        for start, end in parts_of(len(y))
    ]
    session.add({"k": "pairing", "i": session.now + 1, "n": len(y), "classes": classes, "parts": parts,
                 "placed": placed, "mark": mark(found.y) if held and found.scaled is None else None,
                 "echo": echo(found.x, y), "drift": drift(found.x)})  # fmt: skip


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
    values = list(_variables(session))
    exact = _of_rows(values, x, wanted)
    # what was split off still lies in longer variables, in the order in which it was read
    longer = [v for v in values if len(v) > (len(x) if exact is None else len(exact.y))]
    return _of_scaled(longer, x, wanted) or exact


def _of_rows(values: list[torch.Tensor], x: torch.Tensor, wanted: torch.Tensor) -> Pairing | None:
    """The longest variable that holds the samples as they are, and the one that holds their targets."""
    prints = identities(x)
    held = (v for v in values if v.shape[1:] == x.shape[1:] and len(v) > max(FEWEST - 1, len(x)))
    for candidate in sorted(held, key=len, reverse=True):
        rows = {h: k for k, h in enumerate(identities(candidate.to(x.dtype)))}
        at = [(k, rows[h]) for k, h in enumerate(prints) if h in rows]
        if len(rows) < NEARLY * len(candidate) or len(at) < NEARLY * len(prints):
            continue
        labels = _labels_of(values, len(candidate), at, wanted)
        if labels is not None:
            return Pairing(candidate, labels[0], rows, labels[1])
    return None


def _labels_of(
    values: list[torch.Tensor], count: int, at: list[tuple[int, int]], wanted: torch.Tensor
) -> tuple[torch.Tensor, tuple[float, float]] | None:
    """The variable of so many numbers that holds a batch's targets at these rows, and the line that they are of it."""
    tried = ((v, _same(v, count, at, wanted)) for v in values)
    return next(((v.reshape(-1), change) for v, change in tried if change is not None), None)


def _of_scaled(values: list[torch.Tensor], x: torch.Tensor, wanted: torch.Tensor) -> Pairing | None:
    """The same for samples whose features were shifted and scaled: the variables hold them as they were read."""
    for candidate in sorted((v for v in values if v.dim() > 1), key=len, reverse=True)[:TRIED]:
        scaled = scaled_rows(x, candidate)
        if scaled is None:
            continue
        labels = _labels_of(values, len(candidate), list(enumerate(scaled.nearest(x))), wanted)
        if labels is not None:
            return Pairing(candidate, labels[0], {}, labels[1], scaled=scaled)
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
