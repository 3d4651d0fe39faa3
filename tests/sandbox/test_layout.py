"""The recorder's byte code, kept beside it."""

from __future__ import annotations

from importlib.util import cache_from_source
from pathlib import Path

import pytest

from lossdoctor.sandbox import layout


def test_the_byte_code_of_the_recorder_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "launch.py"
    source.write_text("ANSWER = 42\n")
    monkeypatch.setattr(layout, "RECORDER", tmp_path)
    layout.compile_recorder.__wrapped__()
    assert Path(cache_from_source(str(source))).is_file()


def test_a_folder_that_cannot_be_written_is_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "launch.py").write_text("ANSWER = 42\n")
    (tmp_path / "__pycache__").write_text("a file where a folder is needed")
    monkeypatch.setattr(layout, "RECORDER", tmp_path)
    layout.compile_recorder.__wrapped__()
    assert capfd.readouterr() == ("", "")
