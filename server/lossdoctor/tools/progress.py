"""Progress of a long call, in the form that clients take: growing numbers, short messages, not too many."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from time import monotonic

from mcp.server.mcpserver import Context

Report = Callable[[float, float | None, str], Awaitable[None]]

_MESSAGE_LIMIT = 200  # Claude Code shows this many characters on the tool's row
_SHORTEST_GAP_S = 0.2


def reporter(context: Context) -> Report:  # the SDK injects by the bare name
    """A callback for chains that forwards to the client.

    The protocol wants ``progress`` to grow with every notification, while a chain counts steps of several
    experiments from zero: what does not grow is counted on from the last number.
    """
    last, sent_at = 0.0, 0.0

    async def report(progress: float, total: float | None, message: str) -> None:
        nonlocal last, sent_at
        now = monotonic()
        if now - sent_at < _SHORTEST_GAP_S:
            return
        last, sent_at = max(progress, last + 1e-3), now
        await context.report_progress(last, total, message[:_MESSAGE_LIMIT])

    return report
