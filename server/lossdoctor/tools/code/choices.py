"""Which entry of a configuration file decides that a line runs, or what it picks.

The same code is sick with one configuration and sound with another: the scheduler is stepped under
``if cfg.interval == "batch"``, the loss is ``LOSSES[cfg.loss]()``, layers are frozen in ``for name in cfg.freeze``. The
conditions around a line, the loops it stands in and the keys that it looks things up with are followed to a
configuration file; code is left alone, since a condition that is written there is as likely right as the line in it.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Iterator

from .flow import feeding
from .literals import CONFIGURATIONS, Line, Origin, configured, last_name, loosely
from .project import Project, Scope
from .settings import Search, Setting, followed

# Faults whose place is where a thing is used: what it is was chosen some bindings before.
CHOSEN_BEFORE = {"loss_wrong_for_task": 3, "activation_output_mismatch": 3, "metric_misreported": 1}
# Faults of how much is done rather than of what: whatever the line is given decides.
MEASURED_OUT = {"augmentation_destroys_signal": 1}
OF_INPUTS = frozenset({"input_not_normalized", "constant_input"})  # what names the target is none of theirs
TARGETS = re.compile(r"target|label", re.IGNORECASE)
DRAWN = re.compile(r"^(rand|random|uniform|bernoulli|rand_like)$")
COMPARING = frozenset(
    {"any", "all", "startswith", "endswith", "match", "search", "fullmatch", "lower", "bool"}
)
LEAVES = (ast.Return, ast.Continue, ast.Break, ast.Raise)
Use = tuple[Scope, ast.expr]


def choice(fault: str, project: Project, places: Iterable[tuple[str | None, int | None]]) -> Setting | None:
    """The configuration entry that the first of these lines depends on; None where it depends on none. The first place
    is where the fault was seen, others where it seems to be made.
    """
    lines = project.configuration
    search = Search(project, lambda key: _only(lines, key), {}, computed=False)
    places = tuple(places)
    for place in reversed(places) if fault in MEASURED_OUT else ():
        by_name = _by_name(project, place)
        if by_name is not None:
            return by_name
    places = places[fault in MEASURED_OUT :]  # how much is done says nothing of where it was seen
    uses = (use for place in places for use in _deciding_uses(fault, project, place))
    found = (followed(search, scope, expression, "") for scope, expression in uses)
    entries = (f for f in found if f is not None and f.file.endswith(CONFIGURATIONS))
    return next((f for f in entries if not (fault in OF_INPUTS and TARGETS.search(f.name))), None)


def option(
    fault: str, project: Project, places: Iterable[tuple[str | None, int | None]], args: tuple[str, ...]
) -> tuple[str, str] | None:
    """(argument, name) of the option on the command line that the first of these lines depends on."""
    for place in places:
        for _, expression in _deciding_uses(fault, project, place):
            name = last_name(expression) or ""
            given = (
                next((a for a in args if re.match(rf"--?{loosely(name)}(=|$)", a)), None) if name else None
            )
            if given is not None:
                return given, name
    return None


def _by_name(project: Project, place: tuple[str | None, int | None]) -> Setting | None:
    """The one line of the configuration that names the class (or function) that a line stands in, as registries do."""
    for scope, _ in project.at(*place):
        name = scope.owner or (scope.function.name if scope.function is not None else "")
        quoted = re.compile(rf"""["'\s:=\[]{re.escape(name)}(?:["'\s,\]}}]|$)""")
        found = [
            (file, number) for file, number, text in project.configuration if name and quoted.search(text)
        ]
        if len(found) == 1:
            return Setting(str(found[0][0]), found[0][1], name)
    return None


def _deciding_uses(fault: str, project: Project, place: tuple[str | None, int | None]) -> Iterator[Use]:
    starts = list(project.at(*place))
    nearby = [(r.scope, r.node) for r in feeding(project, starts) if r.hops <= CHOSEN_BEFORE.get(fault, 0)]
    for scope, node in (*starts, *nearby):
        yield from _deciding(project, scope, node)
    if fault in MEASURED_OUT:
        amounts = [(r.scope, r.node) for r in feeding(project, starts) if r.hops <= MEASURED_OUT[fault]]
        for scope, node in (*starts, *amounts):
            yield from (
                use for e in ast.iter_child_nodes(node) if isinstance(e, ast.expr) for use in _named(scope, e)
            )


def _only(lines: list[Line], key: str) -> Origin | None:
    """The one line of the configuration files with this key."""
    found = configured(lines, key)
    return Origin(*found[0][:2], value=math.nan) if len(found) == 1 else None


def _deciding(project: Project, scope: Scope, node: ast.AST) -> Iterator[Use]:
    """Names that decide: keys of what is looked up in the line, then the conditions around it, innermost first."""
    for part in ast.walk(node):
        if isinstance(part, ast.Subscript) and not isinstance(
            part.slice, (ast.Constant, ast.Slice, ast.Tuple)
        ):
            yield from _named(scope, part.slice)
        elif isinstance(part, ast.Call) and last_name(part.func) == "getattr" and len(part.args) > 1:
            yield from _named(scope, part.args[1])
        elif isinstance(part, ast.IfExp):
            yield from _named(scope, part.test)
        elif isinstance(part, ast.keyword) and part.arg == "reduction":
            yield from _named(scope, part.value)
    for header in _around(project, scope, node):
        yield from _named(scope, header)


def _named(scope: Scope, expression: ast.expr) -> Iterator[Use]:
    """Names and attributes in an expression that are no part of a longer one, and no variable of a loop."""
    parts = list(ast.walk(expression))
    inner = {id(n.value) for n in parts if isinstance(n, (ast.Attribute, ast.Subscript))}
    running = {
        n.id
        for c in parts
        if isinstance(c, ast.comprehension)
        for n in ast.walk(c.target)
        if isinstance(n, ast.Name)
    }
    running |= {
        name for name, bound in scope.bound.items() if any(isinstance(b.node, ast.For) for b in bound)
    }
    for part in parts:
        if isinstance(part, ast.expr) and id(part) not in inner and last_name(part) not in {None, *running}:
            yield scope, part


def _around(project: Project, scope: Scope, node: ast.AST) -> list[ast.expr]:
    """Tests and loop sources of the blocks around a statement, innermost first, and tests before it that leave."""
    path: list[ast.expr] = []
    _descend(scope.function or project.trees[scope.file], node, path)
    return [header for header in path if _decides(header)]


def _descend(parent: ast.AST, node: ast.AST, path: list[ast.expr]) -> bool:
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        block: list[ast.AST] = getattr(parent, name, [])
        inside = (k for k, child in enumerate(block) if child is node or _descend(child, node, path))
        position = next(inside, None)
        if position is not None:
            before = [s for s in block[:position] if isinstance(s, ast.If) and isinstance(s.body[-1], LEAVES)]
            path += [s.test for s in reversed(before)]
            path += _header(parent)
            return True
    return False


def _header(parent: ast.AST) -> list[ast.expr]:
    if isinstance(parent, (ast.If, ast.While)):
        return [parent.test]
    if isinstance(parent, (ast.For, ast.AsyncFor)) and last_name(parent.iter) is not None:
        return [parent.iter]
    return []


def _decides(header: ast.expr) -> bool:
    """Whether it asks what was chosen (a flag, a name, a probability), and not how far the run has come."""
    parts = list(ast.walk(header))
    counts = any(isinstance(p, (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Mod)) for p in parts)
    drawn = any(isinstance(p, ast.Call) and DRAWN.search(last_name(p.func) or "") for p in parts)
    called = any(isinstance(p, ast.Call) and last_name(p.func) not in COMPARING for p in parts)
    return drawn if counts or called else True
