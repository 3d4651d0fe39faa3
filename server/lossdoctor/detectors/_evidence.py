"""Evidence that several detectors give in the same words, and changes that several propose."""

from __future__ import annotations

import math
from typing import Any

from ..model import Evidence, Optimizer, Parameter, Site, Trace
from ..traces.data import Agreement, Sampled
from ..traces.measure import head, objective, tail
from .base import rounded, site_by_id

TORCH_OPTIMIZERS = frozenset({"SGD", "ASGD", "Adam", "AdamW", "NAdam", "RAdam", "Adamax", "SparseAdam", "Adagrad",
                              "Adadelta", "Adafactor", "RMSprop"})  # fmt: skip
# optimizers whose step is as long as the gradient: for all others a constant factor of the loss cancels
LENGTH_MATTERS = ("SGD", "ASGD")
TRIALS = 3  # optimizers of one kind that make a search


def length_matters(trace: Trace, *more: str) -> bool:
    """Whether an optimizer steps as far as the gradient is long; ``more`` are further ones to which it matters."""
    return any(o.family in (*LENGTH_MATTERS, *more) for o in trace.optimizers)


def loss_span(trace: Trace) -> Evidence:
    """The loss at the start and at the end of the recording."""
    points = objective(trace)
    start, end = head(points), tail(points)
    return Evidence(quantity="loss, start and end", value=f"{_shown(start)} -> {_shown(end)}")


def _shown(value: float | None) -> str:
    return "unknown" if value is None else str(rounded(value))


def optimizer_site(trace: Trace) -> Site | None:
    """The line that makes the (first) optimizer; the one that updates by hand where there is none."""
    return site_by_id(trace, trace.optimizers[0].site) if trace.optimizers else trace.site("update")


def searched(trace: Trace, optimizer: Optimizer, name: str) -> bool:
    """Whether the script trains again and again with several values of an optimizer's setting: a search tries poor ones
    too. Single betas go by their common name.
    """
    key = name.rstrip("0123456789")
    alike = [o for o in trace.optimizers if (o.cls, o.sizes) == (optimizer.cls, optimizer.sizes)]
    values = {str(g.get(key, g.get(f"{key}s"))) for o in alike for g in o.groups[:1]}
    return len(alike) >= TRIALS and len(values) > 1


def data_site(trace: Trace) -> Site | None:
    """The line that reads a data file, else the one that makes the loader, else the first that makes data."""
    return trace.site("read") or trace.site("loader") or trace.site("data")


def criterion_site(trace: Trace, row: dict[str, Any]) -> Site | None:
    """The line that makes the module of a recorded loss call (``mse_loss``: ``MSELoss``), where its options are set;
    else the line of the call.
    """
    cls = {"binary_cross_entropy": "BCELoss", "binary_cross_entropy_with_logits": "BCEWithLogitsLoss"}
    plain = row["fn"].removesuffix("_loss").replace("_", "") + "loss"
    return made_site(trace, cls.get(row["fn"], plain)) or site_by_id(trace, row["site"])


def made_site(trace: Trace, cls: str) -> Site | None:
    """The line that makes the last module of a class (``ReLU``, ``MSELoss``; case does not matter)."""
    made = [r["site"] for r in trace.of("made") if r["class"].lower() == cls.lower()]
    return site_by_id(trace, made[-1]) if made else None


def last_site(trace: Trace, role: str) -> Site | None:
    """The line in a role that was noted last: the one in the loop, when others ran before it."""
    return next((s for s in reversed(trace.sites) if s.what == role), None)


def layer_before(trace: Trace, order: int) -> tuple[dict[str, Any], Parameter] | None:
    """The ``act`` row and the weights of the nearest layer with parameters that ran before the ``order``-th row, in the
    same step.
    """
    rows = trace.of("act")
    names = {p.name.rsplit(".", 1)[0]: p for p in reversed(trace.parameters) if len(p.shape) >= 2}
    earlier = (r for r in reversed(rows[:order]) if r["i"] == rows[order]["i"] and r["name"] in names)
    last = next(earlier, None)
    return None if last is None else (last, names[last["name"]])


def clearly_less(inner: Agreement, other: Agreement, gap: float, sigmas: float) -> bool:
    """Whether one agreement lies below another by a gap, and by so many standard errors of their difference."""
    return other.score - inner.score >= max(gap, sigmas * math.hypot(inner.error, other.error))


def vote(known: Sampled, neighbours: int) -> tuple[dict[str, Any], ...]:
    """The intervention that gives training samples the labels of their nearest neighbours among these."""
    if len(known) <= neighbours:
        return ()
    bank = {"x": [list(x) for x in known.x], "y": list(known.y), "classes": known.classes}
    return ({"name": "vote_labels", **bank, "neighbours": neighbours},)
