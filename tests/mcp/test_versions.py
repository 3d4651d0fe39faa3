"""Old clients are still served, and what is not a message does no harm."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.mcp.raw import RawClient


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_every_published_protocol_version_is_answered_in_kind(
    version: str, server_python: str, tmp_path: Path
) -> None:
    client = RawClient(server_python, tmp_path)
    try:
        assert client.open(version)["result"]["protocolVersion"] == version
        client.call("search_sheets", {"query": "loss is nan"})
        assert client.receive()["result"]["structuredContent"]["hits"]
    finally:
        client.close()


def test_a_garbage_line_does_not_end_the_server(server_python: str, tmp_path: Path) -> None:
    client = RawClient(server_python, tmp_path)
    try:
        client.open()
        assert client.process.stdin is not None
        client.process.stdin.write(b"{not json}\n\xff\xfe\n")
        client.call("read_sheet", {"sheet": "gradient-management"})
        message = client.receive()
        while message.get("id") != 2:
            message = client.receive()
        assert message["result"]["structuredContent"]["sections"]
    finally:
        client.close()
