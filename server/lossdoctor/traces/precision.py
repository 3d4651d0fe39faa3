"""Number formats of a run. Pure functions of a trace."""

from __future__ import annotations

from ..model import Trace

HALF = frozenset({"float16", "bfloat16"})


def half_forward(trace: Trace) -> str | None:
    """``float16`` or ``bfloat16`` when the training passes (by autocast) or the weights are; None for fp32."""
    for row in trace.of("forward"):
        if row["grad"] and row.get("autocast") in HALF:
            return str(row["autocast"])
    return next((p.dtype for p in trace.parameters if p.dtype in HALF and p.used), None)


def matrices(trace: Trace) -> frozenset[int]:
    """Ids of trainable parameters with two or more dimensions."""
    return frozenset(p.id for p in trace.parameters if len(p.shape) >= 2 and p.requires_grad)
