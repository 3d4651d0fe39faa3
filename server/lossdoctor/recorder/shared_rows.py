"""Tables of indexes (users and items, two nodes) that a script holds as held out: whether their rows are in another of
its tables too. What a model is shown of them may have another shape than what it is trained on. Likewise the numbers
of answers that are compared, where the model is shown everything at once (the labelled nodes of a graph).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import torch

from .pools import FRAMES
from .session import Session
from .variables import data_tensor, inside

HELD_OUT = re.compile(
    r"(?<![a-z])(held(_?out)?|val(id(ation)?)?|test|dev|eval(uation)?|check|holdout)(?![a-z])", re.IGNORECASE
)
# what is trained on, by its name: no table that both sides were cut from
TRAINED = re.compile(r"(?<![a-z])(tr|trn|train(ing)?|fit)(?![a-z])", re.IGNORECASE)
COLUMNS = (2, 4)  # numbers per row
MOST_BOTH = 10_000  # numbers on both sides that are told
ROWS, MOST = 50, 2_000_000  # rows of a table that is looked at


def look_for_shared_rows(session: Session) -> None:
    """Write a ``shared`` row per held-out table: the largest share of its rows that a table of the same kind holds,
    which does not hold all of them (that would be the table that both were cut from, unless its name says that it is
    trained on), and how many come again in that.
    """
    tables = dict(_tables(session))
    for name, table in tables.items():
        if not HELD_OUT.search(name):
            continue
        found = [
            (share, other, len(known), len(tables[other]))
            for other, known in ((o, _rows(t)) for o, t in tables.items() if o != name and _alike(t, table))
            if (share := sum(row in known for row in _rows(table)) / len(_rows(table))) < 1
            or TRAINED.search(other)
        ]
        if found:
            share, other, distinct, count = max(found)
            session.add({"k": "shared", "i": session.now + 1, "name": name[:40], "other": other[:40],
                         "rows": len(table), "share": round(share, 4),
                         "again": round(1 - distinct / count, 4)})  # fmt: skip


def look_for_shared_picks(session: Session, count: int, trained: torch.Tensor) -> None:
    """Write a ``shared`` row per held-out variable that picks some of ``count`` answers, with the share of them that
    ``trained`` picks too; none for one that picks the same.
    """
    used, seen = _picks(trained, count), set()
    for name, value in _named(session):
        held_out = HELD_OUT.search(name) and not TRAINED.search(name)
        found = data_tensor(value) if held_out and id(value) not in seen else None
        seen.add(id(value))
        picks = _picks(found, count) if found is not None else set()
        if used and len(picks) >= ROWS and picks != used:
            session.add({"k": "shared", "i": session.now + 1, "name": name[:40], "other": "what is trained on",
                         "rows": len(picks), "share": round(len(picks & used) / len(picks), 4), "again": 0.0,
                         "both": sorted(picks & used)[:MOST_BOTH]})  # fmt: skip


def _picks(values: torch.Tensor, count: int) -> set[int]:
    """The numbers that a mask or a list of different numbers below ``count`` chooses; empty for anything else."""
    if values.layout != torch.strided or values.dim() != 1 or values.is_floating_point():
        return set()
    if values.dtype == torch.bool:
        return set(values.nonzero()[:, 0].tolist()) if len(values) == count else set()
    numbers = values.tolist() if len(values) <= count else []
    distinct = set(numbers)
    return distinct if len(distinct) == len(numbers) > 0 <= min(distinct) <= max(distinct) < count else set()


def _alike(one: torch.Tensor, other: torch.Tensor) -> bool:
    return one.shape[1] == other.shape[1] and len(one) >= len(other)


def _rows(table: torch.Tensor) -> set[tuple[int, ...]]:
    return set(map(tuple, table.tolist()))


def _tables(session: Session) -> Iterator[tuple[str, torch.Tensor]]:
    """Integer tables among the variables of the calling code, by name; the same one once."""
    seen: set[int] = set()
    for name, item in _named(session):
        table = _table(item) if id(item) not in seen else None
        seen.add(id(item))
        if table is not None and _is_table(table):
            yield name, table.cpu()


def _named(session: Session) -> Iterator[tuple[str, Any]]:
    """The variables of the calling code and what they hold, by name."""
    frames = islice(session.sites.frames(), FRAMES)
    held = (found for frame in frames for found in list(frame.f_locals.items()))
    for name, value in held:
        yield name, value
        yield from ((f"{name}.{part}".rstrip("."), inner) for part, inner in inside(value))


def _table(value: Any) -> torch.Tensor | None:
    """A tensor or array; of a tuple (users, items, answers) the leading columns of indexes, side by side."""
    if type(value) not in (list, tuple):
        return data_tensor(value)
    columns: list[torch.Tensor] = []
    for part in value if COLUMNS[0] <= len(value) <= COLUMNS[1] else ():
        found = data_tensor(part)
        if found is None or found.dim() != 1 or found.is_floating_point() or found.dtype == torch.bool:
            break
        columns.append(found.long().cpu())
    alike = len(columns) >= COLUMNS[0] and len({len(t) for t in columns}) == 1
    return torch.stack(columns, 1) if alike else None


def _is_table(found: torch.Tensor) -> bool:
    plain = found.layout == torch.strided and found.dim() == 2 and not found.is_floating_point()
    whole = plain and found.dtype != torch.bool and COLUMNS[0] <= found.shape[1] <= COLUMNS[1]
    return whole and ROWS <= len(found) <= MOST
