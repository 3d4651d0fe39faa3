"""# exploding_gradient: gradients/activations blow up through depth or time

**What it is.** Each layer or time step multiplies the signal by more than one, so that gradients grow exponentially
with depth or sequence length.

**Signal.** The first output hundreds of times the size of the input; |gradient| of the first layers orders of magnitude
above that of the last; or (suspicions only) a gradient norm that jumps to hundreds of times that of the first steps, or
a model that is called on its own answers many times for one loss, or a recurrent weight that one of the first steps
throws away before a step that is not finite; each while the run does not learn. All is relative to the run itself.

**Why it matters.** One such step throws the weights away; the loss spikes or becomes NaN, at any reasonable rate.

**Remedy.** Initialise with gain 1, add normalisation, clip the gradient norm near its usual value, and use gated cells
or shorter unrolling for sequences.

**When it stays silent.** Large but even norms (summed losses, raw units); rare spikes of a run that learns; a script
that already clips.

**Confirming intervention.** `clip` at the run's own scale, then `reinitialise`: the same run must end clearly better.
Of calls in a row, the script's own setting for their number is changed: held-out answers must be clearly better.

**References.** Pascanu, Mikolov and Bengio, "On the difficulty of training recurrent neural networks" (2013); Philipp,
Song and Carbonell, "The exploding gradient problem demystified" (2018).
"""

from __future__ import annotations

import math
from statistics import median

from ..model import Evidence, Finding, Trace, Where
from ..traces.layers import activations, gradients, input_scale, matrices
from ..traces.measure import (
    CLASSIFICATION,
    chance_loss,
    first_nonfinite,
    head,
    loss_function,
    objective,
    tail,
)
from ..traces.progress import fitted
from ..traces.wiring import calls_per_loss, recurrent_calls
from ._evidence import loss_span
from .base import TENTATIVE, Rule, found, rounded

RULE = Rule(
    fault="exploding_gradient",
    severity="critical",
    sheet="gradient-management#exploding",
    summary="Gradients that grow with depth or time need gain 1, normalisation or clipping.",
    remedy="Clip the gradient norm near its usual value, and bring the gain per layer (or of the recurrence) to 1.",
    symptom="instability",
    structural=True,
    needs=("moving_steps", "ten_steps"),
    interventions=({"name": "clip", "max_norm": 1.0}, {"name": "reinitialise", "scheme": "xavier"}),
)

DEPTH = 4
GROWN = 1e3  # first over last layers
SPIKE = (
    100.0  # norm over that of the first steps; ordinary runs stay below 20 (benchmarks/thresholds/depth.py)
)
FITTED = 0.7
UNFITTED = 0.3  # jumps and large outputs of a run that explains more than this do no harm
OUTPUT = 100.0  # typical size of the first output over that of the input; sound networks start at 0.05 to 1
NEARLY = 0.8  # a run that explains this much has got over its start
# Times the loss of a constant answer in the first steps; nine sound classifiers that were recorded start at 1 to 4.5.
ABSURD = 20.0
LEVEL = 10.0  # loss at the start over that at the end, of outputs that are not too large for their targets
BEFORE = 5  # steps that tell the usual norm: a norm that falls as the loss falls is no explosion
MANY = 3  # spikes that are no accident
# of its norm; in first steps of 40 sound recurrent runs at most 0.145, median 0.04 (benchmarks/thresholds/leaps.py).
# Only opens a test
LEAP = 0.3
RECURRENT = frozenset({"RNN", "LSTM", "GRU", "RNNCell", "LSTMCell", "GRUCell"})
CALLS = 16  # of a model on its own answers; only opens a test


def check(trace: Trace) -> Finding | None:
    share = fitted(trace)
    if share is not None and share >= FITTED:
        return _signal(trace) if share < NEARLY and _absurd_start(trace) else None
    if share is not None and share < UNFITTED:
        return _signal(trace) or _through_depth(trace) or _jumps(trace) or _rolled_out(trace) or _leap(trace)
    return _signal(trace) or _through_depth(trace) or _leap(trace)


def _absurd_start(trace: Trace) -> bool:
    """Whether a classifier began far above the loss of a constant answer: large outputs that nobody asked for."""
    start, chance = head(objective(trace)), chance_loss(trace)
    if loss_function(trace) not in CLASSIFICATION or start is None or chance is None:
        return False
    return start > ABSURD * chance > 0


def _signal(trace: Trace) -> Finding | None:
    """The forward signal has grown out of all proportion by the first output."""
    calls = [
        r for r in trace.of("forward") if r["grad"] and r["i"] <= 1 and r.get("out") and "std" in r["out"][0]
    ]
    scale = input_scale(trace)
    if not calls or scale is None or len(matrices(trace)) < 2:
        return None
    size = math.hypot(calls[0]["out"][0]["mean"], calls[0]["out"][0]["std"])
    growth = size / max(scale.size, 1.0)
    if growth < OUTPUT:
        return None
    stds = [r["std"] for r in activations(trace, 1) if "Loss" not in r["class"]]
    if stds and size > OUTPUT * max(stds) and _matches(trace):
        return None  # a scale that the script puts on at the end, for targets of that size
    shown = ", ".join(f"{v:.2g}" for v in stds[:: max(1, len(stds) // 6)])
    why = f"The signal grows from {rounded(scale.size)} at the input to {rounded(size)} at the first output."
    return found(
        RULE,
        0.85,
        why,
        Evidence(quantity="first output over input, typical size", value=rounded(growth), threshold=OUTPUT),
        Evidence(quantity="spread of the activations through depth", value=shown or "not measured"),
        Evidence(quantity="gradient norm at the first step", value=rounded(trace.steps[0].grad_norm)),
        loss_span(trace),
        where=Where(parameter=_worst(trace, trace.steps[0].i), module=calls[0]["module"]),
    )


def _matches(trace: Trace) -> bool:
    """Whether the loss began within the tenfold of its end: outputs of the size of their targets."""
    start, end = head(objective(trace)), tail(objective(trace))
    return start is not None and end is not None and 0 < start < LEVEL * end


def _through_depth(trace: Trace) -> Finding | None:
    layers = [la for la in gradients(trace) if la.gradient > 0]
    if len(layers) < DEPTH:
        return None
    first, last = max(layers[:2], key=lambda la: la.gradient), min(layers[-2:], key=lambda la: la.gradient)
    ratio = first.gradient / last.gradient
    if ratio < GROWN:
        return None
    why = f"The gradient grows {rounded(ratio)} times from {last.parameter.name} back to {first.parameter.name}."
    evidence = Evidence(
        quantity="gradient of the first over the last layers", value=rounded(ratio), threshold=GROWN
    )
    where = Where(parameter=first.parameter.name, module=first.parameter.module)
    return found(RULE, 0.8, why, evidence, loss_span(trace), where=where)


def _jumps(trace: Trace) -> Finding | None:
    norms = [(s.i, s.grad_norm) for s in trace.steps]
    usual = median(n for _, n in norms[:BEFORE]) if len(norms) > BEFORE else 0.0
    spikes = [(i, n) for i, n in norms[BEFORE:] if not n <= SPIKE * usual]
    if not 0 < usual < math.inf or (len(spikes) < MANY and all(math.isfinite(n) for _, n in spikes)):
        return None
    finite = [n for _, n in spikes if math.isfinite(n)]
    if not finite:
        return None
    step, largest = spikes[0][0], max(finite)
    why = f"The gradient norm jumps to {rounded(largest / usual)} times that of the first steps, first at step {step}."
    evidence = Evidence(quantity="largest gradient norm over that of the first steps", value=rounded(largest / usual),
                        threshold=SPIKE, step=step)  # fmt: skip
    return found(RULE, TENTATIVE, why, evidence, loss_span(trace), where=Where(parameter=_worst(trace, step)))


def _leap(trace: Trace) -> Finding | None:
    """The weights of a recurrence are thrown away by one of the first steps, and what follows is not finite: through
    time a gradient grows with every moment, and at a rate that any other layer would bear.
    """
    broken = first_nonfinite(trace)
    if broken is None or broken > BEFORE or not recurrent_calls(trace):
        return None
    weights = {p.id: p for p in trace.parameters if p.module in RECURRENT and len(p.shape) > 1}
    moves = [
        (moved / norm, s, weights[k])
        for s in trace.steps
        if s.i < broken
        for k, (moved, norm, _) in s.updates.items()
        if k in weights and norm > 0 and math.isfinite(moved)
    ]
    share, step, parameter = max(moves, key=lambda m: m[0], default=(0.0, None, None))
    if share < LEAP or step is None or parameter is None:
        return None
    return found(
        RULE,
        TENTATIVE,
        f"Step {step.i} moved {parameter.name} by {100 * share:.0f} % of its norm; step {broken} is not finite.",
        Evidence(
            quantity="update of a recurrent weight over its norm",
            value=rounded(share),
            threshold=LEAP,
            step=step.i,
        ),
        Evidence(quantity="gradient norm at that step", value=rounded(step.grad_norm)),
        Evidence(quantity="first step with a non-finite loss or gradient", value=broken),
        where=Where(parameter=parameter.name, module=parameter.module),
    )


def _rolled_out(trace: Trace) -> Finding | None:
    """The model's answers are its next inputs, so many times for one loss that the gradient goes through a deep
    network.
    """
    calls = calls_per_loss(trace)
    rows = [r for r in trace.of("forward") if r["grad"] and r["in"] and r.get("out")]
    if calls < CALLS or not rows or any(r["in"][0]["shape"] != r["out"][0].get("shape") for r in rows):
        return None
    why = f"The model is called {calls:g} times for one loss, on answers of its own, and the run does not learn."
    first = Evidence(quantity="gradient norm at the first step", value=rounded(trace.steps[0].grad_norm))
    return found(
        RULE,
        TENTATIVE,
        why,
        Evidence(
            quantity="calls of the model on its own answers for one loss", value=int(calls), threshold=CALLS
        ),
        first,
        loss_span(trace),
        where=Where(module=rows[0]["module"]),
    )


def _worst(trace: Trace, step: int) -> str | None:
    """The parameter with the largest gradient at a step."""
    grads = next((s.grads for s in trace.steps if s.i == step), {})
    names = {p.id: p.name for p in trace.parameters}
    return names.get(max(grads, key=lambda k: grads[k])) if grads else None
