"""Writes what the server publishes about its tools to ``tools.json``, for a diff that a person reads."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from mcp import Client

from lossdoctor.app import build_server


async def published() -> list[dict[str, object]]:
    async with Client(build_server()) as client:
        tools = (await client.list_tools()).tools
    return [tool.model_dump(by_alias=True, exclude_none=True) for tool in tools]


if __name__ == "__main__":
    target = Path(__file__).parent / "tools.json"
    target.write_text(json.dumps(asyncio.run(published()), indent=1) + "\n", encoding="utf-8")
