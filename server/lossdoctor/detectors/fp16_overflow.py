"""# fp16_overflow: the loss scale collapses, or steps are skipped all the time

**What it is.** Activations, the loss or the scaled gradients exceed 65,504, the largest half-precision number. The
GradScaler finds infinities, skips the step and halves its scale; where the forward pass itself overflows no scale
is small enough.

**Signal.** Steps that the scaler withheld, against all it was asked for, once the first calibration is over; and its
scale.

**Why it matters.** Few or no updates happen, while the loop, the schedule and the log go on as usual.

**Remedy.** bf16, which has the range of fp32; or scale inputs and targets, keep the overflowing operation in fp32,
and leave the scaler's growth at its defaults.

**When it stays silent.** The first steps, in which every scaler calibrates; a skipped step now and then (that is
how the scale is found).

**Confirming intervention.** `no_autocast`: the same run in fp32, same seed.

**References.** Micikevicius et al., "Mixed precision training" (2018), 3.2; PyTorch documentation,
`torch.amp.GradScaler` (a skip is expected once per growth interval, 2000 steps by default).
"""

from __future__ import annotations

from math import isfinite
from statistics import median

from ..model import Evidence, Finding, Trace
from ..traces.precision import half_forward
from .base import Missing, Rule, at, found, rounded

RULE = Rule(
    fault="fp16_overflow",
    severity="critical",
    sheet="batch-size-and-memory-tradeoffs#fp16-loss-scaling",
    summary="Half precision ends at 65504; a scaler that skips all the time says that something exceeds it.",
    remedy="Use bf16, or bring inputs, targets and loss to ordinary sizes and leave the scaler at its defaults.",
    symptom="loss_scale",
    interventions=({"name": "no_autocast"},),
    contraindications=("A lower learning rate does not help steps that are skipped.",),
)

CALIBRATION = 10  # calls in which a scale that starts at 65536 may be halved down to the usual 128 or so
DEFAULT_SCALE = (
    65536  # documentation of torch.amp.GradScaler, ``init_scale``; a larger one was chosen by the script
)
MIN_SKIPS = 5
ALWAYS = 0.9  # of the passes of a script that looks for infinite gradients itself
SHARE = 0.25  # of the calls after calibration; a sound scaler skips one in 2000


def check(trace: Trace) -> Finding | Missing | None:
    skips = trace.of("skip")
    if not skips:
        return _passed_over(trace) if half_forward(trace) else Missing("a half-precision run")
    steps = sum(1 for s in trace.steps if s.optimizer >= 0)
    asked = steps + len(skips)
    late = len(skips) - CALIBRATION
    if late < MIN_SKIPS or late < SHARE * (asked - CALIBRATION):
        return None
    beyond = skips[0]["scale"] > DEFAULT_SCALE
    return found(
        RULE,
        0.93,
        f"The GradScaler skipped {len(skips)} of {asked} steps because of infinite gradients.",
        Evidence(quantity="skipped steps", value=len(skips), threshold=f"of {asked}", step=skips[0]["i"]),
        Evidence(quantity="loss scale, first and last skip",
                 value=f"{rounded(skips[0]['scale'])} -> {rounded(skips[-1]['scale'])}"),
        Evidence(quantity="precision of the forward pass", value=half_forward(trace) or "unknown"),
        where=at(trace.site("scaler") if steps or beyond else trace.site("loss") or trace.site("scaler")),
    )  # fmt: skip


def _passed_over(trace: Trace) -> Finding | None:
    """The same by hand: gradients of a half-precision run are infinite at every pass, and none is applied."""
    infinite = [s for s in trace.steps if not isfinite(s.grad_norm)]
    if any(s.optimizer >= 0 for s in trace.steps) or len(infinite) < max(
        MIN_SKIPS, ALWAYS * len(trace.steps)
    ):
        return None
    losses = [x for s in infinite for x in s.losses if isfinite(x)]
    if not losses or half_forward(trace) != "float16":  # NaN has another cause; bf16 has the range of fp32
        return None
    return found(
        RULE,
        0.9,
        f"Gradients of {len(infinite)} of {len(trace.steps)} half-precision passes are infinite, and none was applied.",
        Evidence(
            quantity="passes with infinite gradients", value=len(infinite), threshold=f"of {len(trace.steps)}"
        ),
        Evidence(quantity="loss that backward got, median (finite)", value=rounded(median(losses))),
        where=at(trace.site("backward")),
    )
