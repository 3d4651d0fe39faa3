"""What a server costs that nobody has asked anything yet."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.mcp.raw import raw_client

IDLE_LIMIT_MB = 90

# Loaded only when a call needs it: each would cost every client's start tens of milliseconds and megabytes.
LATE = {
    "torch",
    "numpy",
    "matplotlib",
    "jinja2",
    "sqlite3",
    "lossdoctor.tools.chain",
    "lossdoctor.routing.router",
}


def test_the_server_loads_only_what_it_needs(server_python: str, tmp_path: Path) -> None:
    program = (
        "import json, sys, lossdoctor.app as app; app.build_server(); print(json.dumps(list(sys.modules)))"
    )
    done = subprocess.run(
        [server_python, "-c", program], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert not LATE & set(json.loads(done.stdout))


def test_a_server_that_ran_a_probe_is_still_small_and_without_torch(
    server_python: str, user_python: str, root: Path
) -> None:
    with raw_client(server_python, root) as client:
        pid = client.process.pid
        idle = resident_mb(pid)
        client.call(
            "run_grad_probe", {"script": "examples/digits_mlp.py", "python": user_python, "max_steps": 20}
        )
        message = client.receive()
        while "result" not in message:
            message = client.receive()
        assert message["result"]["structuredContent"]["run"]["steps"] == 20
        assert idle < IDLE_LIMIT_MB
        assert "libtorch" not in Path(f"/proc/{pid}/maps").read_text()


def resident_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in status if line.startswith("VmRSS")).split()[1]) / 1024
