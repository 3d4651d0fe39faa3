"""Which calls of an evaluation are on training samples, where one loop after the other scores both sides."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

Row = dict[str, Any]

BLOCK = 8  # calls of each side in a row: fewer stand so by accident
COVERED = 0.5  # of what training has shown, in one such pass; copies that leaked are a part of it


def scored_beside(rows: Sequence[Row], trained: set[float]) -> set[int]:
    """Places in ``rows`` (``ids`` of calls without a loader, in order) of calls on training samples that were scored
    on purpose: at some step all calls of one side stand in a row before all of the other, and hold most of what
    training has shown. Copies of training samples among held-out ones stand anywhere, and are fewer.
    """
    steps: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        if row["loader"] is None and row["h"]:
            steps.setdefault(row["i"], []).append(place)
    blocks = [b for b in (_block(places, rows, trained) for places in steps.values()) if b]
    if not any(_covers(block, rows, trained) for block in blocks):
        return set()
    return {place for block in blocks for place in block}


def _block(places: list[int], rows: Sequence[Row], trained: set[float]) -> list[int]:
    """The calls whose samples are all known, where they and the others, of which none is, stand apart; else none."""
    known = [sum(h in trained for h in rows[p]["h"]) for p in places]
    whole = [k == len(rows[p]["h"]) for k, p in zip(known, places, strict=True)]
    if any(k and not w for k, w in zip(known, whole, strict=True)):
        return []
    switches = sum(a != b for a, b in pairwise(whole))
    if switches != 1 or min(sum(whole), len(whole) - sum(whole)) < BLOCK:
        return []
    return [p for p, w in zip(places, whole, strict=True) if w]


def _covers(block: list[int], rows: Sequence[Row], trained: set[float]) -> bool:
    return len({h for p in block for h in rows[p]["h"]} & trained) >= COVERED * len(trained)
