"""Run one experiment: prepare, start under supervision, drain, report progress, end, judge."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import Process
from anyio.to_thread import run_sync

from lossdoctor.errors import ExperimentFailed
from lossdoctor.model import Stop
from lossdoctor.sandbox import warm
from lossdoctor.sandbox.child import processes, quota
from lossdoctor.sandbox.child.warmed import UNAVAILABLE
from lossdoctor.sandbox.experiment import Experiment, Interpreter, Progress, Recording
from lossdoctor.sandbox.interpreter import describe, find_interpreter
from lossdoctor.sandbox.isolation import judge, ladder, unix_sockets_are_asked
from lossdoctor.sandbox.layout import LEVELS, Rung, Work, make_work
from lossdoctor.sandbox.limits import Limits
from lossdoctor.sandbox.notes import limit_note, notes_for
from lossdoctor.sandbox.output import Tail
from lossdoctor.sandbox.prepare import Plan, Prepared, prepare
from lossdoctor.sandbox.project import find_project
from lossdoctor.sandbox.scripts import check_script
from lossdoctor.sandbox.steps import steps_in

OnProgress = Callable[[Progress], Awaitable[None]]
POLL_S = 0.2
DRAIN_S = 1.0  # what the pipes may still hold when every process has ended
LAST_RESORT_S = 15.0  # how long after the supervisor's own deadline we wait for it
_running: set[int] = set()


async def run_experiment(
    experiment: Experiment,
    *,
    on_progress: OnProgress | None = None,
    out: Path | None = None,
    limits: Limits | None = None,
) -> Recording:
    """Run the script once, isolated, and return what was recorded, however it ended.

    The trace goes to ``out`` or to a fresh temporary folder. Cancelling ends every process; then only a
    given ``out`` stays. Raises ScriptNotFound, ScriptInvalid, InterpreterNotFound, TorchMissing,
    IsolationRefused, or ExperimentFailed when the confined program could not be started at all.
    """
    rungs, plan_at = await run_sync(_decide, experiment, limits or Limits())
    failure: ExperimentFailed | None = None
    while rung := await run_sync(next, rungs, None):
        plan = plan_at(rung, await run_sync(make_work, out))
        try:
            return await _run(plan, on_progress)
        except ExperimentFailed as error:  # a mount that cannot be made, say: nothing of the script ran yet
            failure = failure or error
    raise failure or AssertionError("a ladder has at least one rung")


async def _run(plan: Plan, on_progress: OnProgress | None) -> Recording:
    """One attempt at one rung; its private folders are gone afterwards, and after a failure the trace too."""
    kept = [plan.work.trace]
    try:
        prepared = await run_sync(prepare, plan)
        stdout, stderr = Tail(), Tail()
        outcome = await _supervised(prepared, stdout, stderr, plan, on_progress)
        return _recording(plan, prepared, outcome, stdout, stderr)
    except BaseException:
        kept.clear()
        raise
    finally:
        with anyio.CancelScope(shield=True):
            for folder in plan.work.temporary:
                if folder not in kept:
                    await run_sync(quota.remove, folder)


def kill_all_experiments() -> None:
    """End every running experiment now and remove its folders; for a signal receiver before os._exit."""
    for pid in list(_running):
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + 3.0
    for pid in list(_running):
        while time.monotonic() < deadline and not _has_ended(pid):
            time.sleep(0.005)


def _has_ended(pid: int) -> bool:
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


def _decide(experiment: Experiment, limits: Limits) -> tuple[Iterator[Rung], Callable[[Rung, Work], Plan]]:
    """Every decision that can be refused, before anything is written: the rungs, and the plan at a rung."""
    script = check_script(experiment.script)
    cwd = (experiment.cwd or script.parent).expanduser().absolute()
    interpreter: Interpreter = find_interpreter(script, cwd, experiment.python)
    rungs = ladder(experiment.allow_unsandboxed, forked=warm.wanted())
    run, project = replace(experiment, script=script), find_project(script, cwd)
    folders = describe(interpreter.path).folders

    def plan_at(rung: Rung, work: Work) -> Plan:
        ask = rung == "landlock" and unix_sockets_are_asked()
        return Plan(run, interpreter, folders, project, cwd, rung, limits, work, ask)

    return rungs, plan_at


async def _supervised(
    prepared: Prepared, stdout: Tail, stderr: Tail, plan: Plan, on_progress: OnProgress | None
) -> dict[str, Any]:
    """Run under supervision, in a warm interpreter where one is ready; what the supervisor has noted."""
    code: int | None = UNAVAILABLE
    warmed = await run_sync(_warm_command, plan, prepared)
    for command in (*([warmed] if warmed else []), prepared.command):
        if code == UNAVAILABLE:
            code = await _attended(command, stdout, stderr, plan, on_progress)
    outcome = _outcome(prepared)
    if warm.usable(plan.rung, plan.interpreter.path, plan.project.root, plan.experiment.script):
        await run_sync(warm.keep, plan.interpreter.path, plan.folders, prepared.environment)
    return outcome


def _warm_command(plan: Plan, prepared: Prepared) -> list[str] | None:
    python, order = plan.interpreter.path, prepared.work.control / "order.json"
    if not warm.usable(plan.rung, python, plan.project.root, plan.experiment.script):
        return None
    return warm.command_for(python, plan.folders, prepared.environment, order)


async def _attended(
    command: list[str], stdout: Tail, stderr: Tail, plan: Plan, on_progress: OnProgress | None
) -> int | None:
    """Start the supervisor and stay with it to the end; on cancellation let it end everything first."""
    process = await anyio.open_process(command, env={}, start_new_session=True)
    assert process.stdout is not None
    assert process.stderr is not None
    _running.add(process.pid)
    try:
        with anyio.move_on_after(plan.limits.wall(plan.experiment.max_seconds) + LAST_RESORT_S):
            async with anyio.create_task_group() as telling:
                if on_progress is not None:
                    telling.start_soon(_tell, plan, on_progress)
                async with anyio.create_task_group() as draining:
                    draining.start_soon(stdout.drain, process.stdout)
                    draining.start_soon(stderr.drain, process.stderr)
                    await process.wait()
                    draining.cancel_scope.deadline = anyio.current_time() + DRAIN_S
                telling.cancel_scope.cancel()
    finally:
        with anyio.CancelScope(shield=True):
            await _end(process)
        _running.discard(process.pid)
    return process.returncode


async def _tell(plan: Plan, on_progress: OnProgress) -> None:
    """Report whenever the trace has grown, and once a second to show life."""
    started = time.monotonic()
    last_steps, last_time = -1, 0.0
    while True:
        steps, seconds = steps_in(plan.work.trace), time.monotonic() - started
        if steps != last_steps or seconds - last_time >= 1.0:
            last_steps, last_time = steps, seconds
            await on_progress(Progress(steps, seconds, f"step {steps}" if steps else "starting"))
        await anyio.sleep(POLL_S)


async def _end(process: Process) -> None:
    """Ask the supervisor to end everything; kill it only if it does not answer."""
    if process.returncode is None and process.stdin is not None:
        with contextlib.suppress(anyio.BrokenResourceError, OSError):
            await process.stdin.send(b"stop\n")
        with anyio.move_on_after(LAST_RESORT_S):
            await process.wait()
    if process.returncode is None:
        process.kill()
        await process.wait()
    await process.aclose()


def _outcome(prepared: Prepared) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(prepared.work.outcome.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # the supervisor itself was killed, by the system or by hand
        processes.end_marked(os.fsencode(prepared.work.root))
        return {"why": "killed", "returncode": None, "seconds": 0.0, "report": {}}
    return found


def _recording(
    plan: Plan, prepared: Prepared, outcome: dict[str, Any], stdout: Tail, stderr: Tail
) -> Recording:
    report, why = outcome["report"], outcome["why"]
    if not report or "error" in report:
        said = report.get("error") or stderr.text.strip()[-500:] or f"exit code {outcome['returncode']}"
        hint = "run `lossdoctor check`, or choose another rung with LOSSDOCTOR_ISOLATION"
        raise ExperimentFailed(
            f"the confined process could not be started: {said}", where=plan.rung, hint=hint
        )
    stop: Stop | None = None if why is None else "max_seconds" if why == "wall clock" else "killed"
    notes = notes_for(plan.project, prepared.copy, stderr.text + stdout.text, plan.experiment.allow_network)
    return Recording(
        folder=plan.work.trace, stop=stop, returncode=_exit_code(plan, outcome), seconds=outcome["seconds"],
        stdout_tail=stdout.text, stderr_tail=stderr.text, stdout_bytes=stdout.bytes,
        isolation=judge(plan.rung, report, plan.project, prepared.environment),
        interpreter=plan.interpreter, project=plan.project.root,
        notes=(*([limit_note(why)] if why else []), *notes),
    )  # fmt: skip


def _exit_code(plan: Plan, outcome: dict[str, Any]) -> int | None:
    """The script's exit code, negative for a signal: with namespaces a first process reports 128 + signal."""
    code: int | None = outcome["returncode"]
    if code is not None and code > 128 and LEVELS[plan.rung] == "namespaces":
        return 128 - code
    return code
