"""# saturated_activation: sigmoid/tanh units sit in their flat ends

**What it is.** Pre-activations are so large that sigmoid or tanh units answer 0, 1 or -1 for nearly every input; their
slope, and with it the gradient, is nearly zero.

**Signal.** Share of values whose slope is below 1 % of its maximum, per hidden sigmoid or tanh layer, in the first
steps; together with a run that has not fitted its data.

**Why it matters.** The layer passes back hardly any gradient, so what made it saturate cannot be unlearned.

**Remedy.** Smaller weights (Xavier), standardised inputs, normalisation before the activation, or rectifiers.

**When it stays silent.** Output activations and gates; binary codes that are wanted; runs that fit all the same.

**Confirming intervention.** `unsaturate`: where most of the first operand lies in the flat ends, it and all later
ones are divided by its size; then `reinitialise` with Xavier (weights of gain 1) and `standardise_inputs`. One of them
must end clearly better.

**References.** Glorot and Bengio, "Understanding the difficulty of training deep feedforward neural networks" (2010),
section 3; LeCun et al., "Efficient BackProp" (1998).
"""

from __future__ import annotations

from ..model import Evidence, Finding, Trace, Where
from ..traces.layers import flat_shares, input_scale
from ..traces.progress import fitted
from ._evidence import layer_before, loss_span
from .base import TENTATIVE, Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="saturated_activation",
    severity="critical",
    sheet="gradient-management#dead-units",
    summary="Sigmoid and tanh units in their flat ends pass no gradient.",
    remedy="Initialise with Xavier, standardise the inputs, or normalise before the activation.",
    needs=("activations", "optimizer_steps"),
    interventions=(
        {"name": "unsaturate"},
        {"name": "reinitialise", "scheme": "xavier"},
        {"name": "standardise_inputs"},
    ),
    contraindications=("A higher rate pushes the units further into the flat ends.",),
)

FLAT = 0.5  # share of a layer's values; sound networks start below 0.1 (benchmarks/thresholds/depth.py)
FITTED = 0.7
WELL = 0.97  # up to here worth a test


def check(trace: Trace) -> Finding | None:
    share, layers = fitted(trace), flat_shares(trace)
    flat = {name: value for name, value in layers.items() if value >= FLAT}
    if not flat or (share is not None and share >= WELL):
        return None
    name, value = next(iter(flat.items()))
    scale = input_scale(trace)
    module, _, site = name.partition("@")
    return found(
        RULE,
        0.8 if share is None or share < FITTED else TENTATIVE,
        f"{100 * value:.0f} % of the values of {module} are in the flat ends from the first steps on.",
        Evidence(
            quantity="share of values in the flat ends", value=rounded(value), threshold=FLAT, where=module
        ),
        Evidence(quantity="saturated layers", value=f"{len(flat)} of {len(layers)}"),
        Evidence(
            quantity="typical size of the inputs", value="unknown" if scale is None else rounded(scale.size)
        ),
        loss_span(trace),
        where=_where(trace, module, site),
    )


def _where(trace: Trace, module: str, site: str) -> Where:
    """Where the weights before it were loaded, or initialised by the script; else the activation."""
    own = (r["name"] == module and (not site or str(r.get("site")) == site) for r in trace.of("act"))
    order = next((k for k, mine in enumerate(own) if mine), None)
    layer = layer_before(trace, order) if order is not None else None
    if layer is not None and layer[1].loaded:
        return at(trace.site("load"), module=module, parameter=layer[1].name)
    made = trace.site("init") or (site_by_id(trace, int(site)) if site.isdigit() else None)
    return at(made, module=module)
