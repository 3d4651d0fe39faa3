"""A recorded run as tables and lines that an agent or a spreadsheet can read, bounded."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

from ..errors import TraceInvalid
from ..model import Step, Trace
from ..traces.measure import thinned
from .untrusted import visible
from .wire import plain

MOST_ROWS = 500  # of a table or of records: about 30 KB, a tenth of what clients accept

STEP_COLUMNS = ("step", "seconds", "loss", "lr", "grad_norm", "tensors_without_grad", "backward_passes")


def overview(trace: Trace, uri: str) -> str:
    """JSON: how the recording began and ended, and its parts with their addresses."""
    parts = {"steps": len(trace.steps), "parameters": len(trace.parameters)}
    parts |= {kind: len(rows) for kind, rows in sorted(trace.rows.items())}
    told = {
        "start": trace.start,
        "end": trace.end,
        "error": trace.error,
        "parts": [{"uri": f"{uri}/{name}", "rows": count} for name, count in parts.items()],
    }
    return json.dumps(plain(told), ensure_ascii=False, indent=1, default=str)


def part(trace: Trace, name: str) -> str:
    """One part: ``steps`` and ``parameters`` as CSV, other record kinds as JSON lines.

    At most ``MOST_ROWS`` rows, evenly thinned; a first line that begins with ``#`` says so. Raises
    TraceInvalid for a part that the trace does not have.
    """
    if name == "steps":
        return _csv(STEP_COLUMNS, [_step(step) for step in trace.steps])
    if name == "parameters":
        columns = ("name", "shape", "dtype", "requires_grad", "optimizers", "module", "mean", "std")
        return _csv(columns, [[getattr(row, column) for column in columns] for row in trace.parameters])
    rows = trace.of(name)
    if not rows:
        known = ", ".join(["steps", "parameters", *sorted(trace.rows)])
        raise TraceInvalid(f"this trace has no part {name[:60]!r}", hint=f"parts: {known}")
    kept, note = _thinned(rows)
    return note + "".join(f"{json.dumps(plain(row), ensure_ascii=False, default=str)}\n" for row in kept)


def _step(step: Step) -> list[Any]:
    loss = step.losses[-1] if step.losses else ""
    rate = step.lr[0] if step.lr else ""
    return [step.i, round(step.t, 4), loss, rate, step.grad_norm, step.without_grad, step.backwards]


def _csv(columns: Iterable[str], rows: Sequence[list[Any]]) -> str:
    kept, note = _thinned(rows)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([[visible(cell) if isinstance(cell, str) else cell for cell in row] for row in kept])
    return note + text.getvalue()


def _thinned(rows: Sequence[Any]) -> tuple[Sequence[Any], str]:
    """Every n-th row, and a remark when n is more than one; the last row is always kept."""
    kept = thinned(rows, MOST_ROWS)
    if len(kept) == len(rows):
        return rows, ""
    stride = -(-len(rows) // MOST_ROWS)
    return kept, f"# {len(kept)} of {len(rows)} rows: every {stride}th and the last\n"
