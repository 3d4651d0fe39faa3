"""Runs one order in a warm interpreter: ``warmed.py SOCKET ORDER.json``. Stands in for the supervisor.

Its own three streams go to the fork that supervises the experiment; then it waits for that to end, and
passes SIGTERM on. Every experiment waits for this program: it imports the C modules under ``socket`` and
``signal``, whose Python halves took more than half of its time (31 ms with them, 14 without).
"""

# ruff: noqa: PTH119, PTH120
from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import _socket
import os
import sys

UNAVAILABLE = 75  # EX_TEMPFAIL of sysexits.h: the caller starts a cold interpreter instead


def main(path: str, order: str) -> int:
    """0 when the experiment has been supervised to its end, UNAVAILABLE when nobody took the order."""
    line = _socket.socket(_socket.AF_UNIX)
    try:
        os.chdir(os.path.dirname(path))
        line.connect(os.path.basename(path))
        streams = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
        line.sendmsg([order.encode()], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
        supervisor = int(line.recv(32))
    except (OSError, ValueError):
        return UNAVAILABLE
    _signal.signal(_signal.SIGTERM, lambda *_: _end(supervisor))
    _let_go_of_streams()
    while line.recv(1):
        pass
    return 0


def _end(supervisor: int) -> None:
    try:  # noqa: SIM105 (contextlib costs milliseconds here)
        os.kill(supervisor, _signal.SIGTERM)
    except OSError:
        pass


def _let_go_of_streams() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
