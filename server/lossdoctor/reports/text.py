"""The verdict as plain text: the same on a terminal, in a file and in a test."""

from __future__ import annotations

import textwrap

from ..model import Diagnosis
from .rows import Row, report_rows

INDENT = 2
LABEL = 10  # the widest label, 'unchecked', and a space


def verdict_text(diagnosis: Diagnosis, width: int = 100) -> str:
    """The report, wrapped at ``width`` columns, without colour, ending in a newline."""
    lines = (line for row in report_rows(diagnosis) for line in wrapped(row, width))
    return "\n".join(lines) + "\n"


def wrapped(row: Row, width: int) -> list[str]:
    """The row's lines: label in its column, text beside and below it."""
    if row.form == "flush":
        return [" " * INDENT + line for line in _fill(row.text, width - INDENT)]
    lines = [row.text] if row.form == "verbatim" else _fill(row.text, max(20, width - INDENT - LABEL))
    labels = [row.label, *[""] * (len(lines) - 1)]
    return [
        f"{' ' * INDENT}{label:<{LABEL}}{text}".rstrip() for label, text in zip(labels, lines, strict=True)
    ]


def _fill(text: str, width: int) -> list[str]:
    # Paths and addresses stay whole: a broken one cannot be copied.
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]
