"""What feeds an expression: the statements of a project on the way back from it, nearest first.

A backward slice (Weiser, 1981, "Program slicing") by names over assignments, parameters, attributes and results of the
project's own functions. Conditions are not followed: which data reach the loss matters here, not when.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .project import ENTRIES, Binding, Project, Scope

MOST = 400  # statements of one slice: more are no help to anybody who looks for one line


@dataclass(frozen=True)
class Reached:
    """A statement, and how many bindings lie between it and the start."""

    scope: Scope
    node: ast.stmt | ast.expr
    hops: int

    @property
    def line(self) -> int:
        return self.node.lineno

    @property
    def text(self) -> str:
        return headed(self.node)


def headed(node: ast.stmt | ast.expr) -> str:
    """A statement as one line of code, without the block that it heads."""
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}"
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return f"with {', '.join(ast.unparse(item) for item in node.items)}"
    if isinstance(node, (ast.If, ast.While)):
        return ast.unparse(node.test)
    return ast.unparse(node)


def feeding(project: Project, starts: Iterable[tuple[Scope, ast.AST]]) -> list[Reached]:
    """Statements that the starting expressions take their values from, nearest first."""
    found: dict[ast.AST, Reached] = {}
    entered: set[Scope] = set()
    followed: set[ast.AST] = set()
    waiting = deque((scope, node, 0) for scope, node in starts)
    while waiting and len(found) < MOST:
        scope, node, hops = waiting.popleft()
        for reached, inner in _sources(project, scope, node, entered):
            if inner[1] not in followed:  # a statement may give several names a value, each its own
                followed.add(inner[1])
                found.setdefault(reached, Reached(inner[0], reached, hops + 1))
                waiting.append((*inner, hops + 1))
    return list(found.values())  # breadth first


def _sources(
    project: Project, scope: Scope, node: ast.AST, entered: set[Scope]
) -> Iterator[tuple[ast.stmt | ast.expr, tuple[Scope, ast.AST]]]:
    """(statement, what to follow from it) for every name, attribute and call of an expression."""
    for part in _expressions(node):
        if isinstance(part, ast.Name) and (isinstance(part.ctx, ast.Load) or isinstance(node, ast.AugAssign)):
            yield from (_step(b) for b in _bound(project, scope, part))
            yield from ((given, (caller, given)) for caller, given in _passed(project, scope, part.id))
            yield from _entered(project, part.id, entered)
        elif isinstance(part, ast.Attribute):
            yield from (_step(b) for b in project.attributes.get(part.attr, ()))
            yield from _entered(project, part.attr, entered)


def _expressions(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of an expression, or of a statement without its block."""
    blocks = {"body", "orelse", "finalbody", "handlers", "cases"} if isinstance(node, ast.stmt) else set()
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in blocks:
                yield from ast.walk(child)
    yield node


def _step(binding: Binding) -> tuple[ast.stmt, tuple[Scope, ast.AST]]:
    return binding.node, (binding.scope, binding.value)


def _bound(project: Project, scope: Scope, name: ast.Name) -> list[Binding]:
    """Bindings of a name: those above its use, the last one first (all, where none is: a loop), else those of the file,
    else any file's.
    """
    local = scope.bound.get(name.id, [])
    if local:
        return [b for b in reversed(local) if b.line <= name.lineno] or local
    if name.id in scope.parameters:
        return []
    own = project.modules[scope.file].bound.get(name.id, [])
    return own or [b for module in project.modules.values() for b in module.bound.get(name.id, ())]


def _passed(project: Project, scope: Scope, name: str) -> Iterator[tuple[Scope, ast.expr]]:
    return project.given(scope, name) if name not in scope.bound else iter(())


def _entered(
    project: Project, name: str, entered: set[Scope]
) -> Iterator[tuple[ast.stmt | ast.expr, tuple[Scope, ast.AST]]]:
    """What a function of the project returns, or what using one of its classes runs; each is entered once."""
    own = project.methods.get(name)
    scopes = [own[e] for e in ENTRIES if e in own] if own else project.functions.get(name, [])
    for scope in scopes:
        if scope not in entered:
            entered.add(scope)
            yield from ((result, (scope, result)) for result in scope.results)
