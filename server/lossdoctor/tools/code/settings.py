"""Where a setting that a finding blames gets its value: in the code, in a configuration file, on the command line.

The recorder knows the line that *uses* a learning rate or a threshold (``SGD(model.parameters(), lr=args.lr)``). What
the user must change is where the number is written. The name in the using line is looked up among the literals of the
project, then followed through attributes, parameters and assignments under its other names. A name with several
candidates is followed only when one of them alone has the measured value; what is computed is blamed where it is.
"""

from __future__ import annotations

import ast
import math
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeGuard

from ...model import Finding, Trace
from . import stoppers
from .flow import feeding
from .literals import CONFIGURATIONS, FLAGS, NUMBERS, Origin, last_name, literal
from .loops import SHORT, Loop, bounds
from .project import Project, Scope, argument

CLOSE = 0.005  # relative difference of a measured value that was rounded to three digits
# what is computed for a weight is blamed where it is used
WRITTEN = frozenset({"dead_relu", "bad_initialization"})
# made in a function of the project more often than not; with so many parameters what is made there depends on the call
HELPED = {"lr_schedule_misuse": 2, "optimizer_wrong_params": 1}
NEARBY = 3  # bindings between ``backward`` and the sum of the terms
FARTHEST = 8  # bindings between the using line and the number; renaming more often than that was not seen

# fault -> (keyword of the using call, its position); None where it cannot be given by position
CALLS: dict[str, tuple[tuple[str, int | None], ...]] = {
    "lr_too_high": (("lr", 1),),
    "lr_too_low": (("lr", 1),),
    "warmup_missing": (("lr", 1),),
    "grad_clip_too_tight": (("max_norm", 1), ("clip_value", 1)),
    "over_regularization": (("weight_decay", None), ("p", 0)),
    "wrong_optimizer_hyperparameter": tuple(
        (name, None) for name in ("eps", "betas", "momentum", "weight_decay", "alpha", "dampening", "lr_decay", "rho",
                                     "initial_accumulator_value")
    ),
    "lr_schedule_misuse": (("step_size", 1), ("T_max", 1), ("gamma", None), ("patience", None), *(
        (name, None) for name in ("total_steps", "total_iters", "milestones", "num_training_steps"))),
    "fp16_overflow": (("init_scale", None),),
    "batch_size_too_small": (("batch_size", 1),),
    "batch_size_too_large": (("batch_size", 1),),
    "batchnorm_small_batch": (("batch_size", 1),),
    "unshuffled_data": (("shuffle", 2),),
    "padding_not_masked": (("ignore_index", None),),
    "bad_initialization": (("std", 2), ("val", 1), ("gain", 1)),
    "dead_relu": (("val", 1),),
}  # fmt: skip
# What a call is named whose argument at that position is this setting, where others have something else there.
NAMED = {
    "p": re.compile(r"drop", re.IGNORECASE),
    "std": re.compile(r"normal"),
    "val": re.compile(r"constant|fill"),
    "gain": re.compile(r"xavier|orthogonal"),
    "step_size": re.compile(r"StepLR$"),
    "T_max": re.compile(r"Cosine"),
}
WORDS = {
    "ema_misconfigured": re.compile(r"decay|momentum|alpha|beta|tau|rate"),
    "saturated_activation": re.compile(r"temp|scale|gain|tau|beta|slope|sharp|steep"),
    "lr_schedule_misuse": re.compile(r"warm"),
}
# what the first evidence must measure for those names to be looked for
MEASURED = {"lr_schedule_misuse": "largest rate used / declared rate"}
WEIGHTS = frozenset({"loss_term_imbalance"})  # of the terms of a loss
READERS = frozenset({"get", "getint", "getfloat", "getboolean", "float", "int", "bool", "pop"})
RENAMING = frozenset(
    {"radians", "deg2rad", "abs", "tensor", "as_tensor"}
)  # calls that give the same amount otherwise


@dataclass(frozen=True)
class Setting:
    """Where a blamed setting is written, and under which name."""

    file: str
    line: int
    name: str


Use = tuple[str, Scope, ast.expr]  # the setting's name, where it is used, what it is given there


@dataclass(frozen=True)
class Search:
    """What a setting is looked for with."""

    project: Project
    written: Callable[[str], Origin | None]  # where a name is given a value
    words: Mapping[str, float]
    computed: bool


def setting(finding: Finding, trace: Trace, project: Project) -> Setting | None:
    """The line that sets what the finding blames; None where it is written on the using line, or unknown."""
    stop = stoppers.wrong(finding, project)
    if stop is not None:
        return Setting(str(stop[0].file), stop[0].line, stop[1])
    values, fault = _values(finding, trace), finding.fault
    words = FLAGS if fault == "unshuffled_data" else NUMBERS

    def written(key: str) -> Origin | None:
        return _chosen(project.origins(key, words), values)

    search = Search(project, written, words, computed=fault not in WRITTEN)
    for name, scope, expression in _used(finding, trace, project):
        found = followed(search, scope, expression, name)
        if found is not None and finding.fault in WEIGHTS and found.file.endswith(".py"):
            place = finding.where  # in code the term itself is as near
            return Setting(place.file or "", place.line or 0, found.name)
        if found is not None:
            return found
    return _caller(finding, project) if finding.fault in HELPED else None


def _caller(finding: Finding, project: Project) -> Setting | None:
    """The one call of the function that returns the schedule or optimizer: what it is given there makes it wrong."""
    for scope, statement in project.at(finding.where.file, finding.where.line):
        helper = scope.function is not None and isinstance(statement, ast.Return)
        calls = project.calls.get(scope.function.name, []) if scope.function is not None and helper else []
        if len(calls) == 1 and len(scope.parameters) >= HELPED[finding.fault]:
            return Setting(str(calls[0][0].file), calls[0][1].lineno, "")
    return None


def given_for(finding: Finding, trace: Trace, project: Project) -> list[str]:
    """Names that the using line takes the blamed setting from."""
    return [key for _, _, e in _used(finding, trace, project) if (key := _key(e))]


def argument_line(finding: Finding, trace: Trace, project: Project) -> int | None:
    """The line of the one blamed argument of a call that is written over several lines."""
    statements = [node for _, node in project.at(finding.where.file, finding.where.line)]
    inside = {id(part) for node in statements for part in ast.walk(node)}
    lines = {e.lineno for _, _, e in _used(finding, trace, project) if id(e) in inside}
    return lines.pop() if len(lines) == 1 else None


def _used(finding: Finding, trace: Trace, project: Project) -> Iterator[Use]:
    """What the using line is given."""
    if finding.fault in WEIGHTS:
        yield from _weights(trace, project)
    words, wanted = WORDS.get(finding.fault), _blamed(finding)
    measured = MEASURED.get(finding.fault)
    if measured and not any(e.quantity == measured for e in finding.evidence[:1]):
        words = None
    for scope, statement in project.at(finding.where.file, finding.where.line):
        if words is not None:
            named = [n for n in ast.walk(statement) if isinstance(n, ast.expr) and last_name(n)]
            worded = [n for n in named if words.search(str(last_name(n)))] or _complements(statement)
            yield from ((str(last_name(n)), scope, n) for n in worded)
        if finding.fault in SHORT and isinstance(statement, Loop):
            yield from ((key, scope, e) for key, e in _limits(statement))
        for call in (n for n in ast.walk(statement) if isinstance(n, ast.Call)):
            given = ((name, _argument(project, call, name, position)) for name, position in wanted)
            yield from ((name, scope, e) for name, e in given if e is not None)


def _blamed(finding: Finding) -> tuple[tuple[str, int | None], ...]:
    """The settings that the fault is looked for in; the one alone that the first evidence names, where it names one
    (``Adam beta1``).
    """
    wanted = CALLS.get(finding.fault, ())
    told = finding.evidence[0].quantity.split() if finding.evidence else []
    named = tuple(
        w for w in wanted if w[0] in told or any(re.fullmatch(rf"{w[0].rstrip('s')}\d", t) for t in told)
    )
    return named or wanted


def _complements(statement: ast.AST) -> list[ast.expr]:
    """Names that are taken from one: ``d`` of ``average.lerp_(new, 1 - d)``."""
    taken = (n for n in ast.walk(statement) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Sub))
    return [n.right for n in taken if literal(n.left) == 1 and last_name(n.right)]


def _weights(trace: Trace, project: Project) -> list[Use]:
    """The factor of a term where the terms of the loss are added up; none when there are several."""
    site = trace.site("backward")
    starts = list(project.at(site.file, site.line)) if site else []
    nearby: list[tuple[Scope, ast.AST]] = list(starts)
    nearby += [(r.scope, r.node) for r in feeding(project, starts) if r.hops <= NEARBY]
    for scope, node in nearby:
        sums = [
            n for n in ast.walk(node) if isinstance(n, ast.BinOp) and isinstance(n.op, (ast.Add, ast.Sub))
        ]
        factors = {f for s in sums for side in (s.left, s.right) for f in _factors(side)}
        if factors:
            return [(_key(f) or "", scope, f) for f in factors] if len(factors) == 1 else []
    return []


def _factors(term: ast.expr) -> list[ast.expr]:
    """The name or number that a term is multiplied with."""
    if not (isinstance(term, ast.BinOp) and isinstance(term.op, ast.Mult)):
        return []
    settings = [
        s
        for s in (term.left, term.right)
        if literal(s) is not None or isinstance(s, (ast.Attribute, ast.Subscript))
    ]
    return settings or [s for s in (term.left,) if isinstance(s, ast.Name)]


def _limits(loop: Loop) -> Iterator[tuple[str, ast.expr]]:
    """What bounds a loop: the arguments of ``range``, the sides of a comparison."""
    for node in (part for bound in bounds(loop) for part in ast.walk(bound)):
        if isinstance(node, ast.Call) and last_name(node.func) == "range":
            yield from ((_key(a) or "range", a) for a in map(_counted, node.args[-2:]))
        elif isinstance(node, ast.Compare):
            yield from ((_key(a) or "limit", a) for a in map(_counted, node.comparators))


def _counted(bound: ast.expr) -> ast.expr:
    """``steps`` of ``steps + 1``."""
    if not isinstance(bound, ast.BinOp):
        return bound
    sides = [side for side in (bound.left, bound.right) if not isinstance(side, ast.Constant)]
    return sides[0] if len(sides) == 1 else bound


def _argument(project: Project, call: ast.Call, name: str, position: int | None) -> ast.expr | None:
    """What a call is given for a setting: by keyword, by position (of a function of the project: by its own signature),
    or in a dictionary of settings (``**cfg``), where it goes by its own name.
    """
    called = last_name(call.func) or ""
    own = project.signature(called)
    if own:
        position = own.index(name) if name in own else None
    named = own or name not in NAMED or NAMED[name].search(called)
    given = argument(call, name, position if named else None)
    if given is not None:
        return given
    unpacked = any(k.arg is None for k in call.keywords)
    return ast.copy_location(ast.Name(name, ast.Load()), call) if unpacked else None


def _key(expression: ast.expr) -> str | None:
    """The name under which a value is kept: ``lr`` of ``lr``, ``cfg.lr``, ``cfg["lr"]``, ``float(cfg.get("lr"))``."""
    if isinstance(expression, ast.Call) and last_name(expression.func) in READERS:
        strings = [a for a in expression.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        return str(strings[-1].value) if strings else next((_key(a) for a in expression.args), None)
    return last_name(expression)


def followed(search: Search, scope: Scope, expression: ast.expr, name: str) -> Setting | None:
    """Breadth first from the using expression to a number, under whatever names it passes."""
    waiting = deque([(scope, expression, name, 0)])
    seen: set[ast.AST] = set()
    while waiting:
        scope, expression, name, hops = waiting.popleft()
        key = _key(expression)
        if (hops or not name) and literal(expression, search.words) is not None:
            return Setting(str(scope.file), expression.lineno, name)
        called = _results(search.project, expression)
        if called:
            waiting.extend((inner, result, name, hops + 1) for inner, result in called if hops < FARTHEST)
            continue
        if key is None:
            only = _only_name(expression)
            if only is not None:
                waiting.append((scope, only, name, hops))
            elif hops and search.computed and not isinstance(expression, (ast.Constant, ast.Tuple)):
                return Setting(str(scope.file), expression.lineno, name)  # computed here
            continue
        written = search.written(key)
        if written is not None:
            return Setting(str(written.file), written.line, key)
        for caller, given in _next(search.project, scope, expression, key):
            if given not in seen and hops < FARTHEST:
                seen.add(given)
                waiting.append((caller, given, key, hops + 1))
    return None


def _only_name(expression: ast.expr) -> ast.expr | None:
    """The one name that arithmetic with ones rests on: ``horizon`` of ``1 - 1 / horizon``; another number beside it is
    as likely the wrong one.
    """
    parts = list(ast.walk(expression))
    plain = (
        ast.BinOp,
        ast.UnaryOp,
        ast.Constant,
        ast.operator,
        ast.unaryop,
        ast.expr_context,
        ast.Name,
        ast.Attribute,
    )
    calls = {id(part) for p in parts if _renames(p) for part in ast.walk(p.func)}
    parts = [p for p in parts if id(p) not in calls and not _renames(p)]
    names = [p for p in parts if isinstance(p, (ast.Name, ast.Attribute))]
    held = {id(p.value) for p in names if isinstance(p, ast.Attribute)}
    names = [p for p in names if id(p) not in held]
    # 10 ** log_lr
    bases = {id(p.left) for p in parts if isinstance(p, ast.BinOp) and isinstance(p.op, ast.Pow)}
    ones = all(p.value == 1 or id(p) in bases for p in parts if isinstance(p, ast.Constant))
    return names[0] if ones and len(names) == 1 and all(isinstance(p, plain) for p in parts) else None


def _renames(part: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(part, ast.Call) and last_name(part.func) in RENAMING


def _results(project: Project, expression: ast.expr) -> list[tuple[Scope, ast.expr]]:
    """What a call of a function of the project returns."""
    if not isinstance(expression, ast.Call):
        return []
    return [(f, r) for f in project.functions.get(last_name(expression.func) or "", ()) for r in f.results]


def _next(project: Project, scope: Scope, expression: ast.expr, key: str) -> Iterator[tuple[Scope, ast.expr]]:
    """What else a name is given: assignments to it, arguments for it, attributes of that name."""
    if isinstance(expression, ast.Name):
        bound = scope.bound.get(key) or project.modules[scope.file].bound.get(key, [])
        yield from ((b.scope, b.value) for b in bound)
        yield from project.given(scope, key)
    else:
        yield from ((b.scope, b.value) for b in project.attributes.get(key, ()))


def _values(finding: Finding, trace: Trace) -> tuple[float, ...]:
    """Numbers that the setting may have been measured as."""
    measured = [float(e.value) for e in finding.evidence if isinstance(e.value, (int, float))]
    if finding.fault in WRITTEN:
        return tuple(measured)  # what an optimizer is given has nothing to do with it
    groups = [
        v for o in trace.optimizers for g in o.groups for v in g.values() if isinstance(v, (int, float))
    ]
    return (*measured, *map(float, groups))


def _chosen(found: tuple[Origin, ...], values: tuple[float, ...]) -> Origin | None:
    """The only candidate, the only one whose value was measured, or the only one of a configuration that was read: the
    others are what holds without it.
    """
    measured = [o for o in found if any(math.isclose(o.value, v, rel_tol=CLOSE) for v in values)]
    configured = [o for o in found if o.file.suffix in CONFIGURATIONS]
    for candidates in (measured, found, configured):
        if len(candidates) == 1:
            return candidates[0]
    return None
