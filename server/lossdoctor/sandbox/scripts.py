"""Is this a script that can be run? Answers before anything is started."""

from __future__ import annotations

import ast
import difflib
import json
from pathlib import Path
from typing import Any

from lossdoctor.errors import ScriptInvalid, ScriptNotFound

RUNNABLE = (".py", ".ipynb", ".sh")
LARGEST = 10 << 20  # bytes; a training script beyond this is not one


def check_script(script: str | Path) -> Path:
    """The absolute path of a runnable script.

    Raises ScriptNotFound (with close matches) or ScriptInvalid (a folder, another kind of file, not
    readable, does not parse: with the line number).
    """
    path = Path(script).expanduser().absolute()
    try:
        if path.is_dir():
            raise _a_folder(path)
        if not path.exists():
            raise ScriptNotFound("there is no such script", where=str(path), hint=_suggest(path))
    except (OSError, ValueError) as error:  # a path too long, or with a null byte
        raise ScriptInvalid(
            f"not a usable path: {error}", where=repr(script)[:200], hint="give a .py file"
        ) from error
    if path.suffix not in RUNNABLE:
        hint = f"give the training script itself, one of {', '.join(RUNNABLE)}"
        raise ScriptInvalid(f"{path.name!r} is not a Python script", where=str(path), hint=hint)
    _check_content(path)
    return path


def _a_folder(path: Path) -> ScriptInvalid:
    inside = sorted(item.name for item in path.glob("*.py"))[:5]
    hint = f"name one of its files: {', '.join(inside)}" if inside else "give the path of the training script"
    return ScriptInvalid("this is a folder, not a script", where=str(path), hint=hint)


def _suggest(path: Path) -> str:
    """Close names in the same folder, or the same name elsewhere below the nearest existing folder."""
    folder = next(parent for parent in path.parents if parent.is_dir())
    names = [item.name for item in folder.iterdir() if item.suffix in RUNNABLE]
    near = difflib.get_close_matches(path.name, names, n=3, cutoff=0.6)
    if near:
        return "did you mean " + " or ".join(str(folder / name) for name in near)
    return f"check the path; {folder} holds " + (", ".join(sorted(names)[:5]) or "no script")


def _check_content(path: Path) -> None:
    try:
        if path.stat().st_size > LARGEST:
            raise ScriptInvalid(
                "the file is too large for a script", where=str(path), hint="give the script itself"
            )
        source = path.read_bytes()
    except OSError as error:
        hint = "check its permissions"
        raise ScriptInvalid(f"it cannot be read: {error.strerror}", where=str(path), hint=hint) from error
    if path.suffix == ".py":
        _parse(path, source)
    elif path.suffix == ".ipynb":
        _check_notebook(path, source)


def _parse(path: Path, source: bytes) -> None:
    try:
        ast.parse(source, filename=str(path))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        where = f"{path}:{line}" if line else str(path)
        what = f"it does not parse: {getattr(error, 'msg', None) or error}"
        raise ScriptInvalid(what, where=where, hint="fix the syntax, then run it again") from error


def _check_notebook(path: Path, source: bytes) -> None:
    try:
        notebook: Any = json.loads(source)
        cells = notebook["cells"]
    except (ValueError, KeyError, TypeError) as error:
        hint = "save it again from Jupyter, or give a .py file"
        raise ScriptInvalid("not a notebook in format 4 (no cells)", where=str(path), hint=hint) from error
    if not any(cell.get("cell_type") == "code" for cell in cells):
        raise ScriptInvalid(
            "the notebook has no code cell", where=str(path), hint="give the training notebook"
        )
