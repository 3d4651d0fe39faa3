"""# loss_wrong_for_task: the loss function belongs to another type of task

**What it is.** A regression loss on class numbers, a softmax cross-entropy for several labels at once or for a single
output column, a binary cross-entropy for targets that are not between 0 and 1, a Poisson loss on negative targets.

**Signal.** What the loss function is called with: its name, the width of the prediction, the kind and the sums of the
targets, and whether they were integers when they left the loader.

**Why it matters.** It runs, the number falls, and the model learns something else (class 3 lies "between" 2 and 4; of
several labels only one can be right; a single column has no alternative and a loss of 0).

**Remedy.** One of C classes: `cross_entropy` with C columns. Yes or no, or several labels: binary cross-entropy with
logits. Quantities: squared or absolute error.

**When it stays silent.** Squared error on one-hot rows or on 0/1 targets (Brier score); soft labels whose rows sum to
1; whole-number quantities that were never integer labels, or whose values peak somewhere (ratings, counts, ages).

**Confirming intervention.** `binary_loss` for several labels at once, same seed: a printed score must end clearly
higher. None for the others: the arguments of the call are the fault, and the right loss needs another output.

**References.** PyTorch documentation, "Loss functions"; Goodfellow, Bengio and Courville, "Deep learning" (2016), 6.2.
"""

from __future__ import annotations

from typing import Any

from ..model import Evidence, Finding, Trace
from ..traces.measure import REGRESSION
from ._evidence import criterion_site, loss_span
from .base import Rule, at, found, rounded

RULE = Rule(
    fault="loss_wrong_for_task",
    severity="critical",
    sheet="loss-functions-and-objectives#choosing-a-loss",
    summary="Classes, several labels and quantities each have their own loss.",
    remedy="Use the loss of the task: cross_entropy for classes, BCE with logits for labels, MSE for quantities.",
    structural=True,
    needs=("loss",),
    contraindications=("Tuning the optimizer cannot turn one objective into another.",),
)

SUMS = 0.15  # distance of the mean row sum from 1: rounding and label smoothing keep it at 0
SEVERAL = 2  # labels of 0 and 1 in one row, in more than half of the batches
CLASSES = range(3, 65)  # more distinct whole numbers are rather quantities
BALANCED = 2.0  # ratings, counts and ages peak in the middle; class numbers of usual data sets are near even
DISTANCES = frozenset({"Pow", "Abs", "Mul"})
BCE = ("binary_cross_entropy", "binary_cross_entropy_with_logits")
Problem = tuple[str, str, float]  # why, remedy, confidence


def check(trace: Trace) -> Finding | None:
    by_call: dict[tuple[str, int | None], list[dict[str, Any]]] = {}
    for row in trace.of("loss"):
        by_call.setdefault((row["fn"], row["site"]), []).append(row)
    for (name, _), rows in by_call.items():
        problem = _softmax(name, rows) or _range(name, rows) or _classes(trace, name, rows)
        if problem is not None:
            why, remedy, confidence = problem
            return found(
                RULE, confidence, why,
                Evidence(quantity="loss function", value=name),
                Evidence(quantity="shape of prediction and target",
                         value=f"{tuple(rows[0]['in']['shape'])}, {tuple(rows[0]['target']['shape'])}"),
                Evidence(quantity="range of the targets", value=_span(rows)),
                loss_span(trace),
                where=at(criterion_site(trace, rows[0])), remedy=remedy,
            )  # fmt: skip
    return _by_hand(trace)


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """A binary loss where a softmax gets several labels; the other kinds need another model."""
    several = any(
        _softmax(r["fn"], [r]) and r["in"]["shape"] == r["target"]["shape"] for r in trace.of("loss")
    )
    return ({"name": "binary_loss"},) if several else ()


def _by_hand(trace: Trace) -> Finding | None:
    """A squared or absolute difference of one number per sample and integer labels of more than two classes."""
    if not all(r.get("by_hand") for r in trace.of("loss")) or not _nominal(trace):
        return None
    labels = [r["tensors"][-1] for r in trace.of("batch") if len(r["tensors"]) > 1]
    counts = {int(v) for t in labels if len(t["shape"]) == 1 for v in t.get("hist", {})}
    graph = next(iter(trace.of("graph")), None)
    if graph is None or len(counts) not in CLASSES:
        return None
    size = labels[0]["shape"][0]
    for name, (shape, inputs, place, _) in zip(graph["head"], graph.get("ops", []), strict=False):
        near = graph["head"][place] if place >= 0 else ""
        if name == "Sub" and inputs == 1 and near in DISTANCES and shape in ([size], [size, 1]):
            return found(
                RULE, 0.8, f"A distance treats {len(counts)} class numbers as quantities.",
                Evidence(quantity="classes among the labels", value=len(counts)),
                Evidence(quantity="operations at the loss", value=", ".join(graph["head"][:4])),
                loss_span(trace),
                where=at(trace.site("loss") or trace.site("backward")),
            )  # fmt: skip
    return None


def _span(rows: list[dict[str, Any]]) -> str:
    known = [r["target"] for r in rows if "min" in r["target"]]
    if not known:
        return "unknown"
    return f"{rounded(min(t['min'] for t in known))} .. {rounded(max(t['max'] for t in known))}"


def _softmax(name: str, rows: list[dict[str, Any]]) -> Problem | None:
    if name != "cross_entropy" or len(rows[0]["in"]["shape"]) < 2:
        return None
    width = rows[0]["in"]["shape"][1]
    if width == 1:
        why = "cross_entropy over a single column: its softmax is always 1, so the loss says nothing."
        return why, "Use binary_cross_entropy_with_logits for one column, or two columns.", 0.97
    soft = [
        r["target"]
        for r in rows
        if r["target"]["dtype"].startswith(("float", "bfloat")) and "mean" in r["target"]
    ]
    sums = [t["mean"] * width for t in soft if t["shape"] == rows[0]["in"]["shape"] or len(t["shape"]) == 2]
    several = [r for r in rows if "whole" in r["target"] and (r.get("target_rows") or 0) >= SEVERAL]
    if len(sums) < len(rows):
        return None
    if sum(abs(s - 1) > SUMS for s in sums) > len(rows) / 2:
        labels = f"{rounded(sum(sums) / len(sums))} labels on average"
    elif len(several) > len(rows) / 2:
        labels = f"up to {several[0]['target_rows']:.0f} labels"
    else:
        return None
    why = f"cross_entropy lets one class win, but a row of targets holds {labels}."
    return why, "Use binary_cross_entropy_with_logits: several labels can be right at once.", 0.95


def _range(name: str, rows: list[dict[str, Any]]) -> Problem | None:
    known = [r["target"] for r in rows if "min" in r["target"]]
    low, high = min((t["min"] for t in known), default=0.0), max((t["max"] for t in known), default=1.0)
    if name in BCE and (high > 1 or low < 0) and (low, high) != (-1, 1):
        why = f"Binary cross-entropy needs targets between 0 and 1; these run from {rounded(low)} to {rounded(high)}."
        return why, "Use cross_entropy for class numbers, or squared error for quantities.", 0.95
    if name == "poisson_nll_loss" and low < 0:
        return "A Poisson loss needs counts; these targets are negative too.", "Use squared error.", 0.95
    return None


def _classes(trace: Trace, name: str, rows: list[dict[str, Any]]) -> Problem | None:
    """Class numbers as quantities: integers in the loader, whole floats in the loss, one column of predictions."""
    shape, target = rows[0]["in"]["shape"], rows[0]["target"]
    single = len(shape) == 1 or (len(shape) == 2 and shape[1] == 1)
    distinct = max((r["target"].get("whole", r["target"].get("distinct", 0)) for r in rows), default=0)
    lowest = min((r["target"].get("min", 1) for r in rows), default=1)
    if (
        name not in REGRESSION
        or not single
        or distinct not in CLASSES
        or lowest < 0
        or not _integer(trace, target)
    ):
        return None
    if not _nominal(trace):
        return None
    why = f"{name} treats {distinct} class numbers as quantities, in one output column."
    return why, f"Use cross_entropy with {distinct} output columns.", 0.8


def _integer(trace: Trace, target: dict[str, Any]) -> bool:
    """Whether the labels were integers before they met the loss."""
    if target["dtype"].startswith("int"):
        return True
    last = [r["tensors"][-1] for r in trace.of("batch") if len(r["tensors"]) > 1]
    return any(t["dtype"].startswith(("int", "uint")) and len(t["shape"]) == 1 for t in last)


def _nominal(trace: Trace) -> bool:
    """Whether integer labels look like class numbers: 0, 1, ... without a gap, none far more frequent than others."""
    counts: dict[int, int] = {}
    for row in trace.of("batch"):
        for value, count in row["tensors"][-1].get("hist", {}).items():
            counts[int(value)] = counts.get(int(value), 0) + count
    total = sum(counts.values())
    whole = bool(counts) and set(counts) == set(range(len(counts)))
    return whole and max(counts.values()) < BALANCED * total / len(counts)
