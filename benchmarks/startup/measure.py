"""Start-up and idle memory of the server against a bare MCPServer with one tool, in pairs.

    python benchmarks/startup/measure.py [--pairs 15] [--python PATH]

Each pair starts both servers one after the other, in alternating order, and takes the time from spawn to the
answer of ``tools/list``. The ratio of the medians is what counts: absolute times belong to the machine.
Writes ``benchmarks/startup/results.md``. Aims: ratio <= 1.15, idle memory < 90 MB.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

HERE = Path(__file__).parent
BARE = (
    "from mcp.server import MCPServer\n"
    "server = MCPServer('hello', version='0')\n"
    "@server.tool()\n"
    "async def hello() -> str:\n"
    "    return 'hello'\n"
    "server.run()\n"
)
ASKS = (
    {
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "b", "version": "0"},
        },
    },
    {"method": "notifications/initialized", "params": {}},
    {"id": 2, "method": "tools/list", "params": {}},
)


def start(command: list[str]) -> tuple[float, float]:
    """(seconds from spawn to the list of tools, resident MB after it)."""
    began = time.perf_counter()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        for ask in ASKS:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **ask}).encode() + b"\n")
            server.stdin.flush()
            if "id" in ask:
                server.stdout.readline()
        took = time.perf_counter() - began
        memory = resident_mb(server.pid)
        server.stdin.close()
    return took, memory


def resident_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def measure(python: str, pairs: int) -> dict[str, float]:
    """Medians of both servers and their ratio; one unmeasured pair warms the file cache."""
    commands = {"bare": [python, "-c", BARE], "lossdoctor": [python, "-m", "lossdoctor", "serve"]}
    taken: dict[str, list[float]] = {"bare": [], "lossdoctor": []}
    memory: dict[str, list[float]] = {"bare": [], "lossdoctor": []}
    for number in range(pairs + 1):
        for name in sorted(commands, reverse=bool(number % 2)):
            seconds, resident = start(commands[name])
            if number:
                taken[name].append(seconds)
                memory[name].append(resident)
    return {
        "bare_s": median(taken["bare"]),
        "lossdoctor_s": median(taken["lossdoctor"]),
        "ratio": median(taken["lossdoctor"]) / median(taken["bare"]),
        "bare_mb": median(memory["bare"]),
        "lossdoctor_mb": median(memory["lossdoctor"]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--python", default=sys.executable)
    chosen = parser.parse_args()
    found = measure(chosen.python, chosen.pairs)
    table = (
        f"{chosen.pairs} alternating pairs, Python {platform.python_version()}, {platform.machine()}\n\n"
        "| server | spawn to tools/list, median | idle memory, median |\n|---|---|---|\n"
        f"| bare MCPServer, one tool | {found['bare_s']:.3f} s | {found['bare_mb']:.1f} MB |\n"
        f"| lossdoctor | {found['lossdoctor_s']:.3f} s | {found['lossdoctor_mb']:.1f} MB |\n"
        f"| ratio | {found['ratio']:.2f} | {found['lossdoctor_mb'] / found['bare_mb']:.2f} |\n"
    )
    (HERE / "results.md").write_text(table, encoding="utf-8")
    print(table)


if __name__ == "__main__":
    main()
