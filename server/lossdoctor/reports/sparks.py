"""Loss curves as rows of block characters: the plot that every terminal can show."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from ..model import Trace
from ..traces.measure import curve, finite, head, tail
from ..traces.trials import Trial, known
from .rows import Row, number

BLOCKS = "▁▂▃▄▅▆▇█"
COLUMNS = 32
MOST = 4  # trials, the default number of interventions


def spark_rows(trace: Trace, trials: Sequence[Trial]) -> Iterator[Row]:
    """The loss of the unchanged run, then that of each changed one, all in one scale."""
    own = finite(curve(trace))
    lines = [("unchanged", [v for _, v in own], head(own), tail(own))]
    lines += [
        (f"{t.change} ({t.status})", [v for _, v in known(t.losses)], t.start, t.end) for t in trials[:MOST]
    ]
    drawn = [line for line in lines if len(line[1]) > 1]
    if not drawn:
        return
    scale = _scale([v for _, values, _, _ in drawn for v in values])
    for position, (label, values, start, end) in enumerate(drawn):
        ends = f"{number(start)} -> {number(end)}"
        line = spark(values, scale)
        yield Row("loss" if position == 0 else "", f"{line:<{COLUMNS}}  {ends}  {label}", form="verbatim")


def spark(values: Sequence[float], scale: tuple[float, float, bool]) -> str:
    """One character per column, the median of the steps that fall into it; ``scale``: lowest, highest, logarithmic."""
    count = min(COLUMNS, len(values))
    cuts = [len(values) * k // count for k in range(count + 1)]
    return "".join(_block(median(values[start:end]), scale) for start, end in pairwise(cuts))


def _block(value: float, scale: tuple[float, float, bool]) -> str:
    low, high, logarithmic = scale
    if logarithmic:
        low, high, value = math.log(low), math.log(high), math.log(max(value, low))
    share = (value - low) / (high - low) if high > low else 0.5
    return BLOCKS[min(len(BLOCKS) - 1, max(0, int(share * len(BLOCKS))))]


def _scale(values: Sequence[float]) -> tuple[float, float, bool]:
    """Of all runs; logarithmic where a straight one would hide all but the largest."""
    low, high = min(values), max(values)
    return low, high, low > 0 and high / low > 50
