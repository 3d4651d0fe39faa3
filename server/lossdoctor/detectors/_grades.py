"""Grades numbered in the order of their text: what is said of them."""

from __future__ import annotations

from ..model import Evidence, Trace
from ..traces.grades import CLEAR, text_order
from .base import rounded


def of_text_order(trace: Trace) -> tuple[str, float, tuple[Evidence, ...]] | None:
    """The sign of ``label_encoding_wrong``; None where the numbers are in their own order."""
    seen = text_order(trace)
    if seen is None:
        return None
    why = f"{seen.grades} grades are numbered in the order of their text (1, 10, 11, 2): neighbours in value lie apart."
    return why, 0.85, (
        Evidence(quantity="variance of the targets that near inputs explain, as numbered", value=rounded(seen.before)),
        Evidence(quantity="the same with the numbers that are meant", value=rounded(seen.after), threshold=CLEAR),
    )  # fmt: skip
