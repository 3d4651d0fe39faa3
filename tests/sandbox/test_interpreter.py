from __future__ import annotations

import base64
import hashlib
import json
import os
from pathlib import Path

import pytest

from lossdoctor.errors import InterpreterNotFound, TorchMissing
from lossdoctor.sandbox import find_interpreter, interpreter
from lossdoctor.sandbox.child import landlock
from lossdoctor.sandbox.interpreter import Described, candidates, describe

pytestmark = pytest.mark.usefixtures("clean")


@pytest.fixture
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No active environment, no Python on PATH, a home of our own."""
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX", "UV_PROJECT_ENVIRONMENT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(interpreter, "_known", {})


def fake_python(path: Path, answer: str) -> Path:
    """An executable that answers the question as an interpreter would."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n/bin/cat <<'X'\n{answer}\nX\n")
    path.chmod(0o755)
    return path


def answer(torch: str | None, version: str = "3.12.1") -> str:
    told = {"executable": "", "version": version, "torch": torch, "prefixes": [], "path": [], "library": ""}
    return json.dumps(told)


def test_the_named_interpreter_is_asked_without_importing_torch(user_python: str, tmp_path: Path) -> None:
    found = find_interpreter(tmp_path / "train.py", tmp_path, user_python)
    assert found.source == "argument"
    assert found.torch[0].isdigit()
    assert "import torch\n" not in interpreter.DESCRIBE.read_text()


def test_a_virtual_environment_folder_is_accepted(user_python: str, tmp_path: Path) -> None:
    folder = str(Path(user_python).parent.parent)
    assert find_interpreter(tmp_path / "train.py", tmp_path, folder).path == user_python


def test_a_command_name_is_looked_up(tmp_path: Path) -> None:
    fake_python(tmp_path / "bin" / "python-for-torch", answer("2.9.0"))
    found = find_interpreter(tmp_path / "train.py", tmp_path, "python-for-torch")
    assert found.path == str(tmp_path / "bin" / "python-for-torch")


def test_the_active_environment_wins_over_the_projects_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_python(tmp_path / ".venv/bin/python", answer("2.5.0"))
    fake_python(tmp_path / "active/bin/python", answer("2.6.0"))
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path / "active"))
    assert find_interpreter(tmp_path / "train.py", tmp_path, None).source == "VIRTUAL_ENV"


def test_a_project_environment_is_found_above_the_script(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    fake_python(tmp_path / ".venv/bin/python", answer("2.5.0"))
    found = find_interpreter(tmp_path / "src" / "train.py", tmp_path / "src", None)
    assert (found.source, found.torch) == ("project .venv", "2.5.0")


def test_a_candidate_without_torch_is_passed_over(tmp_path: Path) -> None:
    fake_python(tmp_path / ".venv/bin/python", answer(None))
    fake_python(tmp_path / "bin/python", answer("2.7.1"))
    assert find_interpreter(tmp_path / "train.py", tmp_path, None).source == "PATH"


def test_when_none_has_torch_everything_tried_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_python(tmp_path / ".venv/bin/python", answer(None))
    fake_python(tmp_path / "venv/bin/python", answer("1.13.1"))
    own = fake_python(tmp_path / "own/python", answer(None))
    monkeypatch.setattr(interpreter, "_usual", lambda: [("own", own)])
    with pytest.raises(TorchMissing) as caught:
        find_interpreter(tmp_path / "train.py", tmp_path, None)
    text = str(caught.value)
    assert "project .venv" in text
    assert "torch 1.13.1 is older than 2.2" in text
    assert "own" in text
    assert "Hint: name the Python that trains" in text


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("exit 3", "failed silently"),
        ("echo hello", "does not run as Python"),
        ("echo oops >&2; exit 1", "oops"),
    ],
)
def test_a_thing_that_is_no_python_is_named_as_such(tmp_path: Path, content: str, problem: str) -> None:
    path = tmp_path / "thing"
    path.write_text(f"#!/bin/sh\n{content}\n")
    path.chmod(0o755)
    with pytest.raises(InterpreterNotFound, match=problem):
        find_interpreter(tmp_path / "train.py", tmp_path, str(path))


def test_a_missing_interpreter_is_named(tmp_path: Path) -> None:
    with pytest.raises(InterpreterNotFound, match="does not exist"):
        find_interpreter(tmp_path / "train.py", tmp_path, "no-such-python")


def test_a_named_interpreter_without_torch_is_torch_missing(server_python: str, tmp_path: Path) -> None:
    with pytest.raises(TorchMissing, match="no torch"):
        find_interpreter(tmp_path / "train.py", tmp_path, server_python)


def test_an_old_python_is_refused(tmp_path: Path) -> None:
    path = fake_python(tmp_path / "py", answer("2.0.1", version="3.8.20"))
    with pytest.raises(InterpreterNotFound, match=r"Python 3\.8\.20 is older than 3\.10"):
        find_interpreter(tmp_path / "train.py", tmp_path, str(path))


def test_each_executable_is_tried_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_python(tmp_path / ".venv/bin/python", answer(None))
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path / ".venv"))
    found = [path for _, path in candidates(tmp_path / "train.py", tmp_path, None)]
    assert found.count(tmp_path / ".venv/bin/python") == 1


def test_an_interpreter_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreter, "PATIENCE_S", 0.2)
    path = tmp_path / "slow"
    path.write_text("#!/bin/sh\nexec /bin/sleep 20\n")
    path.chmod(0o755)
    assert describe(str(path)) == Described(str(path), problem="did not answer within 0 s", missing=True)


def test_a_projects_own_interpreter_can_neither_write_nor_talk(tmp_path: Path, project_cannot: str) -> None:
    marker = tmp_path / "marker"
    path = tmp_path / "evil"
    path.write_text(f"#!/bin/sh\n/bin/echo x > {marker}\n{project_cannot}\n")
    path.chmod(0o755)
    with pytest.raises(InterpreterNotFound):
        find_interpreter(tmp_path / "train.py", tmp_path, str(path))
    assert not marker.exists()


@pytest.fixture
def project_cannot() -> str:
    if landlock.abi() == 0:
        pytest.skip("no Landlock in this kernel")
    return "exit 1"


def test_a_poetry_environment_is_found_by_its_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").touch()
    key = base64.urlsafe_b64encode(hashlib.sha256(str(tmp_path).encode()).digest()).decode()[:8]
    monkeypatch.setenv("POETRY_VIRTUALENVS_PATH", str(tmp_path / "envs"))
    fake_python(tmp_path / f"envs/net-{key}-py3.12/bin/python", answer("2.8.0"))
    assert find_interpreter(tmp_path / "train.py", tmp_path, None).source == "poetry"


def test_torch_that_is_installed_later_is_seen(tmp_path: Path) -> None:
    path = fake_python(tmp_path / "py", answer(None))
    assert describe(str(path)).problem == "no torch"
    fake_python(tmp_path / "py", answer("2.9.0"))
    assert describe(str(path)).torch == "2.9.0"


def test_a_usable_answer_is_asked_once_until_something_is_installed(tmp_path: Path) -> None:
    packages = tmp_path / "site-packages"
    packages.mkdir()
    told = json.loads(answer("2.8.0")) | {"path": [str(packages)]}
    path = fake_python(tmp_path / "py", json.dumps(told))
    assert describe(str(path)).torch == "2.8.0"
    fake_python(path, json.dumps(told | {"torch": "2.9.0"}))
    assert describe(str(path)).torch == "2.8.0"
    (packages / "torch-2.9.0.dist-info").mkdir()
    os.utime(packages, ns=(1, 1))
    assert describe(str(path)).torch == "2.9.0"
