from __future__ import annotations

from pathlib import Path

import pytest

from lossdoctor.tools.places import absolute, project_folder


def test_a_relative_script_belongs_to_the_open_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(tmp_path))
    assert absolute("train.py") == str(tmp_path / "train.py")


def test_without_a_project_it_belongs_to_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CLAUDE_PROJECT_DIR", raising=False)
    monkeypatch.chdir(tmp_path)
    assert absolute("src/train.py") == str(tmp_path / "src/train.py")


def test_an_absolute_path_stays_as_it_is(tmp_path: Path) -> None:
    assert absolute(str(tmp_path / "a.py"), cwd="/elsewhere") == str(tmp_path / "a.py")


def test_a_named_folder_wins_over_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(tmp_path))
    assert project_folder("sub") == tmp_path / "sub"
    assert project_folder("/abs") == Path("/abs")


def test_a_tilde_is_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert absolute("~/train.py") == "/home/ada/train.py"
