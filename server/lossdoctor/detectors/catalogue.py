"""All detectors: found by walking this package; nothing is registered by hand."""

from __future__ import annotations

import difflib
import importlib
import logging
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..errors import FaultNotFound
from ..model import Finding, NotChecked, Trace
from .base import AVAILABLE, NAMES, Missing, Rule

SHARED = frozenset({"base", "catalogue", "causes", "facts", "falling", "learning"})
Check = Callable[[Trace], "Finding | Missing | None"]
Changes = Callable[[Trace], tuple[dict[str, Any], ...]]


@dataclass(frozen=True)
class Detector:
    """A detector module's parts; ``changes``: the interventions fitted to one run, where the module has them."""

    rule: Rule
    page: str
    check: Check
    changes: Changes | None = None


@cache
def detectors() -> dict[str, Detector]:
    """fault id -> detector, in alphabetical order."""
    package = importlib.import_module(__package__)
    found = {}
    for info in pkgutil.iter_modules(package.__path__):
        if info.name not in SHARED and not info.name.startswith("_"):
            module = importlib.import_module(f"{__package__}.{info.name}")
            page = (module.__doc__ or "").strip()
            found[info.name] = Detector(
                module.RULE, page, module.check, getattr(module, "interventions", None)
            )
    return found


def fault_ids() -> tuple[str, ...]:
    return tuple(detectors())


def rule(fault: str) -> Rule:
    """The rule of a fault. Raises FaultNotFound for an unknown id."""
    return _get(fault).rule


def interventions(fault: str, trace: Trace) -> tuple[dict[str, Any], ...]:
    """The changes that would remove the fault from this run, in the order of trying."""
    fitted = _get(fault).changes
    return fitted(trace) if fitted is not None else _get(fault).rule.interventions


def shows(fault: str, trace: Trace) -> bool:
    """Whether the detector of a fault still finds its sign in a trace."""
    return isinstance(_guarded(fault, _get(fault), trace), Finding)


def explain(fault: str) -> str:
    """The page of a fault. Raises FaultNotFound, with the nearest ids, for an unknown one."""
    return _get(fault).page


def _get(fault: str) -> Detector:
    known = detectors()
    if fault not in known:
        near = difflib.get_close_matches(fault, known, n=3, cutoff=0.4) or list(known)
        raise FaultNotFound(f"no fault {fault[:60]!r}", hint=f"known: {', '.join(near)}")
    return known[fault]


def run_detectors(trace: Trace) -> tuple[tuple[Finding, ...], tuple[NotChecked, ...]]:
    """Every detector over one trace: what was found, and what could not be looked for and why."""
    findings, unchecked = [], []
    for fault, detector in detectors().items():
        outcome = _guarded(fault, detector, trace)
        if isinstance(outcome, Finding):
            findings.append(outcome)
        elif isinstance(outcome, Missing):
            unchecked.append(NotChecked(fault=fault, missing=outcome.quantity))
    return tuple(findings), tuple(unchecked)


def _guarded(fault: str, detector: Detector, trace: Trace) -> Finding | Missing | None:
    """One detector's mistake must not cost the others' answers: it is logged, and told as not checked."""
    try:
        return apply(detector, trace)
    except Exception as error:
        logging.getLogger(__name__).exception("the check for %s failed", fault)
        return Missing(
            f"the check itself failed ({type(error).__name__}): a bug of lossdoctor, please report it"
        )


def apply(detector: Detector, trace: Trace) -> Finding | Missing | None:
    """One detector over one trace: Missing when a quantity that it needs is not there."""
    for need in detector.rule.needs:
        if not AVAILABLE[need](trace):
            return Missing(NAMES[need])
    return detector.check(trace)
