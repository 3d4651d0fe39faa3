"""Labels that belong to the sample some places before or behind, in part of the data set. Pure functions of a trace.

Where most labels of a part are moved by one place, a model that learns from the rest answers with the neighbour's label
more often than labels of neighbours agree. A model that foretells a series from its last value does so too: only labels
that are put back, and held-out ones that are not, tell the two apart.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..model import Trace

PLACES = (-1, 1, -2, 2)
ENOUGH = 200  # answers whose neighbour's label is known
# agreement with the neighbour's label beyond that of the two labels, and in standard errors
CLEAR, SIGMAS = 0.1, 5.0
WELL = 0.8  # answers that are right: nothing is moved
# of symbols that are asked for: rows, share that stands so many places on, and at most one place on (phrases repeat)
ROWS, ALL, ALSO = 3, 0.98, 0.7


@dataclass(frozen=True)
class Shift:
    """The place whose labels the answers agree with, how often, how often the labels themselves do, and how often the
    answers are right.
    """

    by: int
    agreed: float
    usual: float
    right: float


def shifted(trace: Trace) -> Shift | None:
    """None where too little is known, or answers are right or agree with no neighbour's label."""
    labels: dict[tuple[int, int], int] = {}
    for row in (r for r in trace.of("ids") if r["grad"] and r.get("at") and r.get("y")):
        labels |= {
            (row["loader"], k): y for k, y in zip(row["at"], row["y"], strict=False) if isinstance(y, int)
        }
    half = trace.steps[-1].i / 2 if trace.steps else 0.0
    answers: dict[tuple[int, int], int] = {}
    for row in (r for r in trace.of("answered") if r["i"] > half and r.get("at")):
        answers |= {
            (row["loader"], k): p for k, p in zip(row["at"], row["p"], strict=False) if isinstance(p, int)
        }
    right = sum(labels.get(k) == p for k, p in answers.items()) / max(1, len(answers))
    found = [s for by in PLACES if (s := _agreement(labels, answers, by, right)) is not None]
    return max(found, key=lambda s: s.agreed - s.usual, default=None) if right < WELL else None


def _agreement(
    labels: dict[tuple[int, int], int], answers: dict[tuple[int, int], int], by: int, right: float
) -> Shift | None:
    pairs = [
        (p, labels[k], labels[k[0], k[1] + by])
        for k, p in answers.items()
        if k in labels and (k[0], k[1] + by) in labels
    ]
    if len(pairs) < ENOUGH:
        return None
    agreed, usual = (sum(pair[n] == pair[2] for pair in pairs) / len(pairs) for n in (0, 1))
    clear = max(CLEAR, SIGMAS * math.sqrt(0.25 / len(pairs)))
    return Shift(by, agreed, usual, right) if agreed - usual > clear else None


def places_ahead(trace: Trace) -> tuple[int, float] | None:
    """How many places on the input shows the symbols that are asked for, where that is more than the next one, and the
    share of them that stands there; None where the next one is asked for as well (several are foretold at once).
    """
    rows = [row["shares"] for row in trace.of("ahead")]
    if len(rows) < ROWS or any(share > ALSO for shares in rows for share in shares[:2]):
        return None
    share, ahead = max((min(shares[k] for shares in rows), k) for k in range(2, len(rows[0])))
    return (ahead, share) if share > ALL else None
