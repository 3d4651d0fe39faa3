"""Find sections from words, symptoms or fault ids: BM25 of SQLite's FTS5, with stemming.

FTS5 comes with the standard library, so that nothing is installed or imported until the first search.
``bm25()`` there is Okapi BM25 with k1 = 1.2, b = 0.75 (https://www.sqlite.org/fts5.html#the_bm25_function).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ..model import Frozen
from .book import list_sheets, sheet_uri
from .parse import Section, Sheet

if TYPE_CHECKING:
    import sqlite3

# A hit in a section's own fault ids or heading says more than one in running text; the order of the weights
# is the order of the columns below.
_COLUMNS = {"faults": 12.0, "title": 6.0, "summary": 4.0, "sheet_title": 2.0, "body": 1.0}
_STOP_WORDS = """
a an and are as at be but by do does for from has have how i in is it my of on or our that the this to was
what when where which why with you s not should use can after into
"""
_STOP = frozenset(_STOP_WORDS.split())


class SheetHit(Frozen):
    """One section found; ``score`` is larger for a better match and only comparable within one query."""

    sheet: str
    section: str
    title: str
    summary: str
    uri: str
    score: float


def search_sheets(query: str, limit: int = 5) -> tuple[SheetHit, ...]:
    """Best sections for the query, best first; empty when no word of it occurs anywhere."""
    words = _words(query)
    if not words or limit < 1:
        return ()
    weights = ", ".join(["0", "0", *map(str, _COLUMNS.values())])
    rows = _index().execute(
        f"SELECT sheet, section, bm25(sections, {weights}) AS rank FROM sections "
        "WHERE sections MATCH ? ORDER BY rank LIMIT ?",
        (" OR ".join(f'"{word}"' for word in words), limit),
    )
    return tuple(_hit(sheet, section, -rank) for sheet, section, rank in rows)


def sections_of_fault(fault: str) -> tuple[str, ...]:
    """Addresses ``sheet#section`` of the sections that explain a fault."""
    return tuple(
        f"{sheet.id}#{part.id}" for sheet in list_sheets() for part in sheet.sections if fault in part.faults
    )


def _words(query: str) -> list[str]:
    """Words worth matching; a fault id counts as one word more, so that it finds its own section first."""
    text = query.lower()
    faults = [_one_word(fault) for fault in re.findall(r"[a-z0-9]+(?:_[a-z0-9]+)+", text)]
    return (faults + [word for word in re.findall(r"[a-z0-9]+", text) if word not in _STOP])[:40]


def _one_word(fault: str) -> str:
    return fault.replace("_", "")


@lru_cache(maxsize=1)
def _index() -> sqlite3.Connection:
    import sqlite3

    # The index is built once and only read afterwards, so handing it to a worker thread is safe.
    index = sqlite3.connect(":memory:", check_same_thread=False)
    columns = ", ".join(["sheet UNINDEXED", "section UNINDEXED", *_COLUMNS])
    index.execute(f"CREATE VIRTUAL TABLE sections USING fts5({columns}, tokenize='porter unicode61')")
    marks = ", ".join("?" * (2 + len(_COLUMNS)))
    index.executemany(f"INSERT INTO sections VALUES ({marks})", _rows())
    return index


def _rows() -> list[tuple[str, ...]]:
    return [_row(sheet, part) for sheet in list_sheets() for part in sheet.sections]


def _row(sheet: Sheet, part: Section) -> tuple[str, ...]:
    body = part.body.partition("References:")[0]
    return (
        sheet.id,
        part.id,
        " ".join(part.faults),
        f"{part.title} {part.id}",
        part.summary,
        sheet.title,
        body,
    )


def _hit(sheet: str, section: str, score: float) -> SheetHit:
    part = next(
        part for book in list_sheets() if book.id == sheet for part in book.sections if part.id == section
    )
    return SheetHit(
        sheet=sheet,
        section=section,
        title=part.title,
        summary=part.summary,
        uri=sheet_uri(sheet, section),
        score=round(score, 3),
    )
