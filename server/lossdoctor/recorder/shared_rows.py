"""Tables of indexes (users and items, two nodes) that a script holds as held out: whether their rows are in another of
its tables too. What a model is shown of them may have another shape than what it is trained on.
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
            session.add({"k": "shared", "i": session.steps + 1, "name": name[:40], "other": other[:40],
                         "rows": len(table), "share": round(share, 4),
                         "again": round(1 - distinct / count, 4)})  # fmt: skip


def _alike(one: torch.Tensor, other: torch.Tensor) -> bool:
    return one.shape[1] == other.shape[1] and len(one) >= len(other)


def _rows(table: torch.Tensor) -> set[tuple[int, ...]]:
    return set(map(tuple, table.tolist()))


def _tables(session: Session) -> Iterator[tuple[str, torch.Tensor]]:
    """Integer tables among the variables of the calling code, by name; the same one once."""
    frames = islice(session.sites.frames(), FRAMES)
    held = (found for frame in frames for found in list(frame.f_locals.items()))
    seen: set[int] = set()
    for name, item in ((f"{n}.{part}", i) for n, value in held for part, i in [("", value), *inside(value)]):
        table = _table(item) if id(item) not in seen else None
        seen.add(id(item))
        if table is not None and _is_table(table):
            yield name.rstrip("."), table.cpu()


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
