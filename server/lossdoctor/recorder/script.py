"""Runs the user's script as a real ``__main__`` module: path, module name, or notebook."""

from __future__ import annotations

import builtins
import importlib.machinery
import importlib.util
import json
import linecache
import os
import sys
from types import CodeType, ModuleType
from typing import Any


def run(script: str, module: str | None, argv: list[str]) -> None:
    """Execute as ``python script argv...`` or ``python -m module argv...`` would.

    Raises whatever the script raises, SystemExit included.
    """
    if module is not None:
        spec = _module_spec(module)
        sys.path.insert(0, os.getcwd())
        sys.argv = [str(spec.origin), *argv]
        main = _fresh_main(str(spec.origin))
        main.__spec__ = spec
        main.__package__ = spec.parent
        code = _compile(_read(str(spec.origin)), str(spec.origin))
    else:
        sys.path.insert(0, os.path.dirname(script))
        sys.argv = [script, *argv]
        main = _fresh_main(script)
        code = _compiled(script)
    exec(code, main.__dict__)


def _module_spec(name: str) -> importlib.machinery.ModuleSpec:
    sys.path.insert(0, os.getcwd())
    spec = importlib.util.find_spec(name)
    if spec is not None and spec.submodule_search_locations is not None:
        spec = importlib.util.find_spec(f"{name}.__main__")
    sys.path.pop(0)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"no module {name!r} that can be run", name=name)
    return spec


def _fresh_main(path: str) -> ModuleType:
    """A new ``__main__`` without a spec, so that spawn, pickle and dataclasses see what they expect."""
    main = ModuleType("__main__")
    main.__dict__.update({"__file__": path, "__builtins__": builtins, "__spec__": None, "__package__": None})
    sys.modules["__main__"] = main
    return main


def _read(path: str) -> str:
    with open(path, "rb") as file:
        return importlib.util.decode_source(file.read())


def _compiled(path: str) -> CodeType:
    source = _read(path)
    if path.endswith(".ipynb"):
        source = notebook_source(json.loads(source))
        lines = [line + "\n" for line in source.split("\n")]
        linecache.cache[path] = (len(source), None, lines, path)
    return _compile(source, path)


def _compile(source: str, path: str) -> CodeType:
    """Without the ``from __future__`` statements of this module: annotations of the script stay what they are."""
    return compile(source, path, "exec", dont_inherit=True)


def notebook_source(notebook: dict[str, Any]) -> str:
    """The code cells of a notebook as one script; magics and shell lines become ``pass``."""
    cells = []
    for cell in notebook.get("cells", []):
        if cell.get("cell_type") != "code":
            continue
        text = "".join(cell["source"]) if isinstance(cell["source"], list) else cell["source"]
        if not text.lstrip().startswith("%%"):
            cells.append("\n".join(_plain(line) for line in text.split("\n")))
    return "\n\n".join(cells)


def _plain(line: str) -> str:
    stripped = line.lstrip()
    if stripped[:1] in ("%", "!") or stripped.rstrip().endswith("?"):
        return line[: len(line) - len(stripped)] + "pass"
    return line
