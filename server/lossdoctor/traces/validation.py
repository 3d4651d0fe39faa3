"""The held-back losses of a run, as measured in its evaluation passes or else as it printed them."""

from __future__ import annotations

import math
from typing import Any

from ..model import Trace

NAMES = ("val", "valid", "validation", "test", "eval", "dev", "held")


def validation_losses(trace: Trace) -> list[tuple[int, float]]:
    """(step, loss) per evaluation, means over batches weighted by size; printed numbers when none was measured."""
    measured = [(r["i"], _mean(r)) for r in trace.of("eval") if r["loss"] and set(r["modes"]) == {"eval"}]
    measured = [(i, v) for i, v in measured if math.isfinite(v)]
    return measured if len(measured) >= 2 else _printed(trace)


def _mean(row: dict[str, Any]) -> float:
    sizes = row["n"] if len(row["n"]) == len(row["loss"]) else [1] * len(row["loss"])
    return float(sum(v * n for v, n in zip(row["loss"], sizes, strict=True)) / max(1, sum(sizes)))


def _printed(trace: Trace) -> list[tuple[int, float]]:
    found: dict[str, list[tuple[int, float]]] = {}
    for row in trace.of("print"):
        for name, value in row["v"].items():
            words = name.lower().replace("_", " ").split()
            held = any(w.startswith(NAMES) for w in words)
            if held and any(
                w in ("loss", "mse", "nll", "ce", "error", "bpc", "perplexity", "ppl") for w in words
            ):
                if math.isfinite(value):
                    found.setdefault(name, []).append((row["i"], float(value)))
    return max(found.values(), key=len, default=[])
