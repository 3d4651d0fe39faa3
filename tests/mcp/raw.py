"""A client of the protocol's first era, written out: a line of JSON a message, nothing that tidies up."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class RawClient:
    """Speaks to a server process; it only dies when it is told to."""

    def __init__(self, python: str, cwd: Path) -> None:
        self.process = subprocess.Popen(
            [python, "-m", "lossdoctor", "serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=cwd,
        )

    def send(self, method: str, params: dict[str, Any], number: int | None = None) -> None:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            message["id"] = number
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        message: dict[str, Any] = json.loads(self.process.stdout.readline())
        return message

    def open(self, version: str = "2025-11-25") -> dict[str, Any]:
        """The handshake; returns the server's answer."""
        about = {"name": "raw", "version": "0"}
        self.send("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": about}, 1)
        answer = self.receive()
        self.send("notifications/initialized", {})
        return answer

    def call(self, tool: str, arguments: dict[str, Any], number: int = 2) -> None:
        """Ask for a tool, with progress; does not wait."""
        params = {"name": tool, "arguments": arguments, "_meta": {"progressToken": "p"}}
        self.send("tools/call", params, number)

    def close(self) -> None:
        """Kill the server, if it still runs, and close the pipes."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()

    def until_progress(self, text: str = "") -> None:
        """Read messages up to a progress notification whose message holds ``text``."""
        message: dict[str, Any] = {}
        while message.get("method") != "notifications/progress" or text not in str(message):
            message = self.receive()
            assert "result" not in message, f"the call ended before it was to be interrupted: {message}"


@contextmanager
def raw_client(python: str, cwd: Path) -> Iterator[RawClient]:
    """A connected client; whatever is left of the server is killed at the end."""
    client = RawClient(python, cwd)
    try:
        client.open()
        yield client
    finally:
        client.close()
