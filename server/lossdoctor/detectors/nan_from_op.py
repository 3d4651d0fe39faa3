"""# nan_from_op: a specific operation creates NaN or infinity

**What it is.** log(0), 0/0, sqrt at 0 (its gradient is infinite), overflow of exp, a norm of a zero vector: an
operation turns finite numbers into non-finite ones.

**Signal.** The loss or a gradient stops being finite while the loss before was ordinary. The run is repeated
with every torch call watched from just before that step; the first call with finite inputs and a non-finite
output (or, in the backward pass, the first autograd function that returns NaN) is named with its line; where none has
finite inputs, the first that makes NaN of the infinities of a mask.

**Why it matters.** One optimizer step with a NaN gradient makes every weight NaN.

**Remedy.** Make that operation safe: the combined form (`log_softmax`, `binary_cross_entropy_with_logits`,
`logsumexp`), a clamp or an eps *inside* the root or logarithm, a mask that keeps the bad elements out.

**When it stays silent.** Non-finite values in the data (`nan_in_data`); a loss that grew by orders of magnitude
before it overflowed (`lr_too_high`, `exploding_gradient`); steps that a GradScaler skipped.

**Confirming intervention.** `bounded_operands`: logarithms, roots, divisors, exponents, arcs and the scores of a
softmax are kept in range, same seed; the run must stay finite. Where another operation is at fault, the repeated run
that names it has to do.

**References.** PyTorch documentation, `torch.autograd.detect_anomaly`; Goldberg, "What every computer scientist
should know about floating-point arithmetic" (1991).
"""

from __future__ import annotations

from typing import Any

from ..model import Evidence, Finding, Trace, Where
from ..traces.measure import curve, finite, first_nonfinite, head
from .base import Rule, at, found, rounded

RULE = Rule(
    fault="nan_from_op",
    severity="critical",
    sheet="gradient-management#non-finite-values",
    summary="Find the first non-finite value and make that one operation safe.",
    remedy="Make the named operation safe for the input range it meets (clamp, eps inside, or the fused form).",
    symptom="nan_instability",
    needs=("loss",),
    interventions=({"name": "bounded_operands"},),
    contraindications=(
        "Gradient clipping does not repair NaN: a NaN norm makes every gradient NaN.",
        "An eps added outside the root or logarithm does not change its gradient at 0.",
    ),
)

# Growth of the loss, relative to its start, from which on a non-finite value is an overflow at the end of a
# divergence and not the work of one operation. Between the two there is a wide gap: benchmarks/thresholds.
GROWTH = 100.0
# of a row: what they give where all of it is masked by -inf is 0 / 0
OVER_ROWS = (
    "softmax",
    "log_softmax",
    "logsumexp",
    "scaled_dot_product_attention",
    "multi_head_attention_forward",
)


def check(trace: Trace) -> Finding | None:
    broken = first_nonfinite(trace)
    if broken is None or _diverged(trace, broken):
        return None
    rows = trace.of("nonfinite")
    return _located(trace, rows[0], broken) if rows else _unlocated(trace, broken)


def _diverged(trace: Trace, broken: int) -> bool:
    points = curve(trace)
    start = head(points)
    before = [v for i, v in finite(points) if broken - 10 <= i < broken]
    return start is not None and bool(before) and max(abs(v) for v in before) > GROWTH * max(abs(start), 1e-3)


def _located(trace: Trace, row: dict[str, Any], broken: int) -> Finding | None:
    if row["inputs_bad"] and row["phase"] == "forward":
        return _of_infinities(trace, row, broken)
    ranges = "; ".join(f"{rounded(t['min'])} .. {rounded(t['max'])}" for t in row["inputs"] if "min" in t)
    phase = row["phase"]
    evidence = [
        Evidence(quantity=f"first operation with a non-finite result ({phase} pass)", value=row["op"],
                 step=row["i"], where=row.get("module")),
        Evidence(quantity="first step with a non-finite loss or gradient", value=broken),
    ]  # fmt: skip
    if ranges:
        evidence.insert(1, Evidence(quantity="range of its inputs", value=ranges))
    where = Where(module=row.get("module"), file=row.get("file"), line=row.get("line"))
    why = f"{row['op']} returned a non-finite value from finite input in the {phase} pass of step {row['i']}."
    return found(RULE, 0.97, why, *evidence, where=where)


def _of_infinities(trace: Trace, row: dict[str, Any], broken: int) -> Finding | None:
    """NaN of inputs that hold infinities but no NaN: a mask that leaves nothing of a row, or 0 times infinity. None
    where the first bad value came from outside the watched operations: data, or an earlier step.
    """
    fed = (t for r in trace.of("forward") if r["i"] <= broken for t in r["in"])
    sure = row["op"] in OVER_ROWS
    if row["inputs_nan"] or not row["output_nan"] or (not sure and any(t.get("bad") for t in fed)):
        return None
    masked = " (a row that a mask leaves nothing of)" if sure else ""
    return found(
        RULE,
        0.97 if sure else 0.75,
        f"{row['op']} made NaN of infinities{masked} in the forward pass of step {row['i']}.",
        Evidence(quantity="first operation that made NaN of values that are none", value=row["op"], step=row["i"],
                 where=row.get("module")),
        Evidence(quantity="share of its inputs that are infinite",
                 value=rounded(max((t["bad"] for t in row["inputs"] if "bad" in t), default=0.0))),
        Evidence(quantity="first step with a non-finite loss or gradient", value=broken),
        where=Where(module=row.get("module"), file=row.get("file"), line=row.get("line")),
        remedy="Leave at least one position of each row unmasked, or set what such a row gives to 0." if sure else None,
    )  # fmt: skip


def _unlocated(trace: Trace, broken: int) -> Finding:
    return found(
        RULE,
        0.6,
        f"The loss or a gradient stopped being finite at step {broken} without having grown before.",
        Evidence(quantity="first step with a non-finite loss or gradient", value=broken),
        where=at(trace.site("loss") or trace.site("backward")),
    )
