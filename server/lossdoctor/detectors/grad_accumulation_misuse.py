"""# grad_accumulation_misuse: accumulation scales or clears gradients wrongly

**What it is.** A step is meant to use several backward passes, and does not: the gradients are cleared between them
(only the last one counts), the losses are added instead of averaged (the gradient is k times too long), they are
divided although nothing is accumulated or for the second time, or the step is taken on every pass while clearing
waits for the k-th.

**Signal.** The order of backward, zero_grad and step in each optimizer step; how many backward passes of the same
line it holds; and the loss handed to backward relative to what the loss function returned or, for a loss put
together from several, whether the last operation before backward divides it.

**Why it matters.** Most of the data is thrown away, or the rate is in effect k times another one.

**Remedy.** Divide each loss by k, call `backward` k times, then `step`, then `zero_grad`, all three counted alike.

**When it stays silent.** Several losses of different lines; adversarial and alternating training; sums in runs that
learn well (the rate may have been chosen for them). Sums under an optimizer that divides by the gradient's own size,
and undivided losses put together from several, are at most *tested*. Passes that the optimizer asks for (a closure).

**Confirming intervention.** `late_zero_grad` (clearing waits for the step) or `scale_lr` (1/k of the step for k
backward passes, which is what averaging does to a sum of k losses under SGD; k times the step where each was divided
by k twice), same seed.

**References.** PyTorch documentation, "Automatic mixed precision examples" (gradient accumulation).
"""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import Any

from ..model import Evidence, Finding, Step, Trace
from ..traces.measure import main_steps, optimizers_in_turn
from ..traces.progress import SAME, batch_rows, divided_twice, handed_ratio, learned_well, training_samples
from ..traces.streams import drawn_from
from ._evidence import last_site, length_matters, loss_span
from .base import TENTATIVE, Rule, at, found, rounded

RULE = Rule(
    fault="grad_accumulation_misuse",
    severity="critical",
    sheet="gradient-management#accumulation",
    summary="k backward passes of losses divided by k, one step, one clearing: counted in the same unit.",
    remedy="Divide each micro-loss by the number of passes, and step and clear together after the last of them.",
    structural=True,
    needs=("optimizer_steps", "loss", "ten_steps"),
    interventions=({"name": "late_zero_grad"}, {"name": "scale_lr", "factor": 0.1}),
)

MOST = 0.5
SEVERAL = 4  # passes: two or three may be terms of one loss
MIN_SHARE = 2.5  # a loss that is halved is a mean of two terms more often than an accumulation
MAX_PERIOD = 64  # longer cycles are epochs, not accumulation


def check(trace: Trace) -> Finding | None:
    steps = [s for s in main_steps(trace) if s.losses]
    if len(steps) < 5 or optimizers_in_turn(trace) or any(s.closure for s in steps):
        return None  # a closure is called as often as the optimizer asks for
    if sum(_cleared_between(s) for s in steps) > MOST * len(steps):
        passes = median(s.backwards for s in steps)
        why = f"Gradients are cleared between the {passes:g} backward passes of each step: only the last pass counts."
        return _finding(trace, steps, why, 0.9, "zero_grad", _shared_out(trace, passes))
    period = _period(trace, steps)
    if period:
        why = (
            f"The optimizer steps on every backward pass, but gradients are cleared only on every {period}th."
        )
        return _finding(trace, steps, why, 0.97, "step")
    return None if learned_well(trace) else _scaling(trace, steps)


def _scaling(trace: Trace, steps: list[Step]) -> Finding | None:
    ratio, passes = handed_ratio(trace), median(s.backwards for s in steps)
    one_line = all(len(set(s.loss_sites)) == 1 for s in steps)
    if one_line and passes >= SEVERAL and length_matters(trace) and not _plain(ratio) and not _divided(trace):
        why = (
            f"{passes:g} backward passes of an undivided loss are added up: the gradient is as much too long."
        )
        return _finding(trace, steps, why, TENTATIVE, "backward")
    if ratio is None:
        return None
    if passes >= 2 and abs(ratio - 1) < SAME and one_line:
        why = f"Losses of {passes:g} backward passes are added up, not averaged: the gradient is as much too long."
        return _finding(trace, steps, why, 0.7 if length_matters(trace) else TENTATIVE, "backward")
    if divided_twice(trace):
        why = f"The loss of each of {passes:g} backward passes is divided by {passes**2:g}: by their number twice."
        return _finding(trace, steps, why, 0.85 if length_matters(trace) else TENTATIVE, "backward")
    share = 1 / ratio
    if passes == 1 and MIN_SHARE < share < MAX_PERIOD and abs(share - round(share)) < SAME * share:
        why = f"The loss is divided by {round(share)}, but each step uses one backward pass only."
        return _finding(trace, steps, why, TENTATIVE, "backward")
    return None


def _shared_out(trace: Trace, passes: float) -> bool:
    """Whether each pass gets its share of one step's loss: then all of them are meant to count. Of a loss that was
    written by hand only its last operation is known.
    """
    ratio = handed_ratio(trace)
    if ratio is not None and abs(ratio * passes - 1) < SAME:
        return passes >= 2
    return passes >= SEVERAL and bool(_heads(trace)) and _divided(trace)


def _finding(
    trace: Trace, steps: list[Step], why: str, confidence: float, role: str, certain: bool = False
) -> Finding:
    ratio = handed_ratio(trace)
    return found(
        RULE,
        confidence,
        why,
        Evidence(quantity="order of calls in a step (Z zero, F forward, B backward, S step)", value=steps[-1].sequence),
        Evidence(quantity="backward passes per step, median", value=median(s.backwards for s in steps)),
        Evidence(quantity="loss given to backward / value of the loss function",
                 value=rounded(ratio) if ratio is not None else "unknown"),
        loss_span(trace),
        where=at(last_site(trace, role) or trace.site("backward")),
        severity="info" if learned_well(trace) and not certain else None,
    )  # fmt: skip


def _cleared_between(step: Step) -> bool:
    """A zero_grad after one backward pass and before another of the same line."""
    passes = step.sequence.split("B")
    repeated = len(step.loss_sites) > len(set(step.loss_sites))
    return repeated and any("Z" in between for between in passes[1:-1])


def _period(trace: Trace, steps: list[Step]) -> int | None:
    """Length of the cycle when gradients survive k - 1 of k steps, k being the same throughout. A cycle of one pass
    over the data is no accumulation, unless the losses are divided for one.
    """
    fresh = [k for k, s in enumerate(steps) if not s.stale]
    gaps = {b - a for a, b in pairwise(fresh)}
    epochs = {r["len"] // r["batch_size"] for r in trace.of("loader") if r.get("len") and r.get("batch_size")}
    size, whole = batch_rows(trace), drawn_from(trace) or training_samples(trace)
    if not epochs and size and whole:  # batches that are cut by hand
        epochs = {whole // size}
    lengths = epochs | {n + 1 for n in epochs}
    usual = max(gaps, key=[b - a for a, b in pairwise(fresh)].count, default=1)
    divided = (handed_ratio(trace) or 1.0) < 1 - SAME
    if not 2 <= usual <= MAX_PERIOD or len(gaps) > 2 or len(fresh) < 3:
        return None
    return usual if divided or usual not in lengths else None


def _plain(ratio: float | None) -> bool:
    """Whether backward gets the loss function's value, or that value over a whole number."""
    return ratio is not None and ratio > 0 and abs(1 / ratio - round(1 / ratio)) < SAME / ratio


def _divided(trace: Trace) -> bool:
    """Whether the last operation before backward scales the loss."""
    return all(head.startswith(("Div", "Mul")) for head in _heads(trace))


def _heads(trace: Trace) -> list[str]:
    return [row["head"][0] for row in trace.of("graph") if row.get("head")]


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """Clear after the step; divide the step by the number of passes that it adds up."""
    passes = median([s.backwards for s in main_steps(trace)] or [1])
    twice = divided_twice(trace)
    if twice:
        return ({"name": "scale_lr", "factor": float(twice)},)
    factor = 1 / passes if passes >= 2 else 0.1
    return ({"name": "late_zero_grad"}, {"name": "scale_lr", "factor": factor})
