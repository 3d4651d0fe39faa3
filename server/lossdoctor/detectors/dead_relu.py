"""# dead_relu: ReLU units output 0 for all inputs

**What it is.** The pre-activations of a rectifier layer are negative for every sample, so the output and the
gradient through it are zero and the layer can not recover.

**Signal.** Share of units (features or channels) that are zero for the whole batch, per rectifier layer, in the
first recorded steps and in the last; together with whether the run learns. One line that is run for several layers
counts as so many rectifiers.

**Why it matters.** A layer that is entirely dead cuts the network in two: everything before it gets no gradient,
everything after it sees a constant.

**Remedy.** Look at what pushed the units there: biases, a checkpoint, unscaled inputs, or one huge step. Use He
initialisation with zero biases, scale the inputs, warm up; leaky variants only hide the cause.

**When it stays silent.** Sparse but living layers (half of the units inactive in a batch is normal); small
batches, where a unit is easily inactive by chance; runs that learn in spite of it.

**Confirming intervention.** `reinitialise`: He initialisation with zero biases, same seed.

**References.** Glorot, Bordes and Bengio, "Deep sparse rectifier neural networks" (2011); Lu et al., "Dying ReLU
and initialization" (2019); He et al., "Delving deep into rectifiers" (2015).
"""

from __future__ import annotations

import re
from collections import Counter
from statistics import median
from typing import Any

from ..model import Evidence, Finding, Parameter, Trace, Where
from ..traces.measure import head, objective, tail
from ._evidence import layer_before, loss_span
from .base import TENTATIVE, Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="dead_relu",
    severity="critical",
    sheet="gradient-management#dead-units",
    summary="A rectifier layer whose units are zero for every input passes neither signal nor gradient.",
    remedy="Find what made the pre-activations negative (biases, checkpoint, input scale, one huge step) and undo it.",
    needs=("activations", "optimizer_steps"),
    interventions=({"name": "reinitialise", "scheme": "kaiming"},),
    contraindications=("A higher learning rate does not revive units whose gradient is exactly zero.",),
)

# A layer is dead when (nearly) all of its units are: fresh and trained networks have up to 14 % of them at zero in a
# batch of four and less in larger ones (benchmarks/thresholds/dead_units.py).
DEAD = 0.95
MOSTLY = 0.75  # of the units of a layer, throughout: worth a test
SHIFTS = re.compile(r"bias|constant_")  # initialisations that can hold a unit below zero
LEARNED = 0.5  # loss at the end relative to the start below which the run is learning in spite of it


def check(trace: Trace) -> Finding | None:
    layers = _layers(trace)
    dead = {name: rows for name, rows in layers.items() if median(r["dead"] for r in rows[-5:]) >= DEAD}
    points = objective(trace)
    start, end = head(points), tail(points)
    learns = start is not None and end is not None and start > 0 and end < LEARNED * start
    if learns:  # around what is dead: worth a test where it was so throughout
        dead = {name: rows for name, rows in dead.items() if all(r["dead"] == 1.0 for r in rows)}
    if not dead:
        return _mostly(trace, layers)
    name, rows = min(dead.items(), key=lambda item: item[1][0]["order"])
    since = next(r["i"] for r in rows if r["dead"] >= DEAD)
    return found(
        RULE,
        TENTATIVE if learns else 0.9,
        f"All units of {name} ({rows[0]['class']}) are zero for every input"
        + (" from the first step on." if since <= 1 else f" since step {since}."),
        Evidence(quantity="share of dead units, first and last recorded step",
                 value=f"{rounded(rows[0]['dead'])} -> {rounded(rows[-1]['dead'])}",
                 threshold=DEAD, where=name, step=since),
        Evidence(quantity="rectifier layers that are dead", value=f"{len(dead)} of {len(layers)}"),
        Evidence(quantity="loss, start and end", value=f"{rounded(start or 0.0)} -> {rounded(end or 0.0)}"),
        where=_where(trace, name, rows[0], since <= 1),
    )  # fmt: skip


def _mostly(trace: Trace, layers: dict[str, list[dict[str, Any]]]) -> Finding | None:
    """Rectifier layers in which most units are zero for every input, from the first step on: what they let through may
    be enough to learn by, so only the test of other weights proves it.
    """
    share = {name: rows[0]["dead"] for name, rows in layers.items()}
    dead = {
        name: rows
        for name, rows in layers.items()
        if share[name] >= MOSTLY and median(r["dead"] for r in rows[-5:]) >= MOSTLY
    }
    if not dead:
        return None
    name, rows = min(dead.items(), key=lambda item: item[1][0]["order"])
    return found(
        RULE,
        TENTATIVE,
        f"Most units of {len(dead)} of {len(layers)} rectifier layers are zero for every input from the first step on.",
        Evidence(quantity="share of dead units, first and last recorded step",
                 value=f"{rounded(rows[0]['dead'])} -> {rounded(rows[-1]['dead'])}", threshold=MOSTLY, where=name),
        Evidence(quantity="median share of dead units over the rectifier layers, first step",
                 value=rounded(median(share.values()))),
        loss_span(trace),
        where=_where(trace, name, rows[0], True),
    )  # fmt: skip


def _layers(trace: Trace) -> dict[str, list[dict[str, Any]]]:
    layers: dict[str, list[dict[str, Any]]] = {}
    calls: Counter[tuple[int, str]] = Counter()
    for order, row in enumerate(trace.of("act")):
        if "dead" in row:
            key = row["name"] if "site" not in row else f"{row['name'] or 'model'}.relu@{row['site']}"
            calls[row["i"], key] += 1
            again = calls[row["i"], key]  # one line in a loop over layers is as many rectifiers
            layers.setdefault(key if again == 1 else f"{key} ({again})", []).append({**row, "order": order})
    return layers


def _where(trace: Trace, name: str, row: dict[str, Any], from_the_start: bool) -> Where:
    """The rectifier; for one that was born dead the user's line that sets biases or constants, or that loaded them."""
    before = _before(trace, row)
    born = next((s for s in trace.sites if s.what == "init" and SHIFTS.search(s.code)), None)
    if from_the_start and before is not None and before.loaded:
        born = trace.site("load") or born
    site = (born if from_the_start else None) or site_by_id(trace, row.get("site"))
    return at(site, module=row["name"], parameter=before.name if before else None)


def _before(trace: Trace, row: dict[str, Any]) -> Parameter | None:
    """Weights of the nearest layer with parameters that ran before the rectifier in the same step; its bias, where
    that alone makes up most of what the layer answers.
    """
    layer = layer_before(trace, row["order"])
    if layer is None:
        return None
    last, weights = layer
    bias = next((p for p in trace.parameters if p.name == f"{last['name']}.bias"), None)
    answers = last.get("mean")
    if bias is not None and answers is not None and answers < 0 and bias.mean < answers / 2:
        return bias
    return weights
