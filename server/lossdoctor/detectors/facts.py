"""What a trace says in the router's own vocabulary, and the small table that an expert would look at first."""

from __future__ import annotations

import math
from statistics import median

from ..model import Fact, Finding, Scalar, Trace
from ..traces.measure import (
    accuracy_curve,
    best,
    chance_accuracy,
    chance_loss,
    first_nonfinite,
    head,
    noise,
    objective,
    tail,
    time_shares,
)
from ..traces.movement import typical_update_ratio
from ..traces.progress import first_rates
from .base import rounded
from .learning import learned


def measured_facts(trace: Trace, findings: tuple[Finding, ...]) -> tuple[Fact, ...]:
    """Facts with provenance ``measured``; names are fields of ``routing.facts.Facts`` or ``fault``."""
    values: list[tuple[str, Scalar, str]] = []
    for finding in findings:
        if finding.status != "refuted" and finding.severity != "info":
            values.append(("fault", finding.fault, finding.why))
    values += _loss_facts(trace)
    shares = time_shares(trace)
    if shares and shares["mean_total"] > 0 and trace.of("loader"):
        values.append(
            (
                "data_wait_share",
                round(min(1.0, shares["mean_data"] / shares["mean_total"]), 3),
                "loader wait / step",
            )
        )
    if trace.optimizers:
        values.append(("optimizer", trace.optimizers[0].cls, "optimizer that stepped"))
    rates = first_rates(trace)
    if rates:
        values.append(("learning_rate", max(rates), "largest rate used"))
    return tuple(Fact(name=n, value=v, provenance="measured", quote=q) for n, v, q in values)


def _loss_facts(trace: Trace) -> list[tuple[str, Scalar, str]]:
    points = objective(trace)
    start, end, chance = head(points), tail(points), chance_loss(trace)
    broken = first_nonfinite(trace)
    if broken is not None:
        return [("loss_behaviour", "non_finite", f"first non-finite loss or gradient at step {broken}")]
    if start is None or end is None:
        return []
    facts: list[tuple[str, Scalar, str]] = [
        ("loss_behaviour", _behaviour(trace, start, end), f"loss {rounded(start)} -> {rounded(end)}")
    ]
    if chance is not None:
        facts.append(
            ("loss_at_chance", abs(end - chance) < 0.05 * abs(chance), f"chance level {rounded(chance)}")
        )
    return facts


def _behaviour(trace: Trace, start: float, end: float) -> str:
    points = objective(trace)
    spread = noise(points)
    if end > start + 5 * spread:
        return "rising"
    if not learned(trace):
        return "oscillating" if spread > 0.5 * abs(end) else "flat_from_start"
    return "falling_normally"


def measurements(trace: Trace) -> dict[str, Scalar | None]:
    """Loss, chance level, gradient, updates, dead units, waiting time: only what was measured."""
    points = objective(trace)
    norms = [s.grad_norm for s in trace.steps if math.isfinite(s.grad_norm)]
    dead = [r["dead"] for r in trace.of("act")[-64:] if "dead" in r]
    shares = time_shares(trace)
    evaluated = [e for e in trace.of("eval") if e["loss"]]
    found: dict[str, float | None] = {
        "loss_first": head(points), "loss_last": tail(points), "loss_best": best(points),
        "loss_of_constant_prediction": chance_loss(trace), "accuracy_last": tail(accuracy_curve(trace)),
        "accuracy_of_constant_prediction": chance_accuracy(trace),
        "eval_loss_last": sum(evaluated[-1]["loss"]) / len(evaluated[-1]["loss"]) if evaluated else None,
        "grad_norm_median": median(norms) if norms else None,
        "update_to_weight_ratio": typical_update_ratio(trace), "dead_units_max": max(dead) if dead else None,
        "step_ms": 1e3 * shares["mean_total"] if shares else None,
        "data_wait_share": _wait(trace, shares), "parameters": float(sum(p.numel for p in trace.parameters)) or None,
    }  # fmt: skip
    return {name: rounded(value, 4) for name, value in found.items() if value is not None}


def _wait(trace: Trace, shares: dict[str, float] | None) -> float | None:
    if not shares or not trace.of("loader") or shares["mean_total"] <= 0:
        return None
    return min(1.0, shares["mean_data"] / shares["mean_total"])
