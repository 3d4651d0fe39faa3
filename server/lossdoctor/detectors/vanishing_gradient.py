"""# vanishing_gradient: gradients shrink to ~0 through depth

**What it is.** Each layer passes back a fraction of the gradient it gets; after many layers (or time steps) the first
ones receive nothing that could move them.

**Signal.** In the first steps, |gradient| / |weight| of the first weight layers against the last: orders of magnitude
apart, falling through depth, while the run has not fitted its data. Compared within the run, never with a fixed norm. A
gradient that still reached the first layers at the first step was cut off by training.

**Why it matters.** The early layers stay random; the loss sits at chance although the last layer trains.

**Remedy.** Rectifiers or GELU instead of sigmoid and tanh, He initialisation, normalisation layers, residual
connections; gated cells for long sequences.

**When it stays silent.** Layers without any gradient (frozen, detached or dead ones are other faults); small but even
gradients; runs that learn.

**Confirming intervention.** `normalise_layers`: each layer's output normalised over the batch, same seed; the run must
end clearly better.

**References.** Hochreiter (1991); Bengio, Simard and Frasconi, "Learning long-term dependencies with gradient descent
is difficult" (1994); Glorot and Bengio (2010); He et al., "Deep residual learning" (2016).
"""

from __future__ import annotations

import re
from operator import attrgetter
from statistics import fmean

from ..model import Evidence, Finding, Site, Trace
from ..traces.layers import Layer, gradients
from ..traces.measure import optimizers_in_turn
from ..traces.progress import fitted
from ._evidence import loss_span, made_site
from .base import Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="vanishing_gradient",
    severity="critical",
    sheet="gradient-management#vanishing",
    summary="Compare the gradient per weight of the first layers with that of the last.",
    remedy="Replace sigmoid or tanh by rectifiers, add normalisation and residual paths, or use fewer layers.",
    structural=True,
    interventions=({"name": "normalise_layers"},),
    needs=("moving_steps",),
    contraindications=("A higher rate moves only the last layers: the first ones get no gradient to scale.",),
)

_relative = attrgetter("relative")
FLAT = ("Sigmoid", "Tanh")
WEIGHT = re.compile(r"weight|kernel|^[Ww](_|\d|$)|^[Ww]\w{1,2}$")
# what attention compares: while it is even, as at the start, hardly any gradient reaches these, however deep they lie
COMPARED = re.compile(r"(^|[._])(w?[qk]|query|key)(_?(proj|lin|linear|layer))?\.weight$", re.IGNORECASE)
DEPTH = 4  # layers without which there is no depth to vanish through
SHARE = 1e-3  # first over last; healthy networks of the specimens have 0.05 and more (benchmarks/thresholds/depth.py)
LATER = 10.0  # times SHARE at the first step: depth alone cannot have changed that much
MOSTLY = 0.6  # of the layers have a smaller gradient than the next one
FITTED = 0.5  # share of the way to a perfect fit from which nothing has vanished that matters


def check(trace: Trace) -> Finding | None:
    layers, share = _layers(trace), fitted(trace)
    held = {frozenset(la.parameter.optimizers) for la in layers}
    if len(held) > 1 and optimizers_in_turn(trace):
        return None  # networks with losses of their own
    if len(held) > 1:  # a read-out that is fitted afterwards is no layer of the network below it
        main = max(held, key=lambda one: sum(one == frozenset(la.parameter.optimizers) for la in layers))
        layers = [la for la in layers if frozenset(la.parameter.optimizers) == main]
    if len(layers) < DEPTH or (share is not None and share >= FITTED):
        return None
    # the middle one of the last three: one large gradient at the end (a likelihood with a scale of its own) is no depth
    first, last = min(layers[:2], key=_relative), sorted(layers[-3:], key=_relative)[1]
    ratio = first.relative / last.relative
    if ratio > SHARE or not _falls(layers) or _came_later(trace, first, last):
        return None
    return found(
        RULE,
        0.85,
        f"Per unit of weight {first.parameter.name} gets {rounded(ratio)} of the gradient of {last.parameter.name}.",
        Evidence(quantity="|gradient|/|weight|, first over last layers", value=rounded(ratio), threshold=SHARE),
        Evidence(quantity="the same from first to last layer",
                 value=", ".join(f"{la.relative:.1e}" for la in layers[:: max(1, len(layers) // 6)])),
        loss_span(trace),
        where=at(_saturating(trace), parameter=first.parameter.name, module=first.parameter.module),
    )  # fmt: skip


def _layers(trace: Trace) -> list[Layer]:
    """Weights in order. Parameters that are no weights of a layer (positions, queries, centres) are left out where
    layers remain: what is added to a signal may be large beside its gradient. So are those that attention compares.
    """
    found = [la for la in gradients(trace) if la.gradient > 0 and la.parameter.std > 0]
    weights = [la for la in found if WEIGHT.search(la.parameter.name.rpartition(".")[2])]
    passed_on = [la for la in weights if not COMPARED.search(la.parameter.name)]
    return next((some for some in (passed_on, weights) if len(some) >= DEPTH), found)


def _saturating(trace: Trace) -> Site | None:
    """The line that applies, or makes, the activation whose derivative is below 1 nearly everywhere, if one is used."""
    used = [r for r in trace.of("act") if r["class"] in FLAT]
    for cls in dict.fromkeys(str(r["class"]) for r in used):
        called = next((r.get("site") for r in used if r["class"] == cls and r.get("site") is not None), None)
        return site_by_id(trace, called) or made_site(trace, cls)
    return None


def _came_later(trace: Trace, first: Layer, last: Layer) -> bool:
    """Whether the gradient still reached the first layers at the first step: then training has done it, not depth."""
    sampled = [s for s in trace.steps if s.grads][:1]
    early = {la.parameter.id: la for la in gradients(trace.model_copy(update={"steps": tuple(sampled)}))}
    start, end = early.get(first.parameter.id), early.get(last.parameter.id)
    return start is not None and end is not None and start.relative > LATER * SHARE * end.relative


def _falls(layers: list[Layer]) -> bool:
    """Whether the gradient falls from the end to the start by and large, not at a single layer; from one layer to the
    next, or, in blocks of two (a filter and its gate), to the next but one.
    """
    values = [la.relative for la in layers]
    shares = (
        fmean(a < b for a, b in zip(values, values[apart:], strict=False))
        for apart in (1, 2)
        if len(values) > apart
    )
    return max(shares, default=0.0) >= MOSTLY
