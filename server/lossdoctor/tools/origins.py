"""Where a setting that a finding blames gets its value: in the code, in a configuration file, on the command line.

The recorder knows the line that *uses* a learning rate or a threshold (``SGD(model.parameters(), lr=args.lr)``). What
the user must change is where the number is written. The name in the using call is looked up among the literals of the
project; a name with several candidates is followed only when one of them alone has the measured value.
"""

from __future__ import annotations

import ast
import math
import re
from pathlib import Path

from ..detectors.base import site_by_id
from ..model import Evidence, Finding, Trace
from ..reports.untrusted import one_line
from .literals import Origin, last_name, loosely, origins, parsed

CLOSE = 0.005  # relative difference of a measured value that was rounded to three digits

# fault -> (keyword of the using call, its position); None where it cannot be given by position
SETTINGS: dict[str, tuple[tuple[str, int | None], ...]] = {
    "lr_too_high": (("lr", 1),),
    "lr_too_low": (("lr", 1),),
    "warmup_missing": (("lr", 1),),
    "grad_clip_too_tight": (("max_norm", 1), ("clip_value", 1)),
    "over_regularization": (("weight_decay", None), ("p", 0)),
    "wrong_optimizer_hyperparameter": tuple(
        (name, None) for name in ("eps", "betas", "momentum", "weight_decay", "alpha", "dampening", "lr_decay", "rho")
    ),
    "lr_schedule_misuse": (("step_size", 1), ("T_max", 1), ("total_steps", None), ("gamma", None), ("patience", None)),
    "fp16_overflow": (("init_scale", None),),
    "batch_size_too_small": (("batch_size", 1),),
    "batch_size_too_large": (("batch_size", 1),),
    "batchnorm_small_batch": (("batch_size", 1),),
}  # fmt: skip
WORDS = {"ema_misconfigured": re.compile(r"decay|momentum|alpha|beta|tau|rate")}


def located(
    findings: tuple[Finding, ...], trace: Trace, root: Path, args: tuple[str, ...]
) -> tuple[Finding, ...]:
    """The findings with the place where their setting is written, in code or in a configuration file, as their own
    line, and the using line as evidence; the command line is named in the evidence. A finding that has a module or a
    parameter but no line gets the line that calls the module.
    """
    return tuple(_at_call(_located(finding, trace, root, args), trace) for finding in findings)


def _located(finding: Finding, trace: Trace, root: Path, args: tuple[str, ...]) -> Finding:
    names = _names(finding)
    if not names:
        return finding
    given = next((a for a in args for n in names if re.match(rf"-*{loosely(n)}(=|$)", a)), None)
    if given is not None:
        return _with(finding, "set on the command line by", given)
    values = _values(finding, trace)
    found = _chosen([o for name in names for o in origins(root, name)], values)
    if found is None:
        return finding
    if (str(found.file), found.line) == (finding.where.file, finding.where.line):
        return finding
    used = f"{Path(finding.where.file or '').name}:{finding.where.line}"
    moved = finding.where.model_copy(update={"file": str(found.file), "line": found.line})
    return _with(finding.model_copy(update={"where": moved}), "used at", used)


def _at_call(finding: Finding, trace: Trace) -> Finding:
    place = finding.where
    path = place.module or (place.parameter or "").rpartition(".")[0]
    if place.line is not None or not path:
        return finding
    calls = {k: v for row in trace.of("model") for k, v in row.get("calls", {}).items()}
    while path and path not in calls:
        path = path.rpartition(".")[0]
    site = site_by_id(trace, calls.get(path))
    if site is None:
        return finding
    return finding.model_copy(
        update={"where": place.model_copy(update={"file": site.file, "line": site.line})}
    )


def _with(finding: Finding, quantity: str, value: str) -> Finding:
    more = Evidence(quantity=quantity, value=one_line(value, 160))
    return finding.model_copy(update={"evidence": (*finding.evidence, more)})


def _names(finding: Finding) -> list[str]:
    """Names that the using line takes the blamed setting from; empty when it is written there, or unknown."""
    place = finding.where
    if place.file is None or place.line is None:
        return []
    tree = parsed(Path(place.file))
    if tree is None:
        return []
    words = WORDS.get(finding.fault)
    if words is not None:
        here = [n for n in ast.walk(tree) if getattr(n, "lineno", None) == place.line]
        return list(dict.fromkeys(name for node in here if (name := last_name(node)) and words.search(name)))
    for call in (n for n in ast.walk(tree) if isinstance(n, ast.Call) and _spans(n, place.line)):
        for keyword, position in SETTINGS.get(finding.fault, ()):
            given = next((k.value for k in call.keywords if k.arg == keyword), None)
            if given is None and position is not None and len(call.args) > position:
                given = call.args[position]
            name = None if given is None else last_name(given)
            if name:
                return [name]
    return []


def _spans(node: ast.Call, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def _values(finding: Finding, trace: Trace) -> tuple[float, ...]:
    """Numbers that the setting may have been measured as."""
    measured = [float(e.value) for e in finding.evidence if isinstance(e.value, (int, float))]
    groups = [
        v for o in trace.optimizers for g in o.groups for v in g.values() if isinstance(v, (int, float))
    ]
    return (*measured, *map(float, groups))


def _chosen(found: list[Origin], values: tuple[float, ...]) -> Origin | None:
    """The only candidate, or the only one whose value was measured."""
    measured = [o for o in found if any(math.isclose(o.value, v, rel_tol=CLOSE) for v in values)]
    for candidates in (measured, found):
        if len(candidates) == 1:
            return candidates[0]
    return None
