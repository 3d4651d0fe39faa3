"""What a detector is made of.

A detector module has a docstring (its page), ``RULE`` and ``check(trace)``, which returns a Finding, None
(looked and found nothing) or the name of what was missing (``Missing``), so that "could not look" never
passes for health.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ..model import Evidence, Finding, Ref, Severity, Site, Trace, Where

# Confidence of a suspicion that is worth an intervention but is not reported unless that confirms it.
TENTATIVE = 0.3
# The same where nothing in the run itself speaks for the fault: the change must then bring much
# (``missed`` of tools/evaluation_criteria.py).
MERE = 0.2


@dataclass(frozen=True)
class Rule:
    """Facts about a fault: ``needs`` are quantities of ``AVAILABLE`` without which the check cannot run;
    ``sheet`` is ``sheet#section``; ``symptom`` a class of the routing tables; ``interventions`` the changes that
    would remove the fault, tried in turn until one confirms it. A ``structural`` fault rests on facts of the
    run (identities, call order, arguments), so an intervention without visible effect does not refute it. ``cures`` is
    False where the interventions show the fault without mending it (what a model lives on is taken away).
    """

    fault: str
    severity: Severity
    sheet: str
    summary: str
    remedy: str
    symptom: str = "not_learning"
    needs: tuple[str, ...] = ()
    interventions: tuple[dict[str, Any], ...] = ()
    structural: bool = False
    cures: bool = True
    contraindications: tuple[str, ...] = ()


@dataclass(frozen=True)
class Missing:
    """The quantity that a check needed and the trace does not hold."""

    quantity: str


def sheet_ref(address: str, why: str = "") -> Ref:
    sheet, _, section = address.partition("#")
    return Ref(
        id=sheet,
        kind="sheet",
        section=section or None,
        uri=f"sheet://{sheet}/{section}" if section else f"sheet://{sheet}",
        why=why,
    )


def found(
    rule: Rule,
    confidence: float,
    why: str,
    *evidence: Evidence,
    where: Where | None = None,
    severity: Severity | None = None,
    remedy: str | None = None,
    contraindications: tuple[str, ...] = (),
) -> Finding:
    """A suspected finding of ``rule`` with its fixed parts filled in."""
    return Finding(
        fault=rule.fault,
        severity=severity or rule.severity,
        confidence=confidence,
        evidence=evidence,
        where=where or Where(),
        why=why,
        remedy=remedy or rule.remedy,
        contraindications=(*rule.contraindications, *contraindications),
        sheet=sheet_ref(rule.sheet, rule.summary),
        symptom=rule.symptom,
    )


def proven(finding: Finding, proof: str) -> Finding:
    """A finding whose experiment was made inside the run: one thing was changed, and this is what it did."""
    return finding.model_copy(update={"status": "confirmed", "proof": proof})


def at(site: Site | None, **more: Any) -> Where:
    """A place from a recorded line."""
    if site is None:
        return Where(**more)
    return Where(file=site.file, line=site.line, **more)


def site_by_id(trace: Trace, number: int | None) -> Site | None:
    return next((s for s in trace.sites if s.id == number), None)


def rounded(value: float, digits: int = 3) -> float | str:
    """A number fit for evidence: ``digits`` significant digits, non-finite ones as text."""
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")
    return float(f"{value:.{digits}g}")


def number(value: float) -> str:
    """A number as a person reads it."""
    return f"{value:.3g}"


AVAILABLE = {
    "steps": lambda trace: bool(trace.steps),
    "optimizer_steps": lambda trace: any(s.optimizer >= 0 for s in trace.steps),
    "moving_steps": lambda trace: any(s.optimizer >= 0 or s.moved for s in trace.steps),
    "ten_steps": lambda trace: len(trace.steps) >= 10,
    "loss": lambda trace: any(s.losses for s in trace.steps),
    "loss_function": lambda trace: bool(trace.of("loss")),
    "activations": lambda trace: bool(trace.of("act")),
    "updates": lambda trace: any(s.updates for s in trace.steps),
    "loader": lambda trace: bool(trace.of("loader")),
    "evaluation": lambda trace: bool(trace.of("eval")),
    "held_out": lambda trace: bool(trace.of("eval")) or bool(trace.of("shared")),
    "batches": lambda trace: bool(trace.of("batch")) or bool(trace.of("forward")),
}

NAMES = {
    "steps": "optimizer steps",
    "optimizer_steps": "steps of a torch optimizer",
    "moving_steps": "steps that move parameters",
    "ten_steps": "ten or more optimizer steps",
    "loss": "a scalar loss that backward was called on",
    "loss_function": "a call of a torch loss function",
    "activations": "module activations",
    "updates": "parameter updates",
    "loader": "a torch DataLoader",
    "evaluation": "an evaluation pass without gradients",
    "held_out": "an evaluation pass without gradients, or a held-out table",
    "batches": "input batches",
}
