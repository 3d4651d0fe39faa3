"""What the experiments of a diagnosis came to: the curves of each changed run, kept beside the unchanged trace.

The trace of a changed run is thrown away once it is judged; its loss is what a person wants to see next to the
unchanged one. One JSON line per trial in ``trials.jsonl``; a line that was cut off by a crash is left out.
"""

from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from ..model import Finding, Frozen, Status, Trace
from .measure import Curve, curve, head, tail, thinned
from .validation import measured_losses

FILE = "trials.jsonl"
POINTS = 400  # kept of a curve: more than a plot has columns


class Trial(Frozen):
    """One changed run: the fault that it tested, the change in words, what was concluded, and its losses.

    ``losses`` are (step, training loss), ``held_out`` (step, held-out loss), both as the script computes them; a loss
    that is not finite is None. ``start`` and ``end`` are those of the whole curve, before it was thinned.
    """

    fault: str
    change: str
    status: Status
    start: float | None = None
    end: float | None = None
    losses: tuple[tuple[int, float | None], ...] = ()
    held_out: tuple[tuple[int, float | None], ...] = ()


def trial(finding: Finding, change: str, after: Trace) -> Trial:
    """The trial of a judged finding, from the trace of the changed run."""
    points = curve(after)
    return Trial(
        fault=finding.fault,
        change=change,
        status=finding.status,
        start=head(points),
        end=tail(points),
        losses=_told(points),
        held_out=_told(tuple(measured_losses(after))),
    )


def keep(folder: Path, done: Trial) -> None:
    """Append to the folder's trials; a folder that was removed meanwhile costs the plot, not the diagnosis."""
    with suppress(FileNotFoundError), (folder / FILE).open("a", encoding="utf-8") as file:
        file.write(done.model_dump_json() + "\n")


def read_trials(folder: Path) -> tuple[Trial, ...]:
    """Trials in the order of their runs; () where there are none."""
    try:
        lines = (folder / FILE).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    return tuple(found for line in lines if (found := _parsed(line)) is not None)


def _parsed(line: str) -> Trial | None:
    try:
        return Trial.model_validate_json(line)
    except ValidationError:
        return None


def known(points: tuple[tuple[int, float | None], ...]) -> Curve:
    """A trial's curve without what is not finite."""
    return tuple((i, v) for i, v in points if v is not None)


def _told(points: Curve) -> tuple[tuple[int, float | None], ...]:
    return tuple((i, v if math.isfinite(v) else None) for i, v in thinned(points, POINTS))
