"""What a process prints, drained as fast as it comes and kept only at its end."""

from __future__ import annotations

from anyio import EndOfStream
from anyio.abc import ByteReceiveStream

TAIL = 8 << 10  # bytes kept
CHUNK = 1 << 18


class Tail:
    """The last 8 KB of a stream and the number of bytes that went through it."""

    def __init__(self) -> None:
        self._kept = b""
        self.bytes = 0

    async def drain(self, stream: ByteReceiveStream) -> None:
        """Read until the stream ends; never blocks the writer, never keeps more than the tail."""
        while True:
            try:
                chunk = await stream.receive(CHUNK)
            except EndOfStream:
                return
            self.bytes += len(chunk)
            self._kept = (self._kept + chunk[-TAIL:])[-TAIL:]

    @property
    def text(self) -> str:
        """The tail, decoded; a broken first character is dropped."""
        return self._kept.decode("utf-8", "replace").lstrip("\N{REPLACEMENT CHARACTER}")
