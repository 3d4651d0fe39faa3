"""From a trace and its findings to a Diagnosis: pure, except that the router is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from ..detectors.facts import measured_facts, measurements
from ..detectors.learning import learned
from ..errors import ExperimentFailed
from ..model import Diagnosis, Finding, NotChecked, Route, Run, Stop, Trace, Where
from ..reports.figures import plots
from ..routing import route
from ..sandbox import Recording
from ..traces.validation import generalised
from .fixes import fix

# Without a step for this long, and for this many usual steps, when the time was up: hung, or waiting.
HUNG_S = 2.0
HUNG_STEPS = 20
ENOUGH = 10  # optimizer steps below which silence says nothing about health
CONSTANT = "held-out answers are no better than a constant one, and nothing that was measured explains it"
UNSEEN = "no parameter was seen to move: parameters that a script replaces by new tensors are not followed"
UNTOLD = "Find out why this training run misbehaves."


def assemble(
    *, trace: Trace, recording: Recording, findings: tuple[Finding, ...], unchecked: tuple[NotChecked, ...],
    experiments: int, symptom: str | None, script: str, folder: Path, seconds: float,
) -> Diagnosis:  # fmt: skip
    """Put the result together; findings come ordered, root cause first."""
    run = _run(trace, recording, experiments)
    judged = verdict(trace, findings, run)
    lift = generalised(trace)
    if judged == "healthy" and lift is not None and lift <= 0:
        run = run.model_copy(update={"notes": (CONSTANT, *run.notes)})
    return Diagnosis(
        verdict=judged,
        findings=findings,
        not_checked=unchecked,
        run=run,
        measurements={**measurements(trace), "seconds_total": round(seconds, 1)},
        route=_route(trace, findings, judged, symptom, script),
        fix=fix(findings, trace),
        next_steps=_next_steps(judged, findings, script, run),
        trace=f"trace://{folder.name}",
        plots=tuple(f"trace://{folder.name}/plots/{name}" for name in plots(trace)),
    )


def verdict(
    trace: Trace, findings: tuple[Finding, ...], run: Run
) -> Literal["healthy", "faulty", "inconclusive"]:
    """Faulty with any critical or warning finding that was not refuted; healthy only when enough was seen, the run
    did not fail, and the loss improved (or is of a kind that need not); everything else is inconclusive.
    """
    if any(f.status != "refuted" and f.severity != "info" for f in findings):
        return "faulty"
    if run.steps < ENOUGH or run.stop in ("error", "killed") or _hang(trace) or _unseen(trace):
        return "inconclusive"
    return "healthy" if learned(trace) else "inconclusive"


def _unseen(trace: Trace) -> bool:
    """Whether no parameter was ever seen to move, though the script trains without an optimizer: it replaces them."""
    return all(step.moved is False for step in trace.steps)


def _run(trace: Trace, recording: Recording, experiments: int) -> Run:
    end = trace.end or {}
    error = trace.error
    stop: Stop = recording.stop or end.get("stop") or ("error" if recording.returncode else "script_end")
    if not end and recording.stop is None:
        stop = "error" if (recording.returncode or 0) > 0 else "killed"
    text = (
        f"{error['text']}"
        if error
        else (recording.stderr_tail[-1200:] if stop in ("error", "killed") else None)
    )
    duration = float(end.get("t") or (trace.steps[-1].t if trace.steps else recording.seconds))
    return Run(
        steps=len(trace.steps), seconds=round(duration, 2), stop=stop, error=text or None,
        error_where=_error_where(trace),
        isolation=recording.isolation, interpreter=recording.interpreter.path, torch=trace.start.get("torch"),
        device="cuda" if trace.start.get("cuda") else "cpu", experiments=experiments,
        overhead=round(end["hook"] / end["t"], 3) if end.get("t") and "hook" in end else None,
        notes=_notes(trace, recording),
    )  # fmt: skip


def _hang(trace: Trace) -> dict[str, Any] | None:
    """The record of a run that had stopped making steps when it was ended from outside its hooks."""
    usual = sorted(s.time["total"] for s in trace.steps if "total" in s.time)
    patience = max(HUNG_S, HUNG_STEPS * usual[len(usual) // 2] if usual else 0.0)
    return next((r for r in trace.of("hang") if r["idle"] > patience), None)


def _error_where(trace: Trace) -> Where | None:
    row = trace.error or _hang(trace)
    return Where(file=row.get("file"), line=row.get("line")) if row else None


def _notes(trace: Trace, recording: Recording) -> tuple[str, ...]:
    hung = _hang(trace)
    trouble = tuple(f"the recorder failed in {r['what']}: {r['text']}" for r in trace.of("trouble")[:2])
    if trace.steps and _unseen(trace):
        trouble = (UNSEEN, *trouble)
    if hung is None:
        return (*trouble, *recording.notes)
    place = f"{hung['file']}:{hung['line']}" if hung["file"] else "an unknown line"
    return (
        f"no optimizer step in the last {hung['idle']:.0f} s; the script was at {place}",
        *trouble,
        *recording.notes,
    )


def _route(
    trace: Trace, findings: tuple[Finding, ...], judged: str, symptom: str | None, script: str
) -> Route | None:
    if judged == "healthy" and not symptom:
        return None
    facts = measured_facts(trace, findings)
    return route(symptom or UNTOLD, measured=facts, findings=findings, script=script)


def _next_steps(judged: str, findings: tuple[Finding, ...], script: str, run: Run) -> tuple[str, ...]:
    """What to do next, each step with its tool and arguments."""
    main = next((f for f in findings if f.status != "refuted" and f.severity != "info"), None)
    if main is not None:
        section = f"{main.sheet.id}#{main.sheet.section}" if main.sheet.section else main.sheet.id
        return (
            f"apply the fix at {main.where.file or script}"
            + (f":{main.where.line}" if main.where.line else ""),
            f'read_sheet(sheet="{section}")',
            f'diagnose(script="{script}") again after the change: the finding must be gone',
        )
    if run.stop == "error":
        return ("mend the script's own error first, then run diagnose again",)
    if run.error_where is not None and run.stop == "max_seconds":
        return (f"see what the script waits for at {run.error_where.file}:{run.error_where.line}",)
    if run.steps == 0:
        return ("make sure that the script reaches its training loop: check args and cwd",)
    if judged == "inconclusive":
        return (f'diagnose(script="{script}", max_seconds={300}) to see more of the run',)
    if CONSTANT in run.notes:
        return (f'run_probe(script="{script}", kind="data"): what the inputs tell of the targets',)
    return ("nothing to mend in what was recorded; what could not be checked is listed in not_checked",)


def unreadable(recording: Recording) -> ExperimentFailed:
    """Nothing was recorded: say why as far as the process told."""
    tail: list[Any] = [line for line in recording.stderr_tail.splitlines() if line.strip()]
    said = tail[-1][:300] if tail else f"exit code {recording.returncode}"
    return ExperimentFailed(
        f"the recorder could not start: {said!r}",
        where=recording.interpreter.path,
        hint="check that this interpreter can import torch (lossdoctor check), or name another with python=",
    )
