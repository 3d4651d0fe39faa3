"""# activation_output_mismatch: the output activation cannot represent the targets

**What it is.** The last operation before the loss limits the prediction to a range in which the targets do not lie: a
sigmoid for targets above 1, a ReLU for negative ones, a tanh for raw units, a softmax over a single column.

**Signal.** The operation that made the prediction, its range, and the range of the targets that the loss meets.

**Why it matters.** The model saturates at the edge of its range, where the gradient vanishes, and the error stays.

**Remedy.** Use a linear output for regression and raw scores for classification, or scale the targets into the range.

**When it stays silent.** Targets inside the range; an activation that is scaled afterwards; a few targets just
outside; limited scores in a classifier that learns well.

**Confirming intervention.** `linear_output`: the loss gets what went into that activation, same seed.

**References.** Goodfellow, Bengio and Courville, "Deep learning" (2016), 6.2.2 (output units and their losses).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ..model import Evidence, Finding, Site, Trace
from ..traces.measure import REGRESSION
from ..traces.progress import learned_well
from ._evidence import loss_span, made_site
from .base import Rule, at, found, rounded, site_by_id
from .loss_activation_mismatch import maker

RULE = Rule(
    fault="activation_output_mismatch",
    severity="critical",
    sheet="loss-functions-and-objectives#output-range",
    summary="The output activation must be able to produce every target value.",
    remedy="Drop the output activation (or scale the targets into its range).",
    structural=True,
    needs=("loss",),
    interventions=({"name": "linear_output"},),
    contraindications=("A higher learning rate drives the activation further into its flat end.",),
)

RANGES = {"Sigmoid": (0.0, 1.0), "Tanh": (-1.0, 1.0), "Relu": (0.0, math.inf), "Softmax": (0.0, 1.0),
          "Softplus": (0.0, math.inf), "Hardtanh": (-1.0, 1.0), "Hardsigmoid": (0.0, 1.0),
          # the least values of x Phi(x), x sigmoid(x), x tanh(softplus(x)) and, at torch's default, elu
          "Gelu": (-0.17, math.inf), "Silu": (-0.279, math.inf), "Mish": (-0.309, math.inf),
          "Elu": (-1.0, math.inf), "Hardswish": (-0.375, math.inf)}  # fmt: skip
SCORES = frozenset({"cross_entropy", "binary_cross_entropy_with_logits"})
LIMITED = ("Relu", "Tanh")  # scores that cannot be negative, or cannot tell classes apart by more than e^2
# The part of the target range that is out of reach, in standard deviations of the targets: rounding and single
# outliers stay below it, standardised targets (-2 .. 2) exceed it for every activation of the table.
OUTSIDE = 0.5
ROUNDING = 0.01  # of half-precision outputs about 1


@dataclass(frozen=True)
class Meeting:
    """An activation that meets targets in the loss."""

    activation: str
    low: float
    high: float
    std: float
    site: int | None


def check(trace: Trace) -> Finding | None:
    constant = next((r for r in trace.of("loss") if _constant(r)), None)
    if constant is not None:
        why = "A softmax over a single column is always 1: the prediction is a constant."
        return _finding(trace, why, 0.97, "Softmax", "always 1", "0 and 1", constant["site"])
    for meeting in (*_called(trace), *_by_hand(trace)):
        low, high = RANGES[meeting.activation]
        if max(low - meeting.low, meeting.high - high) > OUTSIDE * max(meeting.std, 1e-12):
            reach = f"{low:g} .. {high:g}"
            targets = f"{rounded(meeting.low)} .. {rounded(meeting.high)}"
            why = f"The output of {meeting.activation.lower()} lies in {reach}, the targets in {targets}."
            return _finding(trace, why, 0.95, meeting.activation, reach, targets, meeting.site)
    return None if learned_well(trace) else _limited_scores(trace)


def _finding(
    trace: Trace, why: str, confidence: float, activation: str, reach: str, targets: str, site: int | None
) -> Finding:
    return found(
        RULE,
        confidence,
        why,
        Evidence(quantity="operation that made the prediction", value=activation),
        Evidence(quantity="range of the prediction", value=reach),
        Evidence(quantity="range of the targets", value=targets, threshold=reach),
        loss_span(trace),
        where=at(
            _applied(trace, activation)
            or site_by_id(trace, site)
            or trace.site("loss")
            or trace.site("backward")
        ),
    )


def _applied(trace: Trace, activation: str) -> Site | None:
    """The line that applies the activation last, as a function, or that makes its module."""
    rows = [r for r in trace.of("act") if r["class"].lower() == activation.lower()]
    called = site_by_id(trace, rows[-1].get("site")) if rows else None
    return called or made_site(trace, activation)


def _constant(row: dict[str, Any]) -> bool:
    return (
        maker(row) == "Softmax"
        and row["in"]["shape"][-1:] == [1]
        and row["in"].get("min") == row["in"].get("max")
    )


def _called(trace: Trace) -> list[Meeting]:
    """Regression losses whose prediction comes from an activation, with the range over all recorded targets; not where
    predictions left the range that the name of the operation stands for (selu is an elu in torch's graph).
    """
    found_: dict[tuple[str, int | None], list[dict[str, Any]]] = {}
    beyond = set()
    for row in trace.of("loss"):
        name = maker(row)
        if row["fn"] in REGRESSION and name in RANGES and "std" in row["target"]:
            found_.setdefault((name, row["site"]), []).append(row["target"])
            low, high = (row["in"].get(end, RANGES[name][k]) for k, end in enumerate(("min", "max")))
            if low < RANGES[name][0] - ROUNDING or high > RANGES[name][1] + ROUNDING:
                beyond.add((name, row["site"]))
    return [
        Meeting(
            name, min(t["min"] for t in rows), max(t["max"] for t in rows), max(t["std"] for t in rows), site
        )
        for (name, site), rows in found_.items()
        if (name, site) not in beyond
    ]


def _by_hand(trace: Trace) -> list[Meeting]:
    """A difference of an activation and a constant next to the loss; the targets are the loader's last tensor."""
    targets = [r["tensors"][-1] for r in trace.of("batch") if len(r["tensors"]) > 1]
    floats = [t for t in targets if "std" in t]
    for row in trace.of("graph") if floats and not trace.of("loss") else ():
        for child, (shape, _, place, _) in enumerate(row.get("ops", [])):
            name, meets = row["head"][child], row["head"][place] if place >= 0 else ""
            alone = (
                place >= 0 and row["ops"][place][1] == 1
            )  # the other side of the difference is no prediction
            if name in RANGES and meets in ("Sub", "Squeeze") and alone and shape is not None:
                low, high = min(t["min"] for t in floats), max(t["max"] for t in floats)
                return [Meeting(name, low, high, max(t["std"] for t in floats), None)]
    return []


def _limited_scores(trace: Trace) -> Finding | None:
    for row in trace.of("loss"):
        name = maker(row)
        if row["fn"] in SCORES and name in LIMITED:
            reach = f"{RANGES[name][0]:g} .. {RANGES[name][1]:g}"
            why = (
                f"{row['fn']} expects raw scores of any size and sign, but gets the output of {name.lower()}."
            )
            return _finding(trace, why, 0.85, name, reach, "raw scores", row["site"])
    return None
