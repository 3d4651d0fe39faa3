"""Classes that every part of the training data numbers for itself: a sign of label_encoding_wrong."""

from __future__ import annotations

from ..model import Evidence, Trace
from ..traces.numbered import MOVED, SURE, numbered_by_parts
from .base import rounded


def of_parts(trace: Trace) -> tuple[str, float, tuple[Evidence, ...]] | None:
    """Each part of the training data numbers the classes that occur in it."""
    told = numbered_by_parts(trace)
    if told is None:
        return None
    side, most = ("lower", told.below) if told.below > told.above else ("higher", told.above)
    share = f"{100 * most:.0f} % of the training labels"
    why = f"{share} are {side} than near evaluation inputs foretell, hardly any the other way."
    return why, 0.85, (
        Evidence(quantity="training labels below what near evaluation inputs foretell, beyond evaluation's own share",
                 value=rounded(told.below), threshold=MOVED),
        Evidence(quantity="the same above", value=rounded(told.above)),
        Evidence(quantity="evaluation labels that near evaluation inputs foretell", value=rounded(told.own),
                 threshold=SURE),
    )  # fmt: skip
