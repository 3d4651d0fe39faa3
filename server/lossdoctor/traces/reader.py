"""Reads a trace folder as far as it was written: a torn last line or a missing end is normal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..errors import TraceInvalid
from ..model import Optimizer, Parameter, Site, Step, Trace
from .climbed import turned
from .measure import main_steps
from .repeated import met_by_chance

Row = dict[str, Any]
# share of samples that meet by chance, from which it counts and up to which it is allowed for
SOME, NEARLY_ALL = 0.05, 0.95


def read_trace(folder: Path) -> Trace:
    """Read ``<folder>/records.jsonl``.

    Raises TraceInvalid when there is no such file or its first record is not a start record.
    """
    path = folder / "records.jsonl"
    if not path.is_file():
        raise TraceInvalid(
            "no records were written",
            where=str(path),
            hint="run the probe again; see the script's own output",
        )
    rows: dict[str, list[Row]] = {}
    for row in _rows(path):
        rows.setdefault(row["k"], []).append(row)
    if "packed" in rows:  # rows of the inputs are parts of samples, which nothing tells apart
        for kind in ("ids", "sample", "scored"):
            rows.pop(kind, None)
    if "start" not in rows:
        raise TraceInvalid(
            "this is not a trace: the start record is missing", where=str(path), hint="give a trace folder"
        )
    return _beyond_chance(_of_the_main_phase(turned(_trace(rows))))


def _of_the_main_phase(trace: Trace) -> Trace:
    """Without the samples of other phases (a pre-training): their targets are of another kind."""
    steps = main_steps(trace)
    if len(steps) == len(trace.steps) or not steps or steps[-1].i - steps[0].i + 1 > len(steps):
        return trace  # one phase, or optimizers that take turns
    first, last = steps[0].i, steps[-1].i + 1
    kept = {
        kind: tuple(r for r in trace.of(kind) if first <= r["i"] <= last) or trace.of(kind)
        for kind in ("ids", "sample", "scored")
        if trace.of(kind)
    }
    return trace.model_copy(update={"rows": {**trace.rows, **kept}})


def _beyond_chance(trace: Trace) -> Trace:
    """With the share of known samples that evaluations have beyond the one that inputs of few possible values have
    anyway: a held-out set of those has none, the training set has all. Where nearly all meet, nothing tells them apart.
    """
    chance = met_by_chance(trace)
    if not SOME <= chance <= NEARLY_ALL:
        return trace

    def beyond(share: float | None) -> float | None:
        return share if share is None else max(0.0, (share - chance) / (1 - chance))

    rows = {
        kind: tuple({**r, "known": beyond(r["known"])} if "known" in r else r for r in trace.of(kind))
        for kind in ("ids", "sample", "scored")
    }
    rows["eval"] = tuple(
        {
            **r,
            "seen": [beyond(s) for s in r.get("seen") or ()],
            "own": [(v, n, beyond(s)) for v, n, s in r.get("own", ())],
        }
        for r in trace.of("eval")
    )
    return trace.model_copy(update={"rows": {**trace.rows, **{k: v for k, v in rows.items() if v}}})


def _rows(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            try:
                row = json.loads(line)
            except ValueError:
                continue
            if isinstance(row, dict) and isinstance(row.get("k"), str):
                yield row


def _trace(rows: dict[str, list[Row]]) -> Trace:
    own = {"start", "end", "error", "step", "params", "holders", "optimizer", "site"}
    later: dict[int, set[int]] = {}
    for number, holders in (item for row in rows.get("holders", []) for item in row["opt"].items()):
        later.setdefault(int(number), set()).update(holders)
    return Trace(
        steps=tuple(_steps(rows.get("step", []))),
        parameters=tuple(
            _parameter(r, later.get(r["id"], set()))
            for table in rows.get("params", [])
            for r in table["rows"]
        ),
        optimizers=tuple(_optimizer(r, rows.get("optimizer_used", [])) for r in rows.get("optimizer", [])),
        sites=tuple(
            Site(**{k: r[k] for k in ("id", "what", "file", "line", "code")}) for r in rows.get("site", [])
        ),
        rows={kind: tuple(found) for kind, found in rows.items() if kind not in own},
        start=rows["start"][0],
        end=rows["end"][-1] if "end" in rows else None,
        error=rows["error"][-1] if "error" in rows else None,
    )


def _steps(rows: list[Row]) -> Iterator[Step]:
    """Passes without a step are kept only when no optimizer ever stepped."""
    real = any(r["o"] >= 0 for r in rows)
    for row in rows:
        if row["o"] >= 0 or not real:
            yield _step(row)


def _step(row: Row) -> Step:
    clip = row.get("clip") or {}
    accuracy = row.get("acc") or []
    return Step(
        i=row["i"], optimizer=row["o"], t=row["t"], lr=tuple(row.get("lr", ())),
        losses=tuple(row.get("loss", ())), loss_sites=tuple(row.get("ls", ())),
        grad_norm=row.get("gn", 0.0), grad_made=row.get("gb"),
        grads={int(k): v for k, v in row.get("g", {}).items() if k != "None"},
        updates={int(k): tuple(v) for k, v in row.get("u", {}).items() if k != "None"},
        without_grad=row.get("none", 0), backwards=row.get("nb", 0), zeroed=row.get("zg", 0),
        stale=bool(row.get("stale")), clip_max=clip.get("max", clip.get("value")), clip_before=clip.get("before"),
        clip_site=clip.get("site"), clip_missed=clip.get("missed", 0), clip_by_value="value" in clip,
        grad_max=row.get("gm"),
        training=row.get("tr"), accuracy=sum(accuracy) / len(accuracy) if accuracy else None,
        loss_values=tuple(row.get("lf", ())), sequence=row.get("seq", ""), time=row.get("dt", {}),
        calls=row.get("calls", 0),
        scale=row.get("scale"), moved=row.get("moved"), along=row.get("along"), memory=row.get("mem"),
        zero_grads={int(k): v for k, v in row.get("gz", {}).items() if k != "None"},
        state=tuple(row["st"]) if "st" in row else None, closure=row.get("closure", 0),
    )  # fmt: skip


def _parameter(row: Row, later: set[int]) -> Parameter:
    """``later``: optimizers that came to hold it after it was first seen."""
    return Parameter(
        id=row["id"], name=row["name"], shape=tuple(row["shape"]), dtype=row["dtype"], requires_grad=row["grad"],
        optimizers=tuple(sorted({*row["opt"], *later})), module=row["module"], used=row["used"],
        loaded=row.get("loaded", False), drawn=row.get("drawn"), init=row.get("init"), mean=row["mean"], std=row["std"],
        largest=row.get("largest", 0.0), numel=row["numel"],
    )  # fmt: skip


def _optimizer(row: Row, used: list[Row]) -> Optimizer:
    """``used``: settings other than the rate with which optimizers came to their first step."""
    changed = next((r["groups"] for r in used if r["id"] == row["id"]), None)
    made = row.get("groups", ())
    groups = tuple(g | c for g, c in zip(made, changed, strict=True)) if changed else tuple(made)
    return Optimizer(id=row["id"], cls=row["class"], step=row["i"], site=row.get("site"), groups=groups,
                     sizes=tuple(row.get("sizes", ())), frozen=tuple(row.get("frozen", ())),
                     base=row.get("base"))  # fmt: skip
