"""The commands: each takes the parsed command line and returns the exit code."""

from __future__ import annotations

import argparse
import gc
import json
import os
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

import anyio

from .errors import BadArgument, TraceInvalid
from .model import Diagnosis, Scalar, Trace

if TYPE_CHECKING:
    from .tools.chain import DiagnoseRequest
    from .traces.trials import Trial

_EXIT_CODES = {"healthy": 0, "faulty": 1, "inconclusive": 2}


def serve(_chosen: argparse.Namespace) -> int:
    """The MCP server on stdin and stdout, until the client leaves."""
    # Imports and schemas allocate much and free nothing: collecting meanwhile costs a seventh of the start.
    gc.disable()
    from .app import build_server

    server = build_server()
    gc.freeze()
    gc.enable()
    server.run()
    return 0


def diagnose(chosen: argparse.Namespace) -> int:
    """The whole protocol at a terminal."""
    from .reports.rows import Row
    from .reports.sparks import spark_rows
    from .reports.wire import wire_json
    from .terminal import print_rows

    target = _target(chosen.html)
    diagnosis = _watched(_request(chosen))
    if chosen.json:
        print(wire_json(diagnosis, indent=2))
    if target is None and chosen.json:
        return _EXIT_CODES[diagnosis.verdict]
    trace, trials = _recorded(diagnosis)
    if not chosen.json:
        _show(diagnosis)
        print_rows(spark_rows(trace, trials))
    if (
        target is not None
        and _write_page(target, diagnosis, trace, trials, chosen.script)
        and not chosen.json
    ):
        print_rows([Row("page", str(target), "dim")])
    return _EXIT_CODES[diagnosis.verdict]


def route(chosen: argparse.Namespace) -> int:
    """A complaint to a place to look."""
    from .reports.route_text import route_text
    from .reports.wire import wire_json
    from .terminal import print_lines
    from .tools.route_symptom import routed

    result = routed(chosen.text, dict(map(_fact, chosen.fact)), chosen.provisional)
    print_lines(wire_json(result, indent=2) if chosen.json else route_text(result))
    return 0 if result.status == "routed" else 2


def sheet(chosen: argparse.Namespace) -> int:
    """A sheet's summary, a section, or the list."""
    from .sheetbook import list_sheets, read_sheet
    from .terminal import print_lines, print_markdown

    if chosen.name is None:
        print_lines("\n".join(f"{sheet.id:<36}{sheet.scope}" for sheet in list_sheets()))
        return 0
    page = read_sheet(chosen.name)
    listed = "\n".join(f"- `{page.sheet}#{line.id}` {line.summary}" for line in page.sections)
    print_markdown("\n\n".join(filter(None, [f"# {page.title}", page.text, listed])))
    return 0


def explain(chosen: argparse.Namespace) -> int:
    """A fault's page, or the list of faults."""
    from .detectors import catalogue
    from .terminal import print_lines, print_markdown

    if chosen.fault is None:
        print_lines("\n".join(catalogue.fault_ids()))
    else:
        print_markdown(catalogue.explain(chosen.fault))
    return 0


def render(chosen: argparse.Namespace) -> int:
    """The skill and the agent, written from the routing tables."""
    from .routing.render import main

    return main(["--check"] if chosen.check else [])


def check(_chosen: argparse.Namespace) -> int:
    """What this machine can do, with a remedy for what it cannot."""
    from .machine import machine_report
    from .terminal import print_lines

    able, text = machine_report()
    print_lines(text)
    return 0 if able else 2


def _request(chosen: argparse.Namespace) -> DiagnoseRequest:
    """The parsed options as the chain takes them; at a terminal the person is the consent."""
    from .tools.chain import DiagnoseRequest

    return DiagnoseRequest(
        script=str(Path(chosen.script).expanduser().absolute()),
        symptom=chosen.symptom,
        args=tuple(chosen.args),
        max_steps=chosen.max_steps,
        max_seconds=chosen.max_seconds,
        seed=chosen.seed,
        python=_from_here(chosen.python),
        cwd=chosen.cwd or str(Path.cwd()),
        env=dict(_assignment(text) for text in chosen.env),
        allow_network=chosen.allow_network,
        allow_unsandboxed=chosen.allow_unsandboxed or sys.stdin.isatty(),
        confirm=not chosen.no_confirm,
        detail="full",
    )


def _from_here(python: str | None) -> str | None:
    """A relative path as the person means it: from the current folder, whatever ``--cwd`` is; commands stay.

    Links are kept: the interpreter of a virtual environment is one.
    """
    return str(Path.cwd() / python) if python and os.sep in python and Path(python).exists() else python


def _watched(request: DiagnoseRequest) -> Diagnosis:
    """Run the chain with the live line; a terminated command leaves no experiment behind."""
    from .terminal import live_line
    from .tools import chain

    signal.signal(signal.SIGTERM, _terminated)
    with live_line() as report:
        return anyio.run(chain.diagnose, request, report)


def _terminated(number: int, _frame: FrameType | None) -> NoReturn:
    from .sandbox import kill_all_experiments

    kill_all_experiments()
    os._exit(128 + number)


def _target(name: str | None) -> Path | None:
    """The file for the page. Raises BadArgument before anything runs where it could not be written."""
    if name is None:
        return None
    path = Path(name).expanduser().absolute()
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise BadArgument(f"cannot write {name[:200]!r}", hint="--html takes a file in an existing folder")
    return path


def _write_page(
    target: Path, diagnosis: Diagnosis, trace: Trace, trials: tuple[Trial, ...], script: str
) -> bool:
    """Whether the page could be written; if not, a warning says why."""
    from .reports.page import page
    from .terminal import warn

    try:
        target.write_text(page(diagnosis, trace, trials, script), encoding="utf-8")
    except OSError as failure:
        warn(f"the page was not written: {failure}")
        return False
    return True


def _recorded(diagnosis: Diagnosis) -> tuple[Trace, tuple[Trial, ...]]:
    """The trace of a diagnosis and what its experiments came to; both empty where they are gone."""
    from .tools.store import recorded

    try:
        return recorded((diagnosis.trace or "").removeprefix("trace://"))
    except TraceInvalid:
        return Trace(), ()


def _show(diagnosis: Diagnosis) -> None:
    from .terminal import print_verdict, warn

    isolation = diagnosis.run.isolation
    if isolation is not None and isolation.level == "none":
        warn("no isolation here: the script ran with your own rights ('lossdoctor check' says why)")
    print_verdict(diagnosis)


def _fact(text: str) -> tuple[str, Scalar]:
    name, value = _assignment(text)
    try:
        parsed = json.loads(value)
    except ValueError:
        return name, value
    return name, parsed if isinstance(parsed, bool | int | float | str) else value


def _assignment(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise BadArgument(f"{text[:60]!r} is not NAME=VALUE", hint="write for example --fact optimizer=adam")
    return name, value
