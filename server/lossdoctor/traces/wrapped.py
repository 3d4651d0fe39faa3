"""Labels that went through an eight-bit integer, where what is larger starts again from the other end.

Whatever was made of amounts afterwards (a scale, a shift, a logarithm, a root), they are at most 256 different
ones, reach both ends of the range, and lie dense at its upper end, where amounts and counts of their own thin out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from ..model import Trace
from .data import KNOWN, single

RANGE = 255  # from the smallest to the largest of eight bits
LEAST, DIFFERENT = 200, 100  # labels, and different ones among them, that show what they are made of
LOWEST = 4  # the smallest label may be this much above the end of the range
# distance from a whole number, and share of the labels that are no farther from one
WHOLE, NEARLY = 0.1, 0.98
# share of the eight bits that labels take, labels per number that must have been seen, and share of the input's symbols
COVERED, EACH, BEYOND = 0.9, 5, 0.1
ROUNDING = 1e-4  # of the range of the labels; the last step of log(1 + number) is 7e-4 of it
END = 16  # numbers at the end of the range
# of what the end would hold if all numbers came equally often; amounts that end by themselves have next to nothing
DENSE = 0.25
# share of held-out labels beyond all of training that no chance explains where those of training still come several
# times per number at their end
HELD_BEYOND, SEVERAL = 0.01, 2
SHAPES: dict[str, tuple[Callable[[float], float], Callable[[float], float]]] = {
    "the numbers themselves": (lambda k: k, lambda v: v),
    "log(1 + number)": (math.log1p, math.expm1),
    "square root of the number": (math.sqrt, lambda v: v * abs(v)),
}


@dataclass(frozen=True)
class Wrapped:
    """What training labels are of the whole numbers from ``low`` to 255, how many different ones there are, the share
    of all that lies at the upper end, and the share of held-out labels that lie beyond it.
    """

    shape: str
    low: int
    different: int
    at_end: float
    beyond: float


@dataclass(frozen=True)
class Cut:
    """How many different labels there are, all below 256, and the share of the input's symbols that are beyond."""

    different: int
    beyond: float


def symbols_cut(trace: Trace) -> Cut | None:
    """Classes that are symbols of the input too, of which none is beyond eight bits although many of the input are; the
    commonest symbol of the input, which may fill it up, is left out. None where that is not so.
    """
    rows = [r for r in trace.of("sample") if r["grad"] and "codes" in r]
    shown = Counter(v for r in rows for x in r["codes"] for v in x)
    labels = Counter(y for r in trace.of("ids") if r["grad"] for y in r.get("y") or () if isinstance(y, int))
    if (
        not shown
        or not labels
        or min(labels) < 0
        or max(labels) > RANGE
        or len(labels) < COVERED * (RANGE + 1)
    ):
        return None
    shown.pop(shown.most_common(1)[0][0])
    beyond = sum(n for v, n in shown.items() if v > RANGE) / max(1, shown.total())
    enough = labels.total() >= EACH * (RANGE + 1)
    return Cut(len(labels), beyond) if enough and beyond > BEYOND else None


def wrapped(trace: Trace) -> Wrapped | None:
    """None where labels are no such numbers."""
    labels, held = _labels(trace, True), _labels(trace, False)
    values = _apart(sorted(set(labels)))
    if len(labels) < LEAST or not DIFFERENT <= len(values) <= RANGE + 1:
        return None
    beyond = _beyond(held, values[-1], values[-1] - values[0])
    for name, (there, back) in SHAPES.items():
        for low in range(LOWEST):
            factor = (values[-1] - values[0]) / (there(RANGE) - there(low))
            numbers = [back((v - values[0]) / factor + there(low)) for v in labels]
            whole = sum(abs(k - round(k)) < WHOLE for k in numbers) / len(numbers)
            last = sum(k > RANGE + 0.5 - END for k in numbers)
            at_end = last / len(numbers)
            cut = beyond > HELD_BEYOND and last > SEVERAL * END
            if whole >= NEARLY and (cut or at_end > DENSE * END / (RANGE + 1)):
                return Wrapped(
                    name, low, len(values), at_end, _beyond(held, values[-1], values[-1] - values[0])
                )
    return None


def _beyond(held: list[float], last: float, extent: float) -> float:
    return sum(v > last + ROUNDING * extent for v in held) / max(1, len(held))


def _apart(values: list[float]) -> list[float]:
    """Sorted values without those that rounding alone keeps from the one before."""
    least = ROUNDING * (values[-1] - values[0]) if values else 0.0
    kept = values[:1]
    for value in values[1:]:
        if value - kept[-1] > least:
            kept.append(value)
    return kept


def _labels(trace: Trace, grad: bool) -> list[float]:
    """One number per different input of training, or of what is held out."""
    found: dict[float, float] = {}
    for row in (r for r in trace.of("ids") if r["grad"] == grad and r.get("known", 0.0) < KNOWN):
        for h, y in zip(row["h"], row.get("y") or (), strict=False):
            value = single(y)
            if isinstance(value, float) and math.isfinite(value):
                found.setdefault(h, value)
    return list(found.values())
