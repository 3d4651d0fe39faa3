"""The server's life: no end of it may leave a probe running.

mcp 2.x stops by itself only when stdin closes. SIGINT does not end it (the stdin reader is a thread that
cannot be joined), SIGTERM skips ``finally`` blocks, and a launcher may die while another process still
holds the pipe open. SIGKILL cannot be caught here: the experiment's own parent-death signal covers it.
"""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NoReturn

import anyio

_PARENT_POLL_S = 1.0


@asynccontextmanager
async def guarded(_server: Any) -> AsyncIterator[None]:
    """Lifespan that ends the process, and every experiment, on a signal or when the parent is gone."""
    async with anyio.create_task_group() as tasks:
        await tasks.start(_end_on_signal)
        tasks.start_soon(_end_with_parent, os.getppid())
        try:
            yield
        finally:
            tasks.cancel_scope.cancel()
            _kill_experiments()


async def _end_on_signal(*, task_status: anyio.abc.TaskStatus[None]) -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM, signal.SIGHUP) as signals:
        task_status.started()
        async for number in signals:
            _leave(128 + number)


async def _end_with_parent(parent: int) -> None:
    # Claude Code, Cursor and uv start the server as their child; being adopted means that they died.
    while os.getppid() == parent:
        await anyio.sleep(_PARENT_POLL_S)
    _leave(0)


def _leave(code: int) -> NoReturn:
    # os._exit: an ordinary exit would wait for the blocked stdin reader thread.
    _kill_experiments()
    os._exit(code)


def _kill_experiments() -> None:
    from .sandbox import kill_all_experiments

    kill_all_experiments()
