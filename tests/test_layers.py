"""Imports go downwards only, the server never imports torch, and the recorder knows nobody."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "server" / "lossdoctor"
USER_SIDE = ("recorder", "sandbox/child")  # run in the user's interpreter, injected by path

# A unit may import from units of a lower rank. Units of the same rank do not know each other.
RANKS = {
    "app": 9,
    "tools": 6,
    "routing": 5,
    "detectors": 4,
    "sandbox": 4,
    "reports": 4,
    "sheetbook": 4,
    "traces": 3,
    "model": 2,
    "errors": 1,
    "data": 1,
    "": 0,
}
STEMS_OF_APP = {
    "__main__",
    "app",
    "cli",
    "commands",
    "envelope",
    "lifespan",
    "machine",
    "prompts",
    "resources",
    "skills_extension",
    "terminal",
}


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if "_data" not in path.parts)


def is_user_side(path: Path) -> bool:
    return path.relative_to(PACKAGE).as_posix().startswith(USER_SIDE)


def server_side() -> list[Path]:
    return [path for path in modules() if not is_user_side(path)]


def imported(path: Path) -> Iterator[str]:
    """Absolute dotted names that a module imports, wherever in it the statement stands."""
    package = ["lossdoctor", *path.relative_to(PACKAGE).parent.parts]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            stem = ".".join([*base, *(node.module or "").split(".")]).strip(".")
            yield stem
            yield from (f"{stem}.{alias.name}" for alias in node.names)


def unit(dotted: str) -> str:
    """The unit of the layering that ``lossdoctor.x.y`` belongs to."""
    parts = dotted.split(".")
    if len(parts) < 2:
        return ""
    return "app" if parts[1] in STEMS_OF_APP else parts[1]


def unit_of(path: Path) -> str:
    relative = path.relative_to(PACKAGE)
    return (
        unit(".".join(["lossdoctor", *relative.with_suffix("").parts]))
        if relative.name != "__init__.py"
        else (unit(".".join(["lossdoctor", *relative.parent.parts])))
    )


def label(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@pytest.mark.parametrize("path", server_side(), ids=label)
def test_imports_go_downwards_only(path: Path) -> None:
    own = unit_of(path)
    ours = {unit(name) for name in imported(path) if name.split(".")[0] == "lossdoctor"} - {own}
    known = {name for name in ours if name in RANKS}
    upwards = {name for name in known if RANKS[name] >= RANKS[own]}
    assert not upwards, f"{own} must not import {upwards}"


@pytest.mark.parametrize("path", server_side(), ids=label)
def test_the_server_side_never_imports_torch_or_the_recorder(path: Path) -> None:
    names = set(imported(path))
    assert not {name for name in names if name.split(".")[0] in {"torch", "torchvision", "lightning"}}
    assert not {name for name in names if name.startswith("lossdoctor.recorder")}


@pytest.mark.parametrize("path", [path for path in modules() if is_user_side(path)], ids=label)
def test_what_runs_in_the_users_interpreter_needs_only_the_standard_library_and_torch(path: Path) -> None:
    own = path.relative_to(PACKAGE).parts[0]
    for name in imported(path):
        top = name.split(".")[0]
        if top == "lossdoctor":
            assert name.split(".")[1:2] == [own], f"{label(path)} imports {name}"
        else:
            beside = (path.parent / f"{top}.py").exists() or (path.parent / top).is_dir()
            assert beside or top in sys.stdlib_module_names | {"torch"}, f"{label(path)} imports {name}"


def test_every_unit_has_a_place_in_the_layering() -> None:
    units = {unit_of(path) for path in server_side()}
    assert units <= set(RANKS), f"give these a rank: {units - set(RANKS)}"
