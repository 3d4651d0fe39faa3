"""From a kind's name to the experiments it makes and the function that reads them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from ...errors import BadArgument
from ...model import Finding, Trace
from .comparisons import coord_check
from .kinds import KIND_NAMES, KINDS, Kind, Reading

COORD_STEPS = 6


@dataclass(frozen=True)
class Sweep:
    """The script's width argument and the widths to try: ``Sweep("--width", ("64", "128", "256"))``."""

    argument: str
    widths: tuple[str, ...]


def planned(
    kind: str, args: tuple[str, ...], sweep: Sweep | None
) -> tuple[Kind, tuple[dict[str, Any], ...], Callable[[tuple[Trace, ...]], Reading]]:
    """The kind, the changes of its experiments, and its reading."""
    if kind == "coord_check":
        if sweep is None or len(sweep.widths) < 2:
            raise BadArgument(
                "coord_check needs the script's width argument and two or more widths",
                hint='give width_argument="--width" and widths=["64", "128", "256"]',
            )
        runs = tuple({"args": (*args, sweep.argument, width)} for width in sweep.widths)
        read = partial(coord_check, widths=sweep.widths)
        return Kind(read, runs=runs, steps=COORD_STEPS), runs, read
    if kind not in KINDS:
        raise BadArgument(f"no probe kind {kind[:40]!r}", hint=f"use one of {', '.join(KIND_NAMES)}")
    return KINDS[kind], KINDS[kind].runs, KINDS[kind].read


def probe_verdict(findings: tuple[Finding, ...], reading: Reading) -> dict[str, Any]:
    """Faulty when a fault of the probe's own kind was found; otherwise the numbers speak: inconclusive."""
    faulty = any(f.severity != "info" for f in findings)
    return {"verdict": "faulty" if faulty else "inconclusive", "next_steps": (str(reading["conclusion"]),)}
