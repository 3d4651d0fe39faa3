"""Recording inside a process that somebody else started: a rank of ``torchrun``, a line of a shell script."""

from __future__ import annotations

import atexit
import os
import sys
from types import TracebackType
from typing import Any

import torch

from . import run, watchdog
from .session import Session, Stop


def attach(config: dict[str, Any]) -> None:
    """Install the hooks; the records get their final name when this process is the first of its rank to train.

    Rank 0 writes to the trace folder itself, rank ``k`` to ``rank<k>`` inside it.
    """
    rank = os.environ.get("RANK", "0")
    folder = config["trace"] if rank == "0" else os.path.join(config["trace"], f"rank{int(rank)}")
    session = Session({**config, "trace": folder, "records": f"records-{os.getpid()}.jsonl"})
    torch.manual_seed(int(config.get("seed", 0)))
    run.start_row(session)
    run.install(session)
    watchdog.start(session)
    _claim_when_training(session)
    _follow_the_end(session)


def _claim_when_training(session: Session) -> None:
    """A preparation script may import torch too: the trace belongs to the process that computes gradients."""
    waiting = [True]

    def claim(*_: Any) -> None:
        if waiting and session.here():
            waiting.clear()
            session.writer.rename("records.jsonl")

    session.parts.gradients.before_backward.append(claim)
    session.before_step.append(claim)


def _follow_the_end(session: Session) -> None:
    original_hook, original_exit = sys.excepthook, sys.exit
    codes: list[Any] = []

    def excepthook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if session.active and not isinstance(error, Stop):
            run.write_failure(session, error)
            session.writer.rename("records.jsonl")  # an error before the first step is worth knowing
        original_hook(kind, error, trace)

    def leave(code: Any = None) -> None:
        codes.append(code)
        original_exit(code)

    def end() -> None:
        if session.active and codes and codes[-1] not in (None, 0):
            run.write_failure(session, SystemExit(codes[-1]))
        session.end("script_end")

    sys.excepthook, sys.exit = excepthook, leave  # type: ignore[assignment]
    atexit.register(end)
