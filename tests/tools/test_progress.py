from __future__ import annotations

import pytest

from lossdoctor.tools.progress import reporter

pytestmark = pytest.mark.anyio


class Client:
    """Stands where the SDK's context stands and remembers what was sent."""

    def __init__(self) -> None:
        self.seen: list[tuple[float, float | None, str]] = []

    async def report_progress(self, progress: float, total: float | None, message: str) -> None:
        self.seen.append((progress, total, message))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Time that a test moves by hand."""
    now = [100.0]
    monkeypatch.setattr("lossdoctor.tools.progress.monotonic", lambda: now[0])
    return now


async def test_progress_grows_although_every_experiment_counts_from_zero(clock: list[float]) -> None:
    client = Client()
    report = reporter(client)  # type: ignore[arg-type]
    for steps in (1, 5, 0, 2):
        clock[0] += 1
        await report(steps, 10, "step")
    numbers = [sent[0] for sent in client.seen]
    assert numbers == sorted(set(numbers))
    assert len(numbers) == 4


async def test_a_fast_loop_does_not_flood_the_client(clock: list[float]) -> None:
    client = Client()
    report = reporter(client)  # type: ignore[arg-type]
    for steps in range(1000):
        clock[0] += 0.001
        await report(steps, 1000, "step")
    assert 4 <= len(client.seen) <= 6


async def test_a_message_fits_the_tool_row(clock: list[float]) -> None:
    client = Client()
    await reporter(client)(1, None, "x" * 900)  # type: ignore[arg-type]
    assert len(client.seen[0][2]) == 200
