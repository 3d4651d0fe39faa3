"""Numbers written in a project under a name: in code (assignments, defaults, options) and in configuration files.

Read as text and as syntax trees; nothing is executed or imported.
"""

from __future__ import annotations

import ast
import contextlib
import math
import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

SKIPPED = frozenset({"site-packages", "node_modules", "__pycache__", "venv", "build", "dist"})
CONFIGURATIONS = (".json", ".toml", ".ini", ".cfg", ".yaml", ".yml", ".env", ".conf", ".properties")
NUMBERS: Mapping[str, float] = {}  # no words beside them
FLAGS = {"true": 1.0, "yes": 1.0, "on": 1.0, "false": 0.0, "no": 0.0, "off": 0.0}
MOST_ENTRIES, MOST_FILES, MOST_BYTES = 20_000, 300, 200_000
MOST_CODE = 1_500_000  # bytes of all code files together: 0.8 s to parse and to index (transformers, 5 kB/ms)


Line = tuple[Path, int, str]  # file, number, text


@dataclass(frozen=True)
class Origin:
    """A line on which a name gets a number."""

    file: Path
    line: int
    value: float
    name: str = ""


def origins(
    root: Path,
    name: str,
    words: Mapping[str, float] = NUMBERS,
    trees: Mapping[Path, ast.Module] | None = None,
    lines: Iterable[Line] | None = None,
) -> tuple[Origin, ...]:
    """Every line below ``root`` that gives ``name`` a number or one of ``words``; hyphens and case do not
    matter. ``trees`` are the code files of ``root`` and ``lines`` its configuration, where they have been read already.
    """
    pattern = re.compile(loosely(name), re.IGNORECASE)
    known = {f: parsed(f) for f in code_files(root)} if trees is None else trees
    found = [in_code(file, tree, pattern, words) for file, tree in known.items() if tree is not None]
    found.append(_in_configuration(configuration(root) if lines is None else lines, pattern, words))
    return tuple(origin for part in found for origin in part)


def loosely(name: str) -> str:
    return re.escape(name).replace("_", "[-_]").replace(r"\-", "[-_]")


def code_files(root: Path, first: Iterable[Path] = ()) -> Iterator[Path]:
    """Code of a project, ``first`` the files that are known to matter, until there is too much to read in a second."""
    left = MOST_CODE
    for file in dict.fromkeys((*first, *_files(root, (".py",)))):
        with contextlib.suppress(OSError):
            left -= file.stat().st_size
            if left >= 0:
                yield file


def _files(root: Path, kinds: tuple[str, ...]) -> Iterator[Path]:
    """The first files of these kinds in a project, folder by folder; a vast folder is not read to its end."""
    entries = islice(_entries(root), MOST_ENTRIES)
    found = (e for e in entries if e.name.endswith(kinds) and e.stat().st_size <= MOST_BYTES)
    yield from (Path(e.path) for e in islice(found, MOST_FILES))


def _entries(root: Path) -> Iterator[os.DirEntry[str]]:
    """Files below ``root``, those of a folder before those of the folders in it; hidden ones (but ``.env``) and
    libraries are left out.
    """
    waiting = deque([str(root)])
    while waiting:
        with contextlib.suppress(OSError), os.scandir(waiting.popleft()) as opened:
            shown = (
                e
                for e in islice(opened, MOST_ENTRIES)
                if (not e.name.startswith(".") and e.name not in SKIPPED)
                or (e.name == ".env" and e.is_file())
            )
            for entry in sorted(shown, key=lambda e: e.name):
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif entry.is_file():
                    yield entry


def parsed(file: Path) -> ast.Module | None:
    try:
        return ast.parse(file.read_text(encoding="utf-8", errors="replace"))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def in_code(
    file: Path, tree: ast.Module, pattern: re.Pattern[str], words: Mapping[str, float]
) -> list[Origin]:
    pairs = [(node, name, value) for node in ast.walk(tree) for name, value in _bindings(node)]
    return [
        Origin(file, value.lineno, number, name.lstrip("-").replace("-", "_"))
        for _, name, value in pairs
        if pattern.fullmatch(name.lstrip("-")) and (number := literal(value, words)) is not None
    ]


def _bindings(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """(name, expression) pairs of one node: assignments, defaults, keywords, options and dictionary entries."""
    for kind, pairs in BINDINGS.items():
        if isinstance(node, kind):
            yield from pairs(node)


def _of_assignment(node: Any) -> Iterator[tuple[str, ast.expr]]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    if node.value is not None:
        yield from ((name, node.value) for target in targets if (name := last_name(target)))


def _of_function(node: Any) -> Iterator[tuple[str, ast.expr]]:
    named = [*node.args.posonlyargs, *node.args.args]
    yield from zip(
        (a.arg for a in named[len(named) - len(node.args.defaults) :]), node.args.defaults, strict=True
    )
    yield from (
        (a.arg, d) for a, d in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if d is not None
    )


def _of_call(node: Any) -> Iterator[tuple[str, ast.expr]]:
    keywords = {k.arg: k.value for k in node.keywords if k.arg}
    if "default" in keywords:  # an option: its name is among the strings
        strings = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        yield from ((s, keywords["default"]) for s in strings)
    yield from keywords.items()


def _of_dictionary(node: Any) -> Iterator[tuple[str, ast.expr]]:
    yield from (
        (str(k.value), v) for k, v in zip(node.keys, node.values, strict=True) if isinstance(k, ast.Constant)
    )


BINDINGS: dict[Any, Callable[[Any], Iterator[tuple[str, ast.expr]]]] = {
    (ast.Assign, ast.AnnAssign): _of_assignment,
    (ast.FunctionDef, ast.AsyncFunctionDef): _of_function,
    ast.Call: _of_call,
    ast.Dict: _of_dictionary,
}


def literal(node: ast.expr, words: Mapping[str, float] = NUMBERS) -> float | None:
    """The number (or the meaning of the one of ``words``) that an expression spells out, of several the first
    (``betas=(0.9, 0.999)``); None for anything else.
    """
    if isinstance(node, (ast.Tuple, ast.List)):
        return literal(node.elts[0], words) if node.elts else None
    if isinstance(node, ast.Constant) and isinstance(node.value, (bool, str)):
        return words.get(str(node.value).lower())
    return _number(node)


def _number(node: ast.expr) -> float | None:
    """The value of a number written out, powers and products included (``2.0 ** 16``, ``-1``, ``1 / 3``)."""
    if (
        isinstance(node, ast.Constant)
        and isinstance(node.value, (int, float))
        and not isinstance(node.value, bool)
    ):
        return float(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _number(node.operand)
        return None if inner is None else -inner
    if not isinstance(node, ast.BinOp) or type(node.op) not in OPERATIONS:
        return None
    left, right = _number(node.left), _number(node.right)
    if left is None or right is None:
        return None
    try:
        return OPERATIONS[type(node.op)](left, right)
    except (ArithmeticError, TypeError, ValueError):
        return None


def _power(base: float, exponent: float) -> float:
    if abs(exponent) > 1100 or base < 0:
        raise ValueError("not a number that anybody writes")
    return float(base**exponent)


OPERATIONS: dict[type, Callable[[float, float], float]] = {
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: _power,
}


def _in_configuration(
    lines: Iterable[Line], pattern: re.Pattern[str], words: Mapping[str, float]
) -> list[Origin]:
    key = rf"""(?:^|[{{,])\s*["']?{pattern.pattern}["']?\s*[:=]"""
    entry = re.compile(
        rf"""{key}\s*[\[(]?\s*["']?(\w+\b[^,\])}}"'#;]*|[-+.\d][^,\])}}"'#;\s]*)""", re.IGNORECASE
    )
    found = []
    for file, number, line in lines:
        values = (_value(match[1].strip(), words) for match in entry.finditer(line))
        found += [Origin(file, number, value) for value in values if value is not None]
    return found


def configuration(root: Path) -> list[Line]:
    """Every line of the configuration files below ``root``; one after which a list begins along with the first value of
    that list, from the line below it.
    """
    return [
        (file, number, line + _first_of_list(line, below))
        for file in _files(root, CONFIGURATIONS)
        for number, (line, below) in enumerate(pairwise([*_lines(file), ""]), 1)
    ]


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8", errors="replace").splitlines()


def _first_of_list(line: str, below: str) -> str:
    """The first value of a list that begins after ``line`` (``"betas": [``, ``betas:`` with ``- 0.9`` below it)."""
    if line.rstrip().endswith("["):
        return below.strip()
    dashed = below.strip().startswith("- ") and line.rstrip().endswith(":")
    return f" {below.strip()[2:]}" if dashed else ""


def configured(lines: Iterable[Line], name: str) -> list[Line]:
    """The lines that give ``name`` anything at all (its value is not read)."""
    key = re.compile(rf"""(?:^|[{{,])\s*["']?{loosely(name)}["']?\s*[:=]""", re.IGNORECASE)
    return [line for line in lines if key.search(line[2])]


def _value(text: str, words: Mapping[str, float]) -> float | None:
    if text.lower() in words:
        return words[text.lower()]
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def last_name(node: ast.AST) -> str | None:
    """The last part of a name: ``lr`` for ``lr``, ``args.lr``, ``cfg["lr"]``; None for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return str(node.slice.value)
    return None
