"""The loop that decides how long a run trains, read from the code around the line that takes the gradients.

The recorder knows such a loop by its variable (``for epoch in ...``). Any other (``while done < total``) is the
outermost loop around the backward pass that does not go over whole runs: seeds, folds, trials.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...model import Finding, Trace
from .project import Project, Scope

SHORT = frozenset({"insufficient_training"})  # the fault of a loop that ends too soon
RUNS = re.compile(r"seed|fold|trial|repeat|restart|member|config|kfold|split\(", re.IGNORECASE)
HIGHEST = 6  # calls between the backward pass and the script's own level
LEAVES = (ast.Break, ast.Return)
Loop = ast.For | ast.AsyncFor | ast.While


def training_loop(finding: Finding, trace: Trace, project: Project) -> tuple[str, int] | None:
    """File and line of the loop for a run that ended too soon, where the finding has no line; None if there is none."""
    site = trace.site("backward")
    if finding.fault not in SHORT or finding.where.line is not None or site is None:
        return None
    starts = list(project.at(site.file, site.line))
    loops = [loop for scope, node in starts[:1] for loop in _around(project, scope, node)]
    kept = [(scope, loop) for scope, loop in loops if not RUNS.search(_told(loop))]
    return (str(kept[-1][0].file), kept[-1][1].lineno) if kept else None


def _around(project: Project, scope: Scope, node: ast.AST) -> Iterator[tuple[Scope, Loop]]:
    """The loops around a statement, innermost first, then those around the one call of its function, and so on."""
    for _ in range(HIGHEST):
        top = scope.function or project.trees[scope.file]
        around = [n for n in ast.walk(top) if isinstance(n, Loop) and any(p is node for p in ast.walk(n))]
        yield from (
            (scope, loop) for loop in reversed(around)
        )  # outer ones come first in a breadth-first walk
        calls = project.calls.get(_called(scope) or "", [])
        if len(calls) != 1:
            return
        scope, node = calls[0]


def _called(scope: Scope) -> str | None:
    """The name that the function of a scope is called by; None for a file's own level."""
    if scope.function is None:
        return None
    return scope.owner if scope.function.name == "__init__" else scope.function.name


def _told(loop: Loop) -> str:
    """What a loop says about itself before its block."""
    parts = [loop.test] if isinstance(loop, ast.While) else [loop.target, loop.iter]
    return " ".join(map(ast.unparse, parts))


def bounds(loop: Loop) -> list[ast.expr]:
    """What says how often a loop runs: what it goes over, its condition, or the tests that leave an endless one."""
    if not isinstance(loop, ast.While):
        return [loop.iter]
    if not (isinstance(loop.test, ast.Constant) and loop.test.value):
        return [loop.test]
    leaving = (n for n in ast.walk(loop) if isinstance(n, ast.If) and isinstance(n.body[-1], LEAVES))
    return [n.test for n in leaving]
