"""What counts as proof that one term of a loss drowned another. Pure functions of two traces, as in ``criteria``."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import Any

from ..detectors.base import number
from ..model import Trace
from .criteria import GAIN, HELD_BACK, Proof, Runs

TERM_GAIN, LAST_TERMS = 0.2, 3  # of one term, and how many of its sampled values are taken together


def terms_lower(runs: Runs) -> Proof:
    """One of the loss functions that the script calls ends clearly lower; what was left out beside them lowers the
    total by itself and proves nothing.
    """
    if not runs.long_enough:
        return None, ""
    was, now = _terms(runs.before, runs.last), _terms(runs.after, runs.then)
    for name in sorted(was.keys() & now.keys()):
        if now[name] < (1 - TERM_GAIN) * was[name]:
            return True, f"{name} term {number(was[name])} -> {number(now[name])}"
    both = sorted(was.keys() & now.keys())
    told = ", ".join(f"{name} term {number(was[name])} -> {number(now[name])}" for name in both)
    return (False, told) if told else (None, "")


def _terms(trace: Trace, last: int) -> dict[str, float]:
    """Name of a loss function -> median of its last recorded values up to a step."""
    found: dict[str, list[float]] = {}
    for row in trace.of("loss"):
        if row.get("value") is not None and row["i"] <= last:
            found.setdefault(row["fn"], []).append(float(row["value"]))
    return {name: median(values[-LAST_TERMS:]) for name, values in found.items()}


def term_learned(runs: Runs) -> Proof:
    """The boosted term ends at less than half of what it was, and the other terms of the sum still fall to a tenth. A
    term that made up most of the loss at the end must bring down that loss itself, as the script weighs it, by half:
    more weight lowers any term, but only where the descent had neglected it does it lower the sum.
    """
    boosted = int(runs.change.get("term", 0))
    was, now = _summed(runs.before, runs.last, boosted), _summed(runs.after, runs.then, boosted)
    if was is None or now is None:
        return None, ""
    others = f"the others {number(was.others)} -> {number(now.others)}"
    proof = f"term {boosted + 1} of the loss {number(was.term)} -> {number(now.term)}, {others}"
    if was.weight * was.term > was.others:
        return now.term < HELD_BACK * was.term and now.total < HELD_BACK * was.total, proof
    return now.term < HELD_BACK * was.term and now.others < GAIN * now.first, proof


@dataclass(frozen=True)
class Summed:
    """Last value of one term of a sum, without its weight; first and last weighted sum of the others; the weight."""

    term: float
    first: float
    others: float
    weight: float

    @property
    def total(self) -> float:
        return self.weight * self.term + self.others


def _summed(trace: Trace, last: int, chosen: int) -> Summed | None:
    rows = [r for r in trace.of("terms") if r["i"] <= last and None not in r["v"] and len(r["v"]) > chosen]
    if len(rows) < 2 * LAST_TERMS:
        return None
    late = rows[-LAST_TERMS:]
    first, left = _others(rows[0], chosen), median(_others(r, chosen) for r in late)
    return Summed(median(r["v"][chosen] for r in late), first, left, float(rows[0]["w"][chosen]))


def _others(row: dict[str, Any], chosen: int) -> float:
    pairs = enumerate(zip(row["w"], row["v"], strict=True))
    return sum(float(w * v) for k, (w, v) in pairs if k != chosen)
