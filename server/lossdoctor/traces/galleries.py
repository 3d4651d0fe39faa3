"""Calls without gradient on the training set itself, beside others on held-out samples. Pure functions of a trace."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from statistics import fmean
from typing import Any

from ..model import Trace

Row = dict[str, Any]
GROWING = 4  # evaluations in which more and more samples are known


def without_galleries(trace: Trace, rows: list[Row]) -> list[Row]:
    """Without calls on as many samples as a loop without a loader draws from, in evaluations that have other calls too:
    the training set that held-out samples are compared with (nearest neighbours, prototypes).
    """
    whole = {r["n"] for r in trace.of("pool")} | _met_by_and_by(rows)
    others = {r["i"] for r in rows if len(r["h"]) not in whole}
    parts = _parts_met_by_and_by(rows)
    kept = (r for r in rows if id(r) not in parts)
    return [r for r in kept if r["loader"] is not None or len(r["h"]) not in whole or r["i"] not in others]


def _met_by_and_by(rows: list[Row]) -> set[int]:
    """Sizes of calls whose samples training comes upon little by little, as its augmentation leaves one unchanged now
    and then, beside calls on samples that it never comes upon.
    """
    known: dict[int, list[float]] = {}
    for row in rows:
        if row["loader"] is None:
            known.setdefault(len(row["h"]), []).append(row.get("known", 0.0))
    if not any(max(shares) == 0 for shares in known.values()):
        return set()
    first = {n: shares[:GROWING] for n, shares in known.items() if len(shares) >= GROWING}
    return {n for n, shares in first.items() if all(b > a for a, b in pairwise(shares))}


def _parts_met_by_and_by(rows: list[Row]) -> set[int]:
    """The same for sets that are evaluated in several calls of one size: the calls at those places of an evaluation
    whose samples training comes upon little by little, beside places whose samples it never comes upon; by their ids.
    """
    steps: dict[int, list[Row]] = {}
    for row in rows:
        if row["loader"] is None:
            steps.setdefault(row["i"], []).append(row)
    usual = Counter(map(len, steps.values())).most_common(1)
    whole = [calls for calls in steps.values() if usual and len(calls) == usual[0][0]]
    places = list(zip(*whole, strict=True))
    met = [place for place in places if any(r.get("known", 0.0) > 0 for r in place)]
    shares = [fmean(r.get("known", 0.0) for r in calls) for calls in zip(*met, strict=True)][:GROWING]
    by_and_by = len(shares) == GROWING and all(b > a for a, b in pairwise(shares))
    return {id(r) for place in met for r in place} if by_and_by and len(met) < len(places) else set()
