"""Labels that go with their inputs only once they are moved by a row or put in another usual order of a file."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ..model import Trace

NONE, SOME = 0.1, 0.25  # lift over chance as in label_misalignment
SIGMAS = 5.0  # many orders and parts are tried; the standard error of a score is 1 / sqrt(rows) and less
STILL = (
    0.8  # distance of rows that follow each other over that of any two: below, what is next is alike anyway
)
# correlation of an input with the label of another row from which the labels are later values of an input: forecasts,
# and of classes forecasts of a direction (0.80 between a normal variable and its sign)
ECHO, ECHO_OF_CLASSES = 0.99, 0.75


@dataclass(frozen=True)
class Order:
    """The order in which labels belong to their inputs, in which rows, and both scores (0 chance, 1 all foretold);
    ``placed`` where the rows are known by their places in a data set alone, ``mark`` of the labels' variable where only
    held-out rows are those of the data.
    """

    name: str
    start: int
    end: int
    count: int
    before: float
    after: float
    placed: bool = False
    mark: float | None = None


def reordered(trace: Trace) -> Order | None:
    """The order by which most is gained in any part of the data, over all parts that gain by it; None where labels go
    with the inputs beside them, or with none.
    """
    return next(filter(None, map(_reordered, trace.of("pairing"))), None)


def _reordered(row: dict[str, Any]) -> Order | None:
    if row["drift"] < STILL or row["echo"] > (ECHO_OF_CLASSES if row["classes"] else ECHO):
        return None
    gaining = [(p["scores"][name] - p["scores"]["0"], name, p) for p in row["parts"] for name in p["scores"]
               if _goes(p, name)]  # fmt: skip
    if not gaining:
        return None
    _, name, best = max(gaining, key=lambda g: g[0])
    parts = [p for _, other, p in gaining if other == name]
    return Order(
        name, min(p["from"] for p in parts), max(p["to"] for p in parts), row["n"], best["scores"]["0"],
        best["scores"][name], bool(row.get("placed")), row.get("mark"),
    )  # fmt: skip


def _goes(part: dict[str, Any], name: str) -> bool:
    """Whether labels go with their inputs in this order and not in the one that is used."""
    least = max(SOME, SIGMAS / math.sqrt(part["to"] - part["from"]))
    return bool(name != "0" and part["scores"]["0"] < NONE and part["scores"][name] >= least)
