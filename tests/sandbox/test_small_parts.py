"""Limits, output, steps and notes."""

from __future__ import annotations

from pathlib import Path

import pytest
from anyio import EndOfStream

from lossdoctor.sandbox import limits
from lossdoctor.sandbox.limits import Limits
from lossdoctor.sandbox.notes import notes_for
from lossdoctor.sandbox.output import TAIL, Tail
from lossdoctor.sandbox.project import Copy, Project
from lossdoctor.sandbox.steps import steps_in


def test_a_container_limit_counts_as_the_machines_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "memory.max").write_text("1000000")
    (tmp_path / "unlimited").write_text("max")
    monkeypatch.setattr(limits, "CGROUP_LIMITS", (str(tmp_path / "memory.max"), str(tmp_path / "unlimited")))
    assert limits.machine_memory() == 1_000_000
    assert Limits().memory == 750_000


def test_an_address_space_limit_is_never_set_and_data_only_without_gpu() -> None:
    assert "RLIMIT_AS" not in Limits().for_process(gpu=False)
    assert "RLIMIT_DATA" in Limits().for_process(gpu=False)
    assert "RLIMIT_DATA" not in Limits().for_process(gpu=True)


def test_the_clock_leaves_time_to_import() -> None:
    assert Limits().wall(60.0) == 80.0


class Printed:
    """A byte stream with prepared chunks."""

    def __init__(self, chunks: list[bytes]) -> None:
        self.chunks = chunks

    async def receive(self, max_bytes: int = 65536) -> bytes:
        if not self.chunks:
            raise EndOfStream
        return self.chunks.pop(0)


@pytest.mark.anyio
async def test_a_tail_keeps_the_end_and_counts_all() -> None:
    tail = Tail()
    await tail.drain(Printed([b"x" * 1000] * 50 + ["end é".encode()]))  # type: ignore[arg-type]
    assert tail.bytes == 50_006
    assert len(tail.text.encode()) <= TAIL
    assert tail.text.endswith("end é")


def test_steps_are_read_from_the_end_of_the_trace(tmp_path: Path) -> None:
    assert steps_in(tmp_path) == 0
    rows = ['{"k":"start"}', *(f'{{"k":"step","i":{i},"loss":[0.5]}}' for i in range(1, 5000)), '{"k":"ste']
    (tmp_path / "records.jsonl").write_text("\n".join(rows))
    assert steps_in(tmp_path) == 4999


def test_a_blocked_host_is_named_with_the_way_to_allow_it() -> None:
    text = "MaxRetryError: HTTPSConnectionPool(host='huggingface.co', port=443): Max retries exceeded"
    (note,) = notes_for(Project(Path("/p")), Copy(), text, network=False)
    assert "huggingface.co" in note
    assert "allow_network=true" in note
    assert notes_for(Project(Path("/p")), Copy(), text, network=True) == ()


def test_an_ordinary_error_says_nothing_of_networks() -> None:
    assert notes_for(Project(Path("/p")), Copy(), "ValueError: see https://pytorch.org/docs", False) == ()


def test_linked_files_and_loose_scripts_are_mentioned() -> None:
    copied = Copy(linked=[Path(f"f{i}") for i in range(7)])
    first, second = notes_for(Project(Path("/home/me"), loose=True), copied, "", network=False)
    assert first.endswith("f0, f1, f2, f3, f4 and 2 more")
    assert "no sub-folders" in second
