"""A diagnosis as labelled rows: what is said, in which order. How it looks is decided elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from ..model import Diagnosis, Evidence, Finding, Fix, NotChecked, Run, Scalar, Where
from .untrusted import last_lines, one_line, visible

Tone = Literal["plain", "dim", "good", "bad", "warn", "added", "removed"]

_MEASURED = 8
_UNCHECKED = 6
_CONSEQUENCES = 4
_PATCH_LINES = 24


class Row(NamedTuple):
    """A line of the report before wrapping. ``verbatim`` keeps its spaces, ``flush`` has no label column."""

    label: str
    text: str
    tone: Tone = "plain"
    form: Literal["wrapped", "verbatim", "flush"] = "wrapped"


def report_rows(diagnosis: Diagnosis) -> tuple[Row, ...]:
    """Everything that a person should read, most important first."""
    return tuple(_rows(diagnosis))


def _rows(diagnosis: Diagnosis) -> Iterator[Row]:
    yield Row("", _setting(diagnosis.run), "dim", "flush")
    yield Row("", "")
    if diagnosis.verdict == "healthy":
        yield Row("HEALTHY", f"no fault found in {_steps(diagnosis.run.steps)}", "good")
    elif diagnosis.verdict == "inconclusive":
        yield Row("UNCLEAR", _unclear(diagnosis), "warn")
    yield from _error(diagnosis.run)
    judged = [finding for finding in diagnosis.findings if finding.status != "refuted"]
    for place, finding in enumerate(judged):
        told_as_fix = diagnosis.fix is not None and diagnosis.fix.summary == finding.remedy
        yield from _finding(finding, place == 0 and diagnosis.verdict == "faulty", told_as_fix)
    yield from _fix(diagnosis.fix)
    if diagnosis.run.steps:
        yield from _measurements(diagnosis.measurements)
    yield from _closing(diagnosis)


def _setting(run: Run) -> str:
    isolation = run.isolation.level if run.isolation else "unknown"
    sandbox = "NO ISOLATION" if isolation == "none" else f"sandbox {isolation}"
    torch = f"torch {run.torch or 'unknown'}, {run.device or 'unknown device'}"
    python = f"{_near(run.interpreter)} ({torch})" if run.interpreter else torch
    took = f"{_steps(run.steps)} in {run.seconds:.1f} s"
    experiments = f"{run.experiments} experiment{'s' if run.experiments != 1 else ''}"
    return one_line(" · ".join([sandbox, python, took, experiments]))


def _steps(count: int) -> str:
    return f"{count} step{'s' if count != 1 else ''}"


def _near(path: str) -> str:
    """A path as the reader would type it: relative if it lies below the current folder."""
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative


def _unclear(diagnosis: Diagnosis) -> str:
    run = diagnosis.run
    if run.steps == 0:
        return "no optimizer step was seen, so there is nothing to judge"
    return f"not enough evidence in {_steps(run.steps)} (stopped by {run.stop.replace('_', ' ')})"


def _error(run: Run) -> Iterator[Row]:
    if run.error:
        place = f" at {_place(run.error_where)}" if run.error_where else ""
        yield Row("error", f"the script failed{place}:", "bad")
        for line in last_lines(run.error):
            yield Row("", f"| {line}", "dim", "verbatim")


def _finding(finding: Finding, first: bool, told_as_fix: bool) -> Iterator[Row]:
    label = "FAULTY" if first else ("note" if finding.severity == "info" else "also")
    tone: Tone = "bad" if finding.severity == "critical" else "warn"
    place = _place(finding.where)
    sure = f"{finding.severity} · {finding.status} · {finding.confidence:.0%} sure"
    yield Row(
        label, "   ".join(filter(None, [finding.fault, sure, place])), "dim" if label == "note" else tone
    )
    yield Row("", one_line(finding.why, 400))
    for position, evidence in enumerate(finding.evidence[:4]):
        yield Row("evidence" if position == 0 else "", _evidence(evidence))
    if finding.proof:
        yield Row("proof", one_line(finding.proof, 300))
    if not told_as_fix:
        yield Row("remedy", one_line(finding.remedy, 400))
    yield from (Row("careful", one_line(text, 240)) for text in finding.contraindications[:2])
    if finding.consequences:
        yield Row("explains", _listed(finding.consequences, _CONSEQUENCES))
    yield Row(
        "read", f"{finding.sheet.id}#{finding.sheet.section}" if finding.sheet.section else finding.sheet.id
    )


def _place(where: Where | None) -> str:
    if where is None:
        return ""
    line = f":{where.line}" if where.line else ""
    spot = f"{_near(where.file)}{line}" if where.file else (where.parameter or where.module or "")
    return one_line(spot, 120)


def _evidence(evidence: Evidence) -> str:
    limit = f" (threshold {number(evidence.threshold)})" if evidence.threshold is not None else ""
    unit = f" {evidence.unit}" if evidence.unit else ""
    step = f" at step {evidence.step}" if evidence.step is not None else ""
    where = f" in {evidence.where}" if evidence.where else ""
    return one_line(f"{evidence.quantity}: {number(evidence.value)}{unit}{limit}{step}{where}", 240)


def number(value: Scalar | None) -> str:
    """A measured value with four significant digits; text as it is."""
    if isinstance(value, float):
        return f"{value:.4g}"
    return "-" if value is None else str(value)


def _fix(fix: Fix | None) -> Iterator[Row]:
    if fix is None:
        return
    state = {True: " (tried: it helps)", False: " (tried: it did not help)", None: ""}[fix.verified]
    yield Row("fix", one_line(fix.summary, 300) + state, "good" if fix.verified else "plain")
    lines = visible(fix.patch or "").splitlines()
    for line in lines[:_PATCH_LINES]:
        yield Row("", line[:200], _patch_tone(line), "verbatim")
    if len(lines) > _PATCH_LINES:
        yield Row("", f"… {len(lines) - _PATCH_LINES} more lines: --json has the whole patch", "dim")


def _patch_tone(line: str) -> Tone:
    return "added" if line.startswith("+") else "removed" if line.startswith("-") else "dim"


def _measurements(measured: dict[str, Scalar | None]) -> Iterator[Row]:
    known = [(name, value) for name, value in measured.items() if value is not None][:_MEASURED]
    if known:
        told = " · ".join(f"{name.replace('_', ' ')} {number(value)}" for name, value in known)
        yield Row("measured", one_line(told, 400))


def _closing(diagnosis: Diagnosis) -> Iterator[Row]:
    yield from (Row("note", one_line(note, 240), "dim") for note in diagnosis.run.notes[:4])
    if diagnosis.verdict == "inconclusive":  # otherwise the fix and the sheet are the next step
        yield from (Row("next", one_line(step, 240)) for step in diagnosis.next_steps[:3])
    refuted = [finding.fault for finding in diagnosis.findings if finding.status == "refuted"]
    if refuted:
        yield Row("not it", f"{_listed(refuted, _UNCHECKED)}: removing it changed nothing", "dim")
    if diagnosis.not_checked and diagnosis.run.steps:
        yield Row("unchecked", _unchecked(diagnosis.not_checked), "dim")


def _unchecked(items: tuple[NotChecked, ...]) -> str:
    told = [f"{item.fault} ({one_line(item.missing, 60)})" for item in items]
    return _listed(told, _UNCHECKED)


def _listed(names: Iterable[str], shown: int) -> str:
    names = list(names)
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more
