"""Remarks name what a user can act on, and nothing else."""

from __future__ import annotations

from pathlib import Path

from lossdoctor.sandbox.notes import notes_for
from lossdoctor.sandbox.project import Copy, Project


def test_large_data_is_named_and_an_environment_is_not(tmp_path: Path) -> None:
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "pyvenv.cfg").touch()
    copy = Copy(linked=[Path(".venv"), Path("images.npz")])
    (note,) = notes_for(Project(tmp_path), copy, "", network=False)
    assert "images.npz" in note
    assert ".venv" not in note


def test_nothing_linked_but_an_environment_needs_no_note(tmp_path: Path) -> None:
    (tmp_path / "env").mkdir()
    (tmp_path / "env" / "pyvenv.cfg").touch()
    assert notes_for(Project(tmp_path), Copy(linked=[Path("env")]), "", network=False) == ()
