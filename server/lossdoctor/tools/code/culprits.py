"""From the place where a fault was seen to the line that brought it about, by reading back from it.

A measurement sees a fault where it takes effect: at the loss, at the loader. Wrong pairs are made where the inputs were
sorted, NaN where a logarithm was taken. Among the statements that feed the place, the nearest that looks like the
cause of such a fault (``culprits.toml``) becomes the finding's line; where it was seen stays in the evidence.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from ...model import Finding, Trace
from .flow import Reached, feeding, headed
from .literals import last_name, literal
from .project import Project, bindings

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

# roles of the lines that the reading starts from, beside the finding's own
ANCHORS = ("loss", "loader", "backward", "forward", "call")
REORDERED = re.compile(r"\b(arg)?sort(ed)?\(|\bshuffle\(|\broll\(|\bflip(ud|lr)?\(|\[::-1\]|reversed\(")
MOVED = re.compile(r"\b(roll|flip(ud|lr)?)\(")
INDEXED = re.compile(r"\[(\w+)\]")
VOCABULARY = re.compile(r"sorted\((list\(|tuple\()?(set\(|\{|os\.|glob|\w+\.keys|.*\.(glob|iterdir|rglob)\()")
COLLECTS = re.compile(r"\.(append|extend|add)\(|\+=")
PARTS = re.compile(r"parameters\(|modules\(|children\(")
DRAWN = re.compile(r"\b(rand|random|uniform|bernoulli|rand_like|integers|randint)\(")
CUT = re.compile(r"\b(detach|item|float|int|len|tolist|no_grad)\b")  # what is kept has no graph
TRAINING_PART = re.compile(r"^\(?\w*train\w*\b[^=]*=[^=].*[\[(]")
CONDITION = re.compile(r"= .*(isfinite|isnan|logical_|notna|isin|[<>=!]=|[<>])")
ORDERING = re.compile(r"permutation|randperm|argsort|shuffle|sort|order")


@dataclass(frozen=True)
class Look:
    """What the culprit of a fault looks like, and where the reading starts beside the finding's own line."""

    patterns: tuple[str, ...]
    anchors: tuple[str, ...] = ANCHORS
    at: str | None = None  # the role of the line that the finding must be at
    told: str | None = None  # an evidence that the finding must have
    unless: str | None = None  # one that it must not have


@cache
def looks() -> dict[str, Look]:
    text = files(__package__).joinpath("culprits.toml").read_text(encoding="utf-8")
    rows: dict[str, dict[str, Any]] = tomllib.loads(text)
    return {fault: _look(row) for fault, row in rows.items()}


def _look(row: dict[str, Any]) -> Look:
    given: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
    return Look(**given)


def culprit(finding: Finding, trace: Trace, project: Project) -> tuple[str, int] | None:
    """File and line of the statement that looks like the cause; None where none does, or the finding has it already."""
    look = looks().get(finding.fault)
    quantities = {e.quantity for e in finding.evidence}
    if look is None or (look.told and look.told not in quantities) or look.unless in quantities:
        return None
    place = (finding.where.file, finding.where.line)
    if look.at and place not in {(s.file, s.line) for s in trace.sites if s.what == look.at}:
        return None
    own = list(project.at(*place))
    places = [(s.file, s.line) for s in trace.sites if s.what in look.anchors]
    starts = [*own, *(found for place in places for found in project.at(*place))]
    here = [Reached(scope, node, 0) for scope, node in own]
    reached = [*here, *feeding(project, starts)]
    for test in map(_test, look.patterns):
        if any(test(statement, project) == statement.line for statement in here):
            return None  # where it was seen is where it is made
        lines = ((statement, test(statement, project)) for statement in reached)
        found = next(((s, line) for s, line in lines if line is not None), None)
        if found is not None:
            return str(found[0].scope.file), found[1]
    return None


def _test(pattern: str) -> Callable[[Reached, Project], int | None]:
    return SHAPES.get(pattern) or _matching(re.compile(pattern))


def _matching(pattern: re.Pattern[str]) -> Callable[[Reached, Project], int | None]:
    def test(statement: Reached, project: Project) -> int | None:
        return _line(statement, pattern) if pattern.search(statement.text) else None

    return test


def _line(statement: Reached, pattern: re.Pattern[str]) -> int:
    """The line of the innermost part that still matches: statements may be long."""
    line = statement.line
    last = statement.node.end_lineno or line
    for part in ast.walk(statement.node):
        if isinstance(part, ast.expr) and line <= part.lineno <= last and pattern.search(ast.unparse(part)):
            line = part.lineno  # breadth first: later ones lie deeper
    return line


def _reorders_one(statement: Reached, project: Project) -> int | None:
    """Puts one thing into another order, and nothing else along with it."""
    # the amount may be drawn some lines above
    whole = ast.unparse(statement.scope.function or statement.node)
    if VOCABULARY.search(statement.text) or (MOVED.search(statement.text) and DRAWN.search(whole)):
        return None  # a list of names in its usual order; an augmentation
    if REORDERED.search(statement.text) and not _index_of_both(statement, project):
        return statement.line
    for name in INDEXED.findall(statement.text):
        ordering = [b for b in statement.scope.bound.get(name, ()) if ORDERING.search(headed(b.node))]
        if ordering and project.indexes.get(name) == 1:
            return statement.line
    return None


def _index_of_both(statement: Reached, project: Project) -> bool:
    """An order that is computed here and then applied to several things: ``order = argsort(x)``, x[order], y[order]."""
    if not isinstance(statement.node, ast.stmt):
        return False
    return any(name in project.indexes for name, _ in bindings(statement.node))


def _filters_one(statement: Reached, project: Project) -> int | None:
    """Leaves out rows of one thing by a condition that nothing else is chosen by: ``x[ok >= 1]`` without
    ``y[ok >= 1]``, ``[f(r) for r in rows if r.ok]``.
    """
    for part in ast.walk(statement.node):
        if (
            isinstance(part, ast.Subscript)
            and isinstance(part.ctx, ast.Load)
            and _condition(part.slice, statement)
        ):
            return None if _chosen_again(part, statement) else part.lineno
        if isinstance(part, ast.ListComp) and any(g.ifs for g in part.generators):
            tests = [ast.unparse(t) for g in part.generators for t in g.ifs]
            body = ast.unparse(statement.scope.function or statement.node)
            return part.lineno if all(body.count(f" if {t}") == 1 for t in tests) else None
    return None


def _condition(index: ast.expr, statement: Reached) -> bool:
    """Whether rows are chosen by a comparison, spelled out or under a name."""
    if isinstance(index, ast.Name):
        bound = statement.scope.bound.get(index.id, ())
        return any(
            isinstance(b.value, (ast.Compare, ast.UnaryOp)) or CONDITION.search(headed(b.node)) for b in bound
        )
    inverted = isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.Invert)
    return isinstance(index, ast.Compare) or inverted


def _chosen_again(part: ast.Subscript, statement: Reached) -> bool:
    """Whether the same function chooses from something else in the same way."""
    function = statement.scope.function
    text = ast.unparse(part.slice)
    again = (n for n in ast.walk(function) if isinstance(n, ast.Subscript)) if function is not None else ()
    return any(n is not part and ast.unparse(n.slice) == text and n.value is not part.value for n in again)


def _ignores_its_loop(statement: Reached, project: Project) -> int | None:
    """A comprehension that builds an array and never uses what it loops over."""
    for part in ast.walk(statement.node):
        if isinstance(part, (ast.ListComp, ast.GeneratorExp)):
            target = {n.id for g in part.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
            used = {n.id for n in ast.walk(part.elt) if isinstance(n, ast.Name)}
            if not target & used and "_" not in target:
                return part.lineno
    return None


def _loop_of_a_stream(statement: Reached, project: Project) -> int | None:
    """The loop of an iterable dataset: only there can its samples be mixed."""
    function = statement.scope.function
    if function is None or function.name != "__iter__":
        return None
    loops = [n.lineno for n in ast.walk(function) if isinstance(n, ast.For)]
    return min(loops, default=None)


def _computes_the_loss(statement: Reached, project: Project) -> int | None:
    """Arithmetic, and not merely the call of a function of the project that does it, or the making of a layer."""
    node = statement.node
    value = getattr(node, "value", None) if isinstance(node, ast.stmt) else node
    called = last_name(value.func) if isinstance(value, ast.Call) else None
    if (
        value is None
        or isinstance(value, (ast.Name, ast.Attribute, ast.Subscript, ast.Tuple))
        or called in {*project.functions, "backward"}
        or (called or "")[:1].isupper()
    ):
        return None
    return value.lineno


def _makes_a_training_part(statement: Reached, project: Project) -> int | None:
    """Gives something that is named after training a part of something else, and not merely what a function of the
    project returns: the part is made there.
    """
    value = getattr(statement.node, "value", None)
    called = last_name(value.func) if isinstance(value, ast.Call) else None
    return (
        statement.line if TRAINING_PART.search(statement.text) and called not in project.functions else None
    )


def _adds_terms(statement: Reached, project: Project) -> int | None:
    """Several terms become one: ``a + w * b``, ``total += w * b``, ``sum(w[k] * v for k, v in terms)``."""
    node = statement.node
    value = getattr(node, "value", None) if isinstance(node, ast.stmt) else node
    added = isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Add, ast.Sub))
    summed = isinstance(value, ast.Call) and last_name(value.func) == "sum" and bool(value.args)
    return node.lineno if added or summed or isinstance(node, ast.AugAssign) else None


def _filter_of_parameters(statement: Reached, project: Project) -> int | None:
    """The last condition by which a loop over the model's parts sorts them: what meets none is left out."""
    function = statement.scope.function
    loops = [n for n in ast.walk(function) if isinstance(n, ast.For)] if function is not None else []
    over_parts = [n for n in loops if PARTS.search(ast.unparse(n.iter)) and COLLECTS.search(ast.unparse(n))]
    tests = [n.test.lineno for loop in over_parts for n in ast.walk(loop) if isinstance(n, ast.If)]
    return max(tests, default=None)


def _builds_on_itself(statement: Reached, project: Project) -> int | None:
    """A value of the step before in the new one, kept beyond the function: ``self.m = 0.9 * self.m + x``."""
    node = statement.node
    if not isinstance(node, (ast.Assign, ast.AugAssign)) or CUT.search(ast.unparse(node.value)):
        return None
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    kept = [t for t in targets if isinstance(t, (ast.Attribute, ast.Subscript))]
    again = {ast.unparse(part) for part in ast.walk(node.value) if isinstance(part, ast.expr)}
    repeated = isinstance(node, ast.AugAssign) or any(ast.unparse(t) in again for t in kept)
    return node.lineno if kept and repeated else None


def _apart_from_fitting(statement: Reached, project: Project) -> int | None:
    """The first arithmetic of a ``transform`` beside a ``fit_transform`` that does its own: the two may differ."""
    function, owner = statement.scope.function, statement.scope.owner
    both = project.methods.get(owner or "", {}).get("fit_transform")
    if function is None or both is None or both.function is None or function.name != "transform":
        return None
    if "self.transform" in ast.unparse(both.function):
        return None
    parts = (n for n in ast.walk(function) if isinstance(n, (ast.expr, ast.stmt)))
    computing = (n.lineno for n in parts if isinstance(n, (ast.BinOp, ast.AugAssign)) or _applies(n))
    return min(computing, default=None)


def _applies(node: ast.AST) -> bool:
    """A call of a library's function on something: ``np.log10(x)``."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and bool(node.args)


def _drawn_branch(statement: Reached, project: Project) -> int | None:
    """A condition by chance in the function that a statement stands in: what it heads is done to some samples only."""
    function = statement.scope.function
    tests = [n.test for n in ast.walk(function) if isinstance(n, ast.If)] if function is not None else []
    drawn = [t.lineno for t in tests if DRAWN.search(ast.unparse(t))]
    return drawn[0] if len(drawn) == 1 else None


def _divides_in_its_function(statement: Reached, project: Project) -> int | None:
    """The last division in the function that a statement stands in: where what was summed there becomes a mean. What is
    divided by a number that is written out, or by its own sum, is scaled.
    """
    function = statement.scope.function
    divisions = (
        n.lineno
        for n in (ast.walk(function) if function is not None else ())
        if isinstance(n, (ast.BinOp, ast.AugAssign)) and isinstance(n.op, ast.Div)
        if not _scales(*((n.left, n.right) if isinstance(n, ast.BinOp) else (n.target, n.value)))
    )
    return max(divisions, default=None)


def _scales(what: ast.expr, by: ast.expr) -> bool:
    """Whether a division by a number, or by a sum of the same, which makes shares of it."""
    return isinstance(by, ast.Constant) or ast.unparse(by).startswith(f"{ast.unparse(what)}.sum(")


def _subtracts(statement: Reached, project: Project) -> int | None:
    """A difference that is not divided by anything: one that is standardises more often than it compares."""
    return _difference(statement, undivided=True)


def _subtracts_at_all(statement: Reached, project: Project) -> int | None:
    return _difference(statement, undivided=False)


def _difference(statement: Reached, undivided: bool) -> int | None:
    """A difference of two things that is no index, no bound of a slice, no part of a condition and no count."""
    divided = {
        id(node.left)
        for node in ast.walk(statement.node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)
    }
    outside = {
        id(part)
        for node in ast.walk(statement.node)
        if isinstance(node, (ast.Subscript, ast.Compare))
        for part in ast.walk(node.slice if isinstance(node, ast.Subscript) else node)
    }
    differences = (
        n for n in ast.walk(statement.node) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Sub)
    )
    lines = [
        d.lineno
        for d in differences
        if id(d) not in outside
        and not any(map(_counts, (d.left, d.right)))
        and not (undivided and id(d) in divided)
    ]
    return max(lines, default=None)


def _counts(term: ast.expr) -> bool:
    """A number, a constant of the file by its spelling, a length, or what an object keeps between its calls."""
    named = last_name(term.func) if isinstance(term, ast.Call) else last_name(term)
    kept = ast.unparse(term).startswith("self.")
    return literal(term) is not None or kept or named == "len" or bool(named and named.isupper())


SHAPES: dict[str, Callable[[Reached, Project], int | None]] = {
    "<reorders one>": _reorders_one,
    "<filters one>": _filters_one,
    "<ignores its loop>": _ignores_its_loop,
    "<loop of a stream>": _loop_of_a_stream,
    "<computes the loss>": _computes_the_loss,
    "<makes a training part>": _makes_a_training_part,
    "<adds terms>": _adds_terms,
    "<filter of parameters>": _filter_of_parameters,
    "<builds on itself>": _builds_on_itself,
    "<drawn branch>": _drawn_branch,
    "<apart from fitting>": _apart_from_fitting,
    "<subtracts>": _subtracts,
    "<subtracts at all>": _subtracts_at_all,
    "<divides in its function>": _divides_in_its_function,
}
