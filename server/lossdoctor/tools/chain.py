"""The protocol: observe, suspect, look closer, confirm by changing one thing, route, hand over."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from ..detectors.base import TENTATIVE
from ..detectors.catalogue import explain, fault_ids, interventions, run_detectors
from ..detectors.causes import ordered
from ..errors import TraceInvalid
from ..model import Diagnosis, Finding, Frozen, NotChecked, Trace
from ..sandbox import Edit, Experiment, NotCopied, Progress, Recording, run_experiment
from ..traces.measure import first_nonfinite
from ..traces.reader import read_trace
from ..traces.trials import keep, trial
from .code.changing import CHANGE, own_change
from .code.origins import located
from .confirm import Judgement, belonging, described, judge, promising, rivalled, settled, turns, uncovered
from .criteria import pace
from .discriminate import discriminating, rival
from .probes.plan import Sweep, planned, probe_verdict
from .store import discard, new_folder
from .verdict import assemble, unreadable

__all__ = ["DiagnoseRequest", "diagnose", "explain", "fault_ids", "grad_probe", "run_probe"]

Report = Callable[[float, float | None, str], Awaitable[None]]
OBSERVE_SHARE = 0.4  # of the time budget for the first, unchanged run
MAX_INTERVENTIONS = 4
UNTESTED = "a change of the script by which its suspicion could be tested"
ENOUGH_S = 5  # no further experiment with less than this left


class DiagnoseRequest(Frozen):
    """What to run and how long. ``max_seconds`` is the budget of the whole call."""

    script: str
    symptom: str | None = None
    args: tuple[str, ...] = ()
    max_steps: int | None = None
    max_seconds: float = 120
    seed: int = 0
    python: str | None = None
    cwd: str | None = None
    env: dict[str, str] = Field(default_factory=dict)
    allow_network: bool = False
    allow_unsandboxed: bool = False
    confirm: bool = True
    detail: Literal["concise", "full"] = "concise"


class Case:
    """A diagnosis in progress: the request, the clock, the observed run and what was concluded so far."""

    def __init__(self, request: DiagnoseRequest, report: Report) -> None:
        self.request, self.report = request, report
        self.started = time.monotonic()
        self.experiments = 0
        self.folder = new_folder()
        self.recording: Recording | None = None
        self.trace: Trace | None = None
        self.findings: tuple[Finding, ...] = ()
        self.unchecked: tuple[NotChecked, ...] = ()
        self.changes: dict[str, tuple[dict[str, Any], ...]] = {}  # that would test a suspect, by its fault

    def left(self) -> float:
        """Seconds of the budget that are not used up."""
        return self.request.max_seconds - (time.monotonic() - self.started)

    def experiment(self, seconds: float, **changes: Any) -> Experiment:
        request = self.request
        settings: dict[str, Any] = {"max_steps": request.max_steps, "args": request.args, **changes}
        return Experiment(
            script=Path(request.script), cwd=Path(request.cwd) if request.cwd else None,
            python=request.python, seed=request.seed, max_seconds=max(1.0, seconds), env=request.env,
            allow_network=request.allow_network, allow_unsandboxed=request.allow_unsandboxed, **settings,
        )  # fmt: skip

    async def run(self, experiment: Experiment, label: str, out: Path | None = None) -> Recording:
        self.experiments += 1

        async def tell(progress: Progress) -> None:
            await self.report(progress.seconds, None, f"{label}: {progress.message}")

        return await run_experiment(experiment, on_progress=tell, out=out)


async def diagnose(request: DiagnoseRequest, report: Report) -> Diagnosis:
    """Observe the script, name the faults, confirm them, and say where to read on.

    Raises the errors of the sandbox (script, interpreter, isolation) and ExperimentFailed when nothing at all
    was recorded; whatever was recorded before a crash, kill or time-out is always used.
    """
    case = Case(request, report)
    await _observe(case, request.max_seconds * OBSERVE_SHARE)
    await _look_closer(case)
    if request.confirm:
        await _confirm(case)
    _sort_out(case)
    return _conclude(case)


def _sort_out(case: Case) -> None:
    """Mere suspicions that were not confirmed are no findings; one that nothing could test was not checked."""
    kept = tuple(f for f in case.findings if f.confidence > TENTATIVE or f.status == "confirmed")
    untested = (f for f in case.findings if f not in kept and f.severity != "info" and not _changes(case, f))
    known = {n.fault for n in case.unchecked} | {f.fault for f in kept}
    unsettled = dict.fromkeys(f.fault for f in untested if f.fault not in known)
    case.unchecked += tuple(NotChecked(fault=fault, missing=UNTESTED) for fault in unsettled)
    case.findings = kept


async def grad_probe(request: DiagnoseRequest, report: Report) -> Diagnosis:
    """One unchanged run, measured: no interventions."""
    case = Case(request, report)
    await _observe(case, request.max_seconds)
    case.findings = tuple(f for f in case.findings if f.confidence > TENTATIVE)
    return _conclude(case)


async def run_probe(
    request: DiagnoseRequest, kind: str, report: Report, sweep: Sweep | None = None
) -> Diagnosis:
    """The experiments of one kind of probe, and what they say. Raises BadArgument for an unknown kind, or for
    ``coord_check`` without the script's width argument.
    """
    case = Case(request, report)
    chosen, runs, read = planned(kind, request.args, sweep)
    traces = []
    for position, change in enumerate(runs):
        seconds = min(request.max_seconds / len(runs), max(1.0, case.left()))
        settings = {"max_steps": request.max_steps or chosen.steps, **change}
        recording = await case.run(
            case.experiment(seconds, **settings), kind, case.folder if position == 0 else None
        )
        traces.append(_kept(case, recording, position))
    if chosen.lens:
        await _look_closer(case)
        traces[0] = case.trace or traces[0]
    case.findings = tuple(f for f in case.findings if f.fault in chosen.faults and f.confidence > TENTATIVE)
    case.unchecked = tuple(n for n in case.unchecked if n.fault in chosen.faults)
    reading = {"kind": kind, **read(tuple(traces))}
    return _conclude(case).model_copy(update={"probe": reading, **probe_verdict(case.findings, reading)})


def _kept(case: Case, recording: Recording, position: int) -> Trace:
    """Read a probe's trace; the first one is the diagnosis's own, the others are thrown away."""
    try:
        trace = read_trace(recording.folder)
    except TraceInvalid:
        raise unreadable(recording) from None
    if position == 0:
        case.recording, case.trace = recording, trace
        case.findings, case.unchecked = run_detectors(trace)
    else:
        discard(recording.folder)
    return trace


async def _observe(case: Case, seconds: float) -> None:
    case.recording = await case.run(case.experiment(seconds), "observing", case.folder)
    case.trace = read_trace(case.folder) if (case.folder / "records.jsonl").is_file() else None
    if case.trace is None:
        raise unreadable(case.recording)
    case.findings, case.unchecked = run_detectors(case.trace)


async def _look_closer(case: Case) -> None:
    """Repeat a run that went non-finite, watching every operation from just before that step."""
    assert case.trace is not None
    broken = first_nonfinite(case.trace)
    if broken is None or case.left() < ENOUGH_S:
        return
    lens = {"from": max(0, broken - 2)}
    experiment = case.experiment(min(case.left() * 0.5, 60), recorder={"lens": lens}, max_steps=broken + 2)
    rows = await _extra_rows(case, experiment, "nonfinite", "finding the first non-finite value")
    if rows:
        case.trace = case.trace.model_copy(update={"rows": {**case.trace.rows, "nonfinite": rows}})
        case.findings, case.unchecked = run_detectors(case.trace)


async def _extra_rows(
    case: Case, experiment: Experiment, kind: str, label: str
) -> tuple[dict[str, Any], ...]:
    recording = await case.run(experiment, label)
    try:
        return read_trace(recording.folder).of(kind)
    finally:
        discard(recording.folder)


async def _confirm(case: Case) -> None:
    """Run the interventions of the suspects, then, if nothing explains a run that does not learn, those of the
    discriminating set. The best cure names the cause.
    """
    assert case.trace is not None
    judgements = await _test(case, case.findings, MAX_INTERVENTIONS)
    tried = {j.finding.fault for j in judgements}
    # what a refuted suspect had explained stands for itself
    standing = ordered(tuple(f for f in case.findings if f.status != "refuted"))
    freed = tuple(f for f in standing if f.fault not in tried)
    judgements += await _test(case, freed, MAX_INTERVENTIONS - len(judgements))
    beside = rival(case.trace, case.findings)
    more = (*beside, *discriminating(case.trace, case.findings))
    case.findings = (*case.findings, *more)
    judgements += await _test(case, more, MAX_INTERVENTIONS - len(judgements))
    both = case.findings, tuple(judgements)
    case.findings = belonging(settled(*(rivalled(*both) if beside else both)), both[1])


async def _test(case: Case, suspects: tuple[Finding, ...], most: int) -> list[Judgement]:
    """At most ``most`` interventions, in the order of ``turns``; once confirmed, a suspect is left alone."""
    assert case.trace is not None
    judgements: list[Judgement] = []
    confirmed: set[str] = set()
    for finding, change in turns(promising(ordered(suspects), partial(_changes, case))):
        if len(judgements) >= most or case.left() < ENOUGH_S:
            break
        if finding.fault in confirmed:
            continue
        judgements.append(await _try(case, finding, change))
        case.findings = _with(case.findings, judgements[-1].finding)
        if judgements[-1].finding.status == "confirmed":
            confirmed.add(finding.fault)
    return judgements


def _changes(case: Case, finding: Finding) -> tuple[dict[str, Any], ...]:
    """The interventions of a suspect; first a change of the script's own setting, where one is found. The project is
    searched once for each fault.
    """
    assert case.trace is not None
    assert case.recording is not None
    if finding.fault not in case.changes:
        own = own_change(finding, case.trace, case.recording.project, case.request.args)
        known = interventions(finding.fault, case.trace)
        case.changes[finding.fault] = (own, *known) if own else known
    return case.changes[finding.fault]


def _with(findings: tuple[Finding, ...], judged: Finding) -> tuple[Finding, ...]:
    return tuple(judged if f.fault == judged.fault else f for f in findings)


async def _try(case: Case, finding: Finding, change: dict[str, Any]) -> Judgement:
    assert case.trace is not None
    assert case.recording is not None
    steps = max(case.trace.end["steps"] if case.trace.end else 0, len(case.trace.steps), 1)
    seconds = min(case.left() - 2, max(10.0, 3 * case.recording.seconds))
    limit = max(5, round(steps * pace(change, case.trace)))
    if case.trace.end and case.trace.end["stop"] == "script_end":
        limit += 1  # what comes after the last step, an evaluation often, is recorded too
    experiment = case.experiment(seconds, **carried_out(change), max_steps=limit)
    try:
        recording = await case.run(experiment, f"testing {finding.fault}")
    except NotCopied:
        return Judgement(finding)
    try:
        after = read_trace(recording.folder)
        judgement = _judgement(case, case.trace, finding, after, change)
        keep(case.folder, trial(judgement.finding, described(change), after))
        return judgement
    finally:
        discard(recording.folder)


def carried_out(change: dict[str, Any]) -> dict[str, Any]:
    """What of an experiment carries out a change: the recorder, unless a setting of the project is changed."""
    if change["name"] != CHANGE:
        return {"interventions": (change,)}
    edits = tuple(Edit(Path(e["file"]), e["line"], e["text"]) for e in change.get("lines", ()))
    return {"edits": edits, **({"args": tuple(change["args"])} if "args" in change else {})}


def _judgement(
    case: Case, before: Trace, finding: Finding, after: Trace, change: dict[str, Any]
) -> Judgement:
    """The finding judged; refuted where its change uncovers faults that it had hidden, which join the others."""
    judgement = judge(finding, before, after, change)
    hidden = uncovered(change, case.findings, after)
    if not hidden:
        return judgement
    case.findings = (*case.findings, *hidden)
    proof = f"without it {' and '.join(f.fault for f in hidden)} shows: {judgement.finding.proof or ''}"
    told = judgement.finding.model_copy(update={"status": "refuted", "proof": proof})
    return replace(judgement, finding=told, end=None)


def _conclude(case: Case) -> Diagnosis:
    assert case.trace is not None
    assert case.recording is not None
    findings = located(ordered(case.findings), case.trace, case.recording.project, case.request.args)
    return assemble(
        trace=case.trace, recording=case.recording, findings=findings, unchecked=case.unchecked,
        experiments=case.experiments, symptom=case.request.symptom, script=case.request.script, folder=case.folder,
        seconds=time.monotonic() - case.started,
    )  # fmt: skip
