"""Root cause before consequence: folds findings under the cause that explains them."""

from __future__ import annotations

import sys
from functools import cache
from importlib.resources import files

from ..model import Finding
from .base import TENTATIVE
from .catalogue import rule

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CERTAIN = 0.9
SEVERITY = {"critical": 0, "warning": 1, "info": 2}
STATUS = {"confirmed": 0, "suspected": 1, "refuted": 2}


@cache
def consequences() -> dict[str, tuple[str, ...]]:
    """fault -> the faults that it may bring about."""
    text = files(__package__).joinpath("causes.toml").read_text(encoding="utf-8")
    return {cause: tuple(found) for cause, found in tomllib.loads(text).items()}


def ordered(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Most probable root cause first; consequences of a non-refuted, non-info finding folded under it (a
    merely tentative one explains nothing yet).

    Order: not refuted, not mere information, proven before suspected (confirmed by a change, or a fact of the run's
    structure that is as good as certain), severity, confidence, onset (a cause is seen first).
    """
    standing = [f for f in findings if f.status != "refuted" and f.severity != "info"]
    causes = [f for f in standing if f.confidence > TENTATIVE or f.status == "confirmed"]
    explained: dict[str, str] = {}
    for finding in sorted(standing, key=rank):
        for cause in causes:
            if (
                finding.fault in consequences().get(cause.fault, ())
                and explained.get(cause.fault) != finding.fault
            ):
                explained.setdefault(finding.fault, cause.fault)
    kept = [f for f in findings if f.fault not in explained]
    folded = {
        c: tuple(sorted(k for k, v in explained.items() if _root(v, explained) == c))
        for c in explained.values()
    }
    return tuple(
        sorted((f.model_copy(update={"consequences": folded.get(f.fault, ())}) for f in kept), key=rank)
    )


def _root(fault: str, explained: dict[str, str]) -> str:
    seen = {fault}
    while fault in explained and explained[fault] not in seen:
        fault = explained[fault]
        seen.add(fault)
    return fault


def rank(finding: Finding) -> tuple[int, int, int, int, float]:
    refuted = int(finding.status == "refuted")
    proven = (
        finding.status == "suspected" and finding.confidence >= CERTAIN and rule(finding.fault).structural
    )
    status = STATUS["confirmed" if proven else finding.status]
    told, severity = int(finding.severity == "info"), SEVERITY[finding.severity]
    return refuted, told, status, severity, -finding.confidence
