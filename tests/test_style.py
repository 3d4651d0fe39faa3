"""Sizes that keep the code readable. They are where good code ends up, not a game to be played."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "server" / "lossdoctor"
BLOCKS = (ast.If, ast.For, ast.While, ast.Try, ast.AsyncFor, ast.Match)  # what branches or repeats
Function = ast.FunctionDef | ast.AsyncFunctionDef


def files() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if "_data" not in path.parts)


def functions() -> Iterator[tuple[Path, Function]]:
    for path in files():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, Function):
                yield path, node


def length(function: Function) -> int:
    """Lines of a function without its docstring and signature: what a reader must hold in mind."""
    body = function.body[1:] if ast.get_docstring(function) and len(function.body) > 1 else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1


def depth(node: ast.AST, level: int = 0) -> int:
    """Deepest nesting of blocks below ``node``; an ``elif`` chain is one block."""
    deepest = level
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function | ast.Lambda | ast.ClassDef):
            continue
        chained = isinstance(node, ast.If) and isinstance(child, ast.If) and child in node.orelse
        deeper = isinstance(child, BLOCKS) and not chained
        deepest = max(deepest, depth(child, level + deeper))
    return deepest


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_functions_are_short() -> None:
    lengths = [length(function) for _, function in functions()]
    assert median(lengths) <= 10
    assert quantiles(lengths, n=10)[-1] <= 30


def test_no_function_is_long() -> None:
    long = [f"{path.name}:{f.lineno} {f.name} {length(f)}" for path, f in functions() if length(f) > 60]
    assert not long, long


def test_files_are_short() -> None:
    assert median(map(lines, files())) <= 100
    long = {path.name: lines(path) for path in files() if lines(path) > 350}
    assert not long, long


def test_nesting_is_shallow() -> None:
    deep = [f"{path.name}:{f.lineno} {f.name} {depth(f)}" for path, f in functions() if depth(f) > 3]
    assert not deep, deep


@pytest.mark.parametrize("path", files(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_every_module_says_what_it_is_for(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_comments_are_there_but_few() -> None:
    text = [line.strip() for path in files() for line in path.read_text(encoding="utf-8").splitlines()]
    share = sum(line.startswith("#") or "  # " in line for line in text) / len(text)
    assert 0.01 <= share <= 0.12
