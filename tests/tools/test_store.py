"""Traces are kept in the cache folder, a bounded number of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lossdoctor.errors import TraceInvalid
from lossdoctor.tools import store


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LOSSDOCTOR_TRACES", str(tmp_path))
    return tmp_path


def test_the_oldest_traces_go_when_there_are_too_many(cache: Path) -> None:
    for age in range(store.KEPT + 5):
        old = cache / f"old{age:02d}"
        old.mkdir()
        os.utime(old, (1000 + age, 1000 + age))
    new = store.new_folder()
    left = {folder.name for folder in cache.iterdir()}
    assert len(left) == store.KEPT
    assert new.name in left
    assert "old00" not in left


def test_a_trace_that_is_being_written_stays_however_many_there_are(cache: Path) -> None:
    """Many diagnoses may run at once, and each still needs what it has recorded."""
    busy = [store.new_folder() for _ in range(store.KEPT + 5)]
    for folder in busy:
        os.utime(folder, (1000, 1000))
        (folder / "records.jsonl").write_text("", encoding="utf-8")
        os.utime(folder, (1000, 1000))
    done = cache / "done"
    done.mkdir()
    os.utime(done, (2000, 2000))
    store.new_folder()
    assert all(folder.is_dir() for folder in busy)
    assert not done.exists()


def test_a_trace_is_found_by_its_id_and_nothing_outside_the_folder(cache: Path) -> None:
    folder = store.new_folder()
    assert store.find(folder.name) == folder
    for wrong in ("nothing", "..", "../etc", ""):
        with pytest.raises(TraceInvalid):
            store.find(wrong)


def test_the_last_torch_is_that_of_the_newest_trace_that_can_be_read(cache: Path) -> None:
    assert store.last_torch() is None
    folder = store.new_folder()
    assert store.last_torch() is None
    (folder / "records.jsonl").write_text('{"k":"start","torch":"2.4.1"}\n{"k":"st', encoding="utf-8")
    assert store.last_torch() == "2.4.1"
