"""The SDK's own client on a real server process."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

from mcp import Client, StdioServerParameters

Mode = Literal["auto", "legacy"]


@asynccontextmanager
async def connected(
    python: str, mode: Mode, cwd: Path, env: dict[str, str] | None = None, **options: Any
) -> AsyncIterator[Client]:
    """A client of the newest protocol (``auto``) or of the one before it (``legacy``)."""
    server = StdioServerParameters(
        command=python, args=["-m", "lossdoctor", "serve"], cwd=cwd, env={**os.environ, **(env or {})}
    )
    async with Client(server, mode=mode, **options) as client:
        yield client


def text_of(result: Any) -> str:
    """The text block of a tool result."""
    return str(result.content[0].text)
