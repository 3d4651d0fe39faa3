"""Runs one order in a warm interpreter: ``warmed.py SOCKET ORDER.json``. Stands in for the supervisor.

Its own three streams go to the fork that supervises the experiment; then it waits for that to end, and
passes SIGTERM on.
"""

# ruff: noqa: PTH119, PTH120
from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys

UNAVAILABLE = 75  # EX_TEMPFAIL of sysexits.h: the caller starts a cold interpreter instead


def main(path: str, order: str) -> int:
    """0 when the experiment has been supervised to its end, UNAVAILABLE when nobody took the order."""
    with socket.socket(socket.AF_UNIX) as line:
        try:
            os.chdir(os.path.dirname(path))
            line.connect(os.path.basename(path))
            socket.send_fds(line, [order.encode()], [0, 1, 2])
            supervisor = int(line.recv(32))
        except (OSError, ValueError):
            return UNAVAILABLE
        signal.signal(signal.SIGTERM, lambda *_: _end(supervisor))
        _let_go_of_streams()
        while line.recv(1):
            pass
    return 0


def _end(supervisor: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(supervisor, signal.SIGTERM)


def _let_go_of_streams() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
