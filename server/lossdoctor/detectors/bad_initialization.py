"""# bad_initialization: weight initialisation breaks learning (symmetry, saturation)

**What it is.** Weights start all equal, far too small or far too large for their fan-in, so that units stay copies of
each other, signals die out, or outputs and losses start enormous.

**Signal.** Two weights of zeros, tables included, that never get a gradient. Units of a layer that are copies of each
other from the first step to the last. As first seen: weights of one value in several layers (or of one value other
than zero in any), or the gain std * sqrt(fan-in) of the median layer far from 1, or small gains under which the
hidden answers of the first step fade to a thousandth of the first layer's; together with a run that has not fitted
its data.

**Why it matters.** Equal units get equal gradients and stay equal; a gain below 1 shrinks signal and gradient in
every layer, a gain above 1 multiplies them.

**Remedy.** He initialisation for rectifiers, Xavier for tanh and sigmoid, zero biases; check what an `apply(init)`
function or a checkpoint really writes.

**When it stays silent.** Zero output layers and zero residual or adapter branches (one such layer per path learns);
small gains with normalisation layers; anything that learns well. Large or small weights that the script sets itself are
*tested* in a run that learns, but not all.

**Confirming intervention.** `reinitialise` (He, then Xavier): the same run with fresh weights must end clearly
better. Where matrices of zeros are multiplied with each other, first with fresh values for one of each two alone.

**References.** Glorot and Bengio (2010); He et al. (2015); Goodfellow, Bengio and Courville, "Deep learning" (2016),
section 8.4 (symmetry); Hu et al., "LoRA" (2022), 4.1 (one of two starts at zero).
"""

from __future__ import annotations

from statistics import median
from typing import Any

from ..model import Evidence, Finding, Parameter, Site, Trace
from ..traces.layers import gain, hidden_spreads, matrices
from ..traces.progress import fitted
from ._evidence import loss_span, optimizer_site
from .base import TENTATIVE, Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="bad_initialization",
    severity="critical",
    sheet="gradient-management#initialisation",
    summary="Weights start random, with a spread that keeps signals the same size from layer to layer.",
    remedy="Use He initialisation (rectifiers) or Xavier (tanh, sigmoid) with zero biases; check custom init code.",
    needs=("moving_steps",),
    interventions=(
        {"name": "reinitialise", "scheme": "kaiming"},
        {"name": "reinitialise", "scheme": "xavier"},
    ),
    contraindications=("A higher rate does not separate units that start as copies of each other.",),
)

ONE_OF_TWO = {"name": "reinitialise", "scheme": "one of two"}
HALF = 0.5  # of a layer's units that may be copies of others
FITTED = 0.7  # share of the way to a perfect fit from which the start has done no great harm
WELL = 0.97  # and from which it has done none
LOW, HIGH = (
    0.1,
    4.0,
)  # torch's default has a gain of 0.58, Xavier about 1, He 1.41, GPT-2's 0.02 at width 64 0.16
DEPTH = 3  # hidden layers
# Spread of the last hidden layer's answers over the first one's at the first step: 16 layers at torch's default keep
# 0.13 (benchmarks/thresholds/depth.py); of 100 healthy specimens none lay below 0.02.
FADED = 1e-3
SHRINKING = (
    0.5  # median gain per layer; torch's default of 0.58 fades through depth, which is not the weights' fault
)
LOOKS = 5  # recorded steps from which on a gradient of exactly zero is no accident
FAR = 3.0  # this many times beyond is reported without proof


def check(trace: Trace) -> Finding | None:
    weights, share = [p for p in matrices(trace) if not _is_norm(p)], fitted(trace)
    zeros = _zeros(trace)
    if not weights and zeros is None and not trace.of("copies"):  # tables are no matrices
        return None
    sign: Sign | None
    copies = zeros or (_copies(trace) if share is None or share < WELL else None)
    if copies is not None:
        sign = copies
    elif share is not None and share >= FITTED:  # worth a test where the script sets the values itself
        own = [p for p in weights if not p.loaded]
        sign = _gain(own) if own and share < WELL and _place(trace) else None
        sign = sign and (sign[0], TENTATIVE, *sign[2:])
    else:
        sign = _equal(weights) or _gain(weights) or _fades(trace, weights)
    if sign is None:
        return None
    why, confidence, evidence, culprit = sign
    return found(RULE, confidence, why, evidence,
                 Evidence(quantity="fit of the training data (0 constant answer, 1 perfect)",
                          value="unknown" if share is None else rounded(share), threshold=FITTED),
                 loss_span(trace),
                 where=at(_place(trace, culprit), parameter=culprit.name, module=culprit.module))  # fmt: skip


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """Of two matrices of zeros one is given values first: what the model answered before stays the same."""
    return (*((ONE_OF_TWO,) if _zeros(trace) else ()), *RULE.interventions)


def _place(trace: Trace, culprit: Parameter | None = None) -> Site | None:
    """The line that gives values to these weights, or any: torch's init functions called by the script, else what it
    sets by hand.
    """
    own = site_by_id(trace, culprit.init) if culprit is not None else None
    bare = culprit is not None and culprit.module is None  # made by hand: known from where it is handed over
    return (
        own or trace.site("init") or trace.site("init_by_hand") or (optimizer_site(trace) if bare else None)
    )


Sign = tuple[str, float, Evidence, Parameter]


def _is_norm(parameter: Parameter) -> bool:
    return "Norm" in (parameter.module or "")


def _equal(weights: list[Parameter]) -> Sign | None:
    equal = [p for p in weights if p.std == 0]
    constant = [p for p in equal if p.mean != 0 and min(p.shape[:2]) > 1]
    if not constant and (len(equal) < 2 or len(equal) < len(weights) / 2):
        return None
    first = (constant or equal)[0]
    why = (
        f"All elements of {first.name} start at {rounded(first.mean)}, so its units are copies of each other."
    )
    evidence = Evidence(quantity="weights of one single value", value=f"{len(equal)} of {len(weights)}")
    return why, 0.9, evidence, first


def _zeros(trace: Trace) -> Sign | None:
    """Two tables or matrices of zeros that are multiplied with each other: neither ever gets a gradient."""
    # what no module holds runs nowhere, as far as is seen, and yet gets gradients
    weights = [p for p in trace.parameters if len(p.shape) > 1 and not _is_norm(p)]
    seen = {p.id: [s.grads[p.id] for s in trace.steps if p.id in s.grads] for p in weights}
    zeros = [p for p in weights if p.std == 0 and p.mean == 0 and len(seen[p.id]) >= LOOKS]
    still = [p for p in zeros if not any(seen[p.id])]
    if len(still) < 2:
        return None
    why = f"{still[0].name} and {still[1].name} start at zero, and the gradient of each stays exactly zero."
    evidence = Evidence(
        quantity="weights of zeros without any gradient", value=f"{len(still)} of {len(weights)}"
    )
    return why, 0.9, evidence, still[0]


def _copies(trace: Trace) -> Sign | None:
    """Units that began as copies of others and ended so."""
    known = {p.id: p for p in trace.parameters}
    learning = {k for s in trace.steps for k, gradient in s.grads.items() if gradient > 0}
    rows = [
        r
        for r in trace.of("copies")
        if r["last"] <= HALF * r["rows"] and r["parameter"] in learning & set(known)
    ]
    if not rows:
        return None
    row = max(rows, key=lambda r: r["rows"] - r["last"])
    culprit = known[row["parameter"]]
    units = "columns" if row.get("axis") == "columns" else "units"
    why = f"Of {row['rows']} {units} of {culprit.name} only {row['last']} differ: the others are copies, and stay so."
    evidence = Evidence(quantity=f"different {units}, at the first step and at the end",
                        value=f"{row['first']} -> {row['last']} of {row['rows']}", threshold=HALF)  # fmt: skip
    return why, 0.9, evidence, culprit


def _gain(weights: list[Parameter]) -> Sign | None:
    gains = {p.id: gain(p) for p in weights if p.std > 0}
    if not gains:
        return None
    middle = median(gains.values())
    beyond = max(LOW / middle, middle / HIGH)
    if beyond < 1:
        return None
    worst = min((p for p in weights if p.std > 0), key=lambda p: gains[p.id] * (1 if middle < 1 else -1))
    why = f"Weights start {'too small' if middle < 1 else 'too large'}: the median gain per layer is {rounded(middle)}."
    evidence = Evidence(quantity="std * sqrt(fan-in), median over layers", value=rounded(middle),
                        threshold=LOW if middle < 1 else HIGH)  # fmt: skip
    return why, 0.8 if beyond > FAR else TENTATIVE, evidence, worst


def _fades(trace: Trace, weights: list[Parameter]) -> Sign | None:
    """Hidden layers whose answers shrink to nothing on the way, because every one scales them down."""
    spreads = hidden_spreads(trace)
    gains = {p.id: gain(p) for p in weights if p.std > 0}
    if (
        len(spreads) < DEPTH
        or not gains
        or spreads[0] <= 0
        or spreads[-1] <= 0
        or median(gains.values()) >= SHRINKING
    ):
        return None
    share = spreads[-1] / spreads[0]
    if share > FADED:
        return None
    worst = min((p for p in weights if p.std > 0), key=lambda p: gains[p.id])
    why = (
        f"The signal fades on its way: hidden answers shrink to {rounded(share)} of the first layer's spread."
    )
    evidence = Evidence(quantity="spread of the last hidden layer over the first, first step", value=rounded(share),
                        threshold=FADED, step=1)  # fmt: skip
    return why, 0.8, evidence, worst
