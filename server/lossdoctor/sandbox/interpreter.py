"""Which Python runs the user's script: found, asked for its torch, and mapped to the folders it needs."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lossdoctor.errors import InterpreterNotFound, TorchMissing
from lossdoctor.sandbox.experiment import Interpreter
from lossdoctor.sandbox.hidden import home_folder

READONLY = Path(__file__).parent / "child" / "readonly.py"
DESCRIBE = Path(__file__).parent / "child" / "describe.py"
OLDEST_PYTHON, OLDEST_TORCH = (3, 10), (2, 2)
PATIENCE_S = 20.0  # a cold network disk may take this long to start a Python


@dataclass(frozen=True)
class Described:
    """A candidate's answer: ``problem`` says in words why it cannot be used, None when it can."""

    path: str
    version: str = ""
    torch: str = ""
    folders: tuple[str, ...] = ()
    problem: str | None = None
    missing: bool = False


def find_interpreter(script: Path, cwd: Path, python: str | None) -> Interpreter:
    """The first usable candidate: argument, active environment, the project's own, PATH, ours.

    ``python`` may be an executable, an environment's folder or a command name; when it is given, nothing
    else is tried. Raises InterpreterNotFound or TorchMissing; the text names everything that was tried.
    """
    tried: list[str] = []
    missing = True
    for source, candidate in candidates(script, cwd, python):
        found = describe(str(candidate))
        if found.problem is None:
            return Interpreter(found.path, found.version, found.torch, source)
        tried.append(f"{source} {candidate}: {found.problem}")
        missing = missing and found.missing
    listed = "; ".join(tried) or "no candidate at all"
    if python is not None and missing:
        hint = "give an executable, the folder of a virtual environment, or a command on PATH"
        raise InterpreterNotFound("the named interpreter cannot be used", where=listed, hint=hint)
    hint = "name the Python that trains with python=PATH (or a virtual environment's folder)"
    raise TorchMissing("no interpreter with a usable torch was found", where=f"tried {listed}", hint=hint)


def candidates(script: Path, cwd: Path, python: str | None) -> Iterator[tuple[str, Path]]:
    """(source, executable) in the order of preference, each executable once."""
    if python is not None:
        yield "argument", _named(python, cwd)
        return
    seen: set[Path] = set()
    for source, executable in (*_active(), *_of_project(script, cwd), *_usual()):
        if executable.exists() and executable.absolute() not in seen:
            seen.add(executable.absolute())
            yield source, executable.absolute()


def _named(python: str, cwd: Path) -> Path:
    path = Path(cwd, Path(python).expanduser())
    if path.is_dir():
        return next(
            (p for p in (path / "bin/python", path / "bin/python3", path / "python.exe") if p.exists()), path
        )
    if not path.exists() and (command := shutil.which(python)):
        return Path(command)
    return path.absolute()


def _active() -> Iterator[tuple[str, Path]]:
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if folder := os.environ.get(name):
            yield name, Path(folder) / "bin/python"


def _of_project(script: Path, cwd: Path) -> Iterator[tuple[str, Path]]:
    folders = list(dict.fromkeys([*_upwards(script.parent), *_upwards(cwd)]))
    for folder in folders:
        for name in (os.environ.get("UV_PROJECT_ENVIRONMENT") or ".venv", ".venv", "venv", "env"):
            yield f"project {name}", folder / name / "bin/python"
    for folder in folders:
        if executable := _poetry(folder):
            yield "poetry", executable


def _upwards(folder: Path) -> list[Path]:
    """The folder and its parents, up to the repository's or home's edge."""
    found: list[Path] = []
    for place in (folder, *folder.parents):
        if place in (home_folder(), Path("/")):
            break
        found.append(place)
        if (place / ".git").exists():
            break
    return found


def _poetry(folder: Path) -> Path | None:
    """Where poetry keeps the environment of a project; its name ends in a hash of the folder.

    Read, not asked: poetry itself would run the project's plugins. Hash as in poetry's EnvManager.
    """
    if not (folder / "pyproject.toml").exists():
        return None
    key = base64.urlsafe_b64encode(hashlib.sha256(os.fsencode(os.path.realpath(folder))).digest())[
        :8
    ].decode()
    cache = Path(os.environ.get("POETRY_CACHE_DIR") or home_folder() / ".cache" / "pypoetry")
    kept = Path(os.environ.get("POETRY_VIRTUALENVS_PATH") or cache / "virtualenvs")
    found = sorted(kept.glob(f"*-{key}-py3*/bin/python"))
    return found[-1] if found else None


def _usual() -> Iterator[tuple[str, Path]]:
    for name in ("python", "python3"):
        if command := shutil.which(name):
            yield "PATH", Path(command)
    yield "own", Path(sys.executable)


def describe(executable: str) -> Described:
    """Ask a candidate what it is; every failure becomes a ``problem`` in words.

    Only a usable answer is remembered, and only until something is installed there: servers live for days.
    """
    stamp, known = _known.get(executable, ((), Described(executable)))
    if stamp and stamp == _stamp(known.folders):
        return known
    found = _described(executable)
    if found.problem is None:
        _known[executable] = _known[found.path] = (_stamp(found.folders), found)
    return found


_known: dict[str, tuple[tuple[int, ...], Described]] = {}


def _stamp(folders: tuple[str, ...]) -> tuple[int, ...]:
    """When anything was last added to or removed from an interpreter's folders."""
    return tuple(Path(folder).stat().st_mtime_ns if Path(folder).exists() else 0 for folder in folders)


def _described(executable: str) -> Described:
    if not Path(executable).exists():
        return Described(executable, problem="does not exist", missing=True)
    try:
        return _judge(executable, _ask(executable))
    except subprocess.TimeoutExpired:
        return Described(executable, problem=f"did not answer within {PATIENCE_S:.0f} s", missing=True)
    except (OSError, ValueError, IndexError, KeyError) as error:
        return Described(executable, problem=f"does not run as Python ({str(error)[:120]})", missing=True)


def _ask(executable: str) -> dict[str, Any]:
    names = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "HOME", "PYENV_VERSION", "PYENV_ROOT")
    kept = {name: os.environ[name] for name in names if name in os.environ}
    asked = subprocess.run(
        [sys.executable, "-I", "-S", str(READONLY), executable, str(DESCRIBE)],
        capture_output=True, text=True, timeout=PATIENCE_S, check=False, stdin=subprocess.DEVNULL, cwd="/",
        env={**kept, "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    said = asked.stderr.strip().splitlines()
    if asked.returncode != 0:
        raise ValueError(said[-1] if said else "it failed silently")
    answer: dict[str, Any] = json.loads(asked.stdout.strip().splitlines()[-1])
    return answer


def _judge(executable: str, answer: dict[str, Any]) -> Described:
    version, torch = str(answer["version"]), str(answer["torch"] or "")
    own = str(DESCRIBE.parent)
    folders = (*answer["prefixes"], *(entry for entry in answer["path"] if entry != own), answer["library"])
    listed = tuple(dict.fromkeys(str(folder) for folder in folders if folder))
    path = str(answer["executable"] or executable)
    if _numbers(version) < OLDEST_PYTHON:
        return Described(path, version, problem=f"Python {version} is older than 3.10", missing=True)
    return Described(path, version, torch, listed, _problem_with(torch))


def _problem_with(torch: str) -> str | None:
    if not torch:
        return "no torch"
    old = torch != "unknown" and _numbers(torch) < OLDEST_TORCH
    return f"torch {torch} is older than 2.2" if old else None


def _numbers(version: str) -> tuple[int, ...]:
    parts = version.split("+")[0].split(".")[:2]
    return tuple(int("".join(c for c in part if c.isdigit()) or 0) for part in parts)
