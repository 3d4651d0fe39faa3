"""Ends a script that no hook can end: it hangs, waits, or computes without ever making a step."""

from __future__ import annotations

import os
import sys
import threading

from .session import Session

SLACK_S = 1.0  # hooks get this long after ``max_seconds`` to stop the script themselves


def start(session: Session) -> None:
    """Watch from a daemon thread; at ``max_seconds`` plus slack, note where the script stands and leave."""
    seconds = session.config.get("max_seconds")
    if seconds is not None:
        timer = threading.Timer(float(seconds) + SLACK_S, _expire, (session,))
        timer.daemon = True
        timer.start()


def _expire(session: Session) -> None:
    if os.getpid() != session.pid:
        return
    if session.active:
        place = _place(session)
        idle = session.seconds() - session.last_step
        session.write(
            {"k": "hang", "i": session.now, "idle": round(idle, 2), "file": place[0], "line": place[1]}
        )
        session.end("max_seconds")
    os._exit(0)


def _place(session: Session) -> tuple[str | None, int | None]:
    """The innermost line of the user's code that the main thread is executing."""
    frame = sys._current_frames().get(session.thread)
    while frame is not None and not session.sites.is_user(frame.f_code):
        frame = frame.f_back
    return (session.real(frame.f_code.co_filename), frame.f_lineno) if frame is not None else (None, None)
