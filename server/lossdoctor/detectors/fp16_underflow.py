"""# fp16_underflow: fp16 gradients flush to zero without loss scaling

**What it is.** Gradients smaller than about 6e-8 are zero in half precision. Without loss scaling a small loss (or
a loss divided by something large) leaves whole layers without a gradient.

**Signal.** A half-precision run without a GradScaler in which gradients are exactly zero: of whole tensors, or of
nearly all elements of most matrices, while the loss still depends on them.

**Why it matters.** It looks like a vanished gradient or a rate that is too low; nothing but the number format is
wrong.

**Remedy.** `torch.amp.GradScaler` around loss and step, or bf16.

**When it stays silent.** fp32 and bf16 runs; runs with a scaler; layers whose units are dead; the zeros that
rectifiers and constant input columns leave in a part of the elements.

**Confirming intervention.** `no_autocast`: the same run in fp32, same seed.

**References.** Micikevicius et al., "Mixed precision training" (2018), 3.2 (loss scaling, figure 3); PyTorch
documentation, "Automatic mixed precision", "Gradient scaling".
"""

from __future__ import annotations

from statistics import median

from ..model import Evidence, Finding, Step, Trace
from ..traces.precision import half_forward, matrices
from .base import TENTATIVE, Missing, Rule, at, found, rounded

RULE = Rule(
    fault="fp16_underflow",
    severity="critical",
    sheet="batch-size-and-memory-tradeoffs#fp16-loss-scaling",
    summary="fp16 gradients below 6e-8 are zero: scale the loss, or use bf16.",
    remedy="Wrap loss and step in torch.amp.GradScaler (scale, unscale before clipping, step, update), or use bf16.",
    interventions=({"name": "no_autocast"},),
    contraindications=("A higher learning rate does not help: zero times anything is zero.",),
)

WHOLE = 0.3  # share of the weight matrices whose gradient is exactly zero: 0 in sound runs, frozen ones are not counted
ELEMENTS = (
    0.9  # share of zeros in the median matrix; rectifiers and empty pixels leave 0.2 to 0.5 in the specimens
)
MANY = 0.5  # share of zeros that rectifiers may leave too: a suspicion only, which `no_autocast` proves or refutes
MOST = 0.5  # of the steps
MIN_STEPS = 5


def check(trace: Trace) -> Finding | Missing | None:
    if half_forward(trace) != "float16":
        return Missing("an fp16 run")
    steps = [s for s in trace.steps if s.optimizer >= 0 and s.grads]
    if len(steps) < MIN_STEPS or trace.of("skip") or any(s.scale is not None for s in steps):
        return None
    known = matrices(trace)
    empty = [s for s in steps if _empty(s, known) >= WHOLE or _zeros(s, known) >= ELEMENTS]
    surely = len(empty) >= MOST * len(steps)
    if not surely:
        steps = [s for s in steps if s.zero_grads]
        empty = [s for s in steps if _zeros(s, known) >= MANY]
    if len(steps) < MIN_STEPS or len(empty) < MOST * len(steps):
        return None
    return found(
        RULE,
        0.85 if surely else TENTATIVE,
        f"In {len(empty)} of {len(steps)} fp16 steps gradients were flushed to zero; there is no loss scaling.",
        Evidence(quantity="weight matrices with a gradient of exactly zero, median over steps",
                 value=rounded(median(_empty(s, known) for s in steps)), threshold=WHOLE),
        Evidence(quantity="zeros in the gradient of a weight matrix, median over matrices and steps",
                 value=rounded(median(_zeros(s, known) for s in steps)), threshold=ELEMENTS if surely else MANY),
        Evidence(quantity="gradient norm, median", value=rounded(median(s.grad_norm for s in steps))),
        Evidence(quantity="GradScaler", value="none"),
        where=at(trace.site("backward")),
    )  # fmt: skip


def _empty(step: Step, known: frozenset[int]) -> float:
    norms = [n for k, n in step.grads.items() if k in known]
    return sum(n == 0 for n in norms) / len(norms) if norms else 0.0


def _zeros(step: Step, known: frozenset[int]) -> float:
    shares = [v for k, v in step.zero_grads.items() if k in known]
    return median(shares) if shares else 0.0
