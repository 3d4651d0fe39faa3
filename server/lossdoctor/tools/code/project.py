"""An index of a project's code: which statement binds a name, who calls a function, what it returns.

By names alone, without types: a method is any method of that name, an attribute any attribute. Good enough to say
where to look, and bounded (see ``literals``). Nothing is executed or imported.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from .literals import Line, Origin, code_files, configuration, last_name, origins, parsed

Function = ast.FunctionDef | ast.AsyncFunctionDef
MUTATING = frozenset({"shuffle", "sort", "append", "extend", "reverse", "fill", "update"})
ENTRIES = ("__init__", "__getitem__", "__iter__", "__call__", "forward")  # what using a class runs


@dataclass(eq=False)
class Scope:
    """A function, or a file's own level."""

    file: Path
    function: Function | None = None
    owner: str | None = None
    bound: dict[str, list[Binding]] = field(default_factory=lambda: defaultdict(list))
    results: list[ast.expr] = field(default_factory=list)

    @property
    def parameters(self) -> list[str]:
        if self.function is None:
            return []
        given = self.function.args
        return [a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs)]


@dataclass(frozen=True, eq=False)
class Binding:
    """A statement that gives a name (or something in it) a value."""

    scope: Scope
    node: ast.stmt
    value: ast.expr

    @property
    def line(self) -> int:
        return self.node.lineno


class Project:
    """The code below a folder, parsed once; ``read`` are the files that the run is known to have read, ``ran`` those
    whose code it ran: a project may hold the code of other runs.
    """

    def __init__(
        self,
        root: Path,
        first: Iterable[Path] = (),
        read: Container[str] | None = None,
        ran: Container[str] | None = None,
    ) -> None:
        self.root, self.read = root, read
        self.trees: dict[Path, ast.Module] = {}
        self.modules: dict[Path, Scope] = {}
        self.functions: dict[str, list[Scope]] = defaultdict(list)
        self.methods: dict[str, dict[str, Scope]] = defaultdict(dict)
        self.attributes: dict[str, list[Binding]] = defaultdict(list)
        self.calls: dict[str, list[tuple[Scope, ast.Call]]] = defaultdict(list)
        self.indexes: dict[str, int] = defaultdict(
            int
        )  # how often a name stands alone between brackets: ``x[order]``
        self.statements: list[tuple[Scope, ast.stmt]] = []
        for file in code_files(root, first):
            tree = parsed(file) if ran is None or str(file) in ran else None
            if tree is not None:
                self.trees[file] = tree
                self.modules[file] = scope = Scope(file)
                self._body(scope, tree.body, None)

    @cached_property
    def configuration(self) -> list[Line]:
        """Every line of the configuration files, read once; of those alone that the run has read, where it is known
        which: a project may hold configurations of other runs.
        """
        lines = configuration(self.root)
        return lines if self.read is None else [line for line in lines if str(line[0]) in self.read]

    def origins(self, name: str, words: Mapping[str, float]) -> tuple[Origin, ...]:
        """Every line that gives a name a number or one of ``words``."""
        return origins(self.root, name, words, self.trees, self.configuration)

    def _body(self, scope: Scope, body: list[ast.stmt], owner: str | None) -> None:
        for node in body:
            if isinstance(node, Function):
                self._function(scope, node, owner)
            elif isinstance(node, ast.ClassDef):
                self._body(scope, node.body, node.name)
            else:
                self._statement(scope, node, owner)

    def _function(self, outer: Scope, node: Function, owner: str | None) -> None:
        scope = Scope(outer.file, node, owner)
        self.functions[node.name].append(scope)
        if owner is not None:
            self.methods[owner][node.name] = scope
        for decorated in node.decorator_list:
            self._expressions(outer, decorated)
        self._body(scope, node.body, None)

    def _statement(self, scope: Scope, node: ast.stmt, owner: str | None) -> None:
        self.statements.append((scope, node))
        for name, value in bindings(node):
            binding = Binding(scope, node, value)
            if name.startswith(".") or owner is not None:
                self.attributes[name.lstrip(".")].append(binding)
            else:
                scope.bound[name].append(binding)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self._expressions(scope, child)
        if isinstance(node, ast.Return) and node.value is not None:
            scope.results.append(node.value)
        for inner in ("body", "orelse", "finalbody"):
            self._body(scope, getattr(node, inner, []), owner)
        for handler in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            self._body(scope, handler.body, owner)
        for item in getattr(node, "items", ()):
            self._expressions(scope, item.context_expr)

    def _expressions(self, scope: Scope, expression: ast.expr) -> None:
        for node in ast.walk(expression):
            if isinstance(node, ast.Call) and (name := last_name(node.func)):
                self.calls[name].append((scope, node))
            elif isinstance(node, (ast.Yield, ast.YieldFrom)) and node.value is not None:
                scope.results.append(node.value)
            elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name):
                self.indexes[node.slice.id] += 1

    def at(self, file: str | None, line: int | None) -> Iterator[tuple[Scope, ast.stmt]]:
        """The innermost statements that a line belongs to; those of a function for the line that begins it."""
        if file is None or line is None:
            return
        for scope, node in self.statements:
            begun = scope.function is not None and scope.function.lineno == line
            if str(scope.file) == file and (begun or header(node)[0] <= line <= header(node)[1]):
                yield scope, node

    def signature(self, called: str) -> list[str]:
        """Parameters, as a caller counts them, of the project's function or class of that name; empty without one."""
        scope = self.methods.get(called, {}).get("__init__") or next(
            iter(self.functions.get(called, ())), None
        )
        return [] if scope is None else scope.parameters[scope.owner is not None :]

    def given(self, scope: Scope, name: str) -> Iterator[tuple[Scope, ast.expr]]:
        """What callers pass for a function's parameter."""
        function = scope.function
        if function is None or name not in scope.parameters:
            return
        position = scope.parameters.index(name) - (scope.owner is not None)
        called = scope.owner if function.name == "__init__" and scope.owner else function.name
        for caller, call in self.calls.get(called, ()):
            value = argument(call, name, position)
            if value is not None:
                yield caller, value


def argument(call: ast.Call, name: str, position: int | None) -> ast.expr | None:
    """What a call is given for a parameter, by keyword or by position."""
    given = next((k.value for k in call.keywords if k.arg == name), None)
    if given is None and position is not None and 0 <= position < len(call.args):
        return call.args[position]
    return given


def header(node: ast.stmt) -> tuple[int, int]:
    """First and last line of a statement without the block that it heads."""
    inner = getattr(node, "body", None)
    return node.lineno, (max(node.lineno, inner[0].lineno - 1) if inner else node.end_lineno or node.lineno)


def bindings(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """(name, expression) of everything that a statement gives a value; attributes as ``.name``."""
    if isinstance(node, ast.Assign):
        yield from (pair for target in node.targets for pair in _assigned(target, node.value))
    elif isinstance(node, (ast.AnnAssign, ast.AugAssign)) and node.value is not None:
        yield from ((n, node.value) for n in _names(node.target))
    elif isinstance(node, (ast.For, ast.AsyncFor)):
        yield from ((n, node.iter) for n in _names(node.target))
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        yield from (
            (n, i.context_expr) for i in node.items if i.optional_vars for n in _names(i.optional_vars)
        )
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield from ((n, node.value) for n in _changed(node.value))
        yield from _registered(node.value)


def _assigned(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Names and their values, part by part where both sides are spelled out."""
    spelled = (ast.Tuple, ast.List)
    if isinstance(target, spelled) and isinstance(value, spelled) and len(target.elts) == len(value.elts):
        for one, its in zip(target.elts, value.elts, strict=True):
            yield from _assigned(one, its)
    else:
        yield from ((name, value) for name in _names(target))


def _names(target: ast.expr) -> list[str]:
    """Names that an assignment's target binds or changes in place."""
    if isinstance(target, (ast.Tuple, ast.List)):
        return [n for part in target.elts for n in _names(part)]
    if isinstance(target, (ast.Subscript, ast.Starred)):
        return _names(target.value)
    name = last_name(target)
    return [] if name is None else [f".{name}" if isinstance(target, ast.Attribute) else name]


def _registered(call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """An attribute given by its name: ``self.register_buffer("mask", value)``, ``setattr(self, "m", value)``."""
    given = call.args[1:] if last_name(call.func) == "setattr" else call.args
    named = last_name(call.func) in {"register_buffer", "register_parameter", "setattr"}
    name = given[0].value if named and len(given) > 1 and isinstance(given[0], ast.Constant) else None
    if isinstance(name, str):
        yield f".{name}", given[1]


def _changed(call: ast.Call) -> list[str]:
    """Names that a call changes in place: ``rng.shuffle(rows)``, ``x.sub_(mean)``, ``items.sort()``."""
    name = last_name(call.func) or ""
    if name not in MUTATING and not (name.endswith("_") and not name.startswith("_")):
        return []
    holder = [call.func.value] if isinstance(call.func, ast.Attribute) else []
    return [n for part in (*holder, *call.args[:1]) for n in _names(part)]
