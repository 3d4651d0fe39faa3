"""Time of ``route_symptom`` as a client sees it: a real server process, stdin and stdout, the SDK's own client.

    python benchmarks/routing/latency.py [--calls 200] [--python PATH]

Prints the first call (which reads the tables), the median and the 95th percentile of the rest, and the same for
``prompts/list``, which is about what the transport alone costs on this machine. The client's own check of every result
is part of both. Aim: median <= 5 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

import jsonschema  # noqa: F401  # the client loads it for its first result: not the server's time
from mcp import Client, StdioServerParameters

HERE = Path(__file__).parent


async def timed(call: Callable[[], Awaitable[object]]) -> float:
    """Milliseconds of one call."""
    start = time.perf_counter()
    await call()
    return 1e3 * (time.perf_counter() - start)


async def measure(python: str, texts: Sequence[str]) -> dict[str, list[float]]:
    """Milliseconds of each ``route_symptom`` call in order, and of as many of ``prompts/list``."""
    server = StdioServerParameters(command=python, args=["-m", "lossdoctor", "serve"])
    async with Client(server) as client:
        await client.list_tools()  # as every client does; without it the first call would pay for the list
        prompts = [await timed(client.list_prompts) for _ in texts]
        calls = [partial(client.call_tool, "route_symptom", {"symptom": text}) for text in texts]
        route = [await timed(call) for call in calls]
    return {"prompts/list": prompts, "route_symptom": route}


def line(name: str, taken: Sequence[float]) -> str:
    rest = sorted(taken[1:])
    return (
        f"| {name} | {taken[0]:.1f} | {statistics.median(rest):.2f} | {rest[int(0.95 * len(rest))]:.2f} | "
        f"{len(rest)} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args()
    lines = (HERE / "own_dev.jsonl").read_text("utf-8").splitlines()
    texts = [json.loads(one)["text"] for one in lines[:: max(len(lines) // (options.calls + 1), 1)]]
    taken = asyncio.run(measure(options.python, texts[: options.calls + 1]))
    print("| call | first, ms | median, ms | 95 %, ms | calls |\n|---|---|---|---|---|")
    print(*(line(name, values) for name, values in taken.items()), sep="\n")


if __name__ == "__main__":
    main()
