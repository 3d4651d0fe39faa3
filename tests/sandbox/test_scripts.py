from __future__ import annotations

import json
from pathlib import Path

import pytest

from lossdoctor.errors import ScriptInvalid, ScriptNotFound
from lossdoctor.sandbox import check_script


def test_a_good_script_becomes_its_absolute_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "train.py").write_text("print(1)\n")
    monkeypatch.chdir(tmp_path)
    assert check_script("train.py") == tmp_path / "train.py"


def test_a_missing_script_is_answered_with_close_names(tmp_path: Path) -> None:
    (tmp_path / "train_mnist.py").touch()
    with pytest.raises(ScriptNotFound, match=r"SCRIPT_NOT_FOUND: .*did you mean .*train_mnist\.py"):
        check_script(tmp_path / "train_minst.py")


def test_a_missing_folder_is_answered_with_what_exists_above_it(tmp_path: Path) -> None:
    (tmp_path / "main.py").touch()
    with pytest.raises(ScriptNotFound, match=r"Hint: check the path; .* holds main\.py"):
        check_script(tmp_path / "no" / "such" / "zzzz.py")


def test_a_folder_is_refused_with_the_scripts_inside(tmp_path: Path) -> None:
    (tmp_path / "fit.py").touch()
    with pytest.raises(ScriptInvalid, match=r"folder.*Hint: name one of its files: fit\.py"):
        check_script(tmp_path)


@pytest.mark.parametrize("name", ["weights.pt", "notes.txt", "train"])
def test_another_kind_of_file_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    with pytest.raises(ScriptInvalid, match="not a Python script"):
        check_script(tmp_path / name)


def test_a_syntax_error_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("x = 1\nfor\n")
    with pytest.raises(ScriptInvalid, match=r"does not parse.*bad\.py:2"):
        check_script(tmp_path / "bad.py")


def test_a_null_byte_in_the_source_is_a_clear_refusal(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_bytes(b"x = 1\0\n")
    with pytest.raises(ScriptInvalid, match="does not parse"):
        check_script(tmp_path / "bad.py")


@pytest.mark.parametrize("path", ["a\0b.py", "x" * 5000 + ".py"])
def test_an_impossible_path_is_a_clear_refusal(path: str) -> None:
    with pytest.raises((ScriptInvalid, ScriptNotFound)):
        check_script(path)


def test_a_notebook_needs_a_code_cell(tmp_path: Path) -> None:
    notebook = tmp_path / "train.ipynb"
    notebook.write_text(json.dumps({"cells": [{"cell_type": "code", "source": ["x = 1"]}]}))
    assert check_script(notebook) == notebook
    notebook.write_text(json.dumps({"cells": [{"cell_type": "markdown", "source": ["hello"]}]}))
    with pytest.raises(ScriptInvalid, match="no code cell"):
        check_script(notebook)


def test_a_broken_notebook_is_refused(tmp_path: Path) -> None:
    (tmp_path / "train.ipynb").write_text("{")
    with pytest.raises(ScriptInvalid, match="not a notebook"):
        check_script(tmp_path / "train.ipynb")


def test_a_shell_wrapper_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text("python train.py\n")
    assert check_script(tmp_path / "run.sh").suffix == ".sh"
