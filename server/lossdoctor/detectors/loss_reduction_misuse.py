"""# loss_reduction_misuse: sum where mean is meant, or the reverse

**What it is.** The loss is summed over the batch (or the tokens), so the gradient, and with SGD every step, grows with
their number; or a mean is divided by that number once more, and the steps all but vanish.

**Signal.** The `reduction` that the loss function is called with and how many predictions it sums over; for losses
written by hand, a sum as the last operation, or of far more terms than samples that is then divided; and
what backward gets relative to what the loss function returned. Together with a run that does not get far.

**Why it matters.** The same rate works for one batch size and diverges for another; padding and the last, smaller
batch weigh differently.

**Remedy.** Use the mean over what is counted (samples, or real tokens), once; then choose the rate.

**When it stays silent.** Sums that train well (the rate was chosen for them, or the optimizer does not care about
the length of the gradient); a sum over features that is averaged over samples; sums divided by their count.

**Confirming intervention.** `mean_loss`: the summed loss is divided by its number of predictions, same seed; for a
loss divided twice, `scale_lr` by 100; for a sum by hand, `scale_lr` by one over the number of its terms.

**References.** PyTorch documentation, `torch.nn.CrossEntropyLoss` (`reduction`); Goyal et al., "Accurate, large
minibatch SGD" (2017), remarks on the normalisation of the loss.
"""

from __future__ import annotations

from math import prod
from statistics import median
from typing import Any

from ..model import Evidence, Finding, Trace
from ..traces.measure import chance_loss, first_nonfinite, need_not_fall, objective, tail
from ..traces.progress import WELL, batch_rows, divided_twice, fitted, handed_ratio, learned_well
from ._evidence import criterion_site, last_site, length_matters, loss_span
from .base import TENTATIVE, Rule, at, found, rounded

RULE = Rule(
    fault="loss_reduction_misuse",
    severity="critical",
    sheet="loss-functions-and-objectives#reduction",
    summary="Average the loss over what is counted, so that the step does not depend on the batch size.",
    remedy='Use reduction="mean" (or divide a sum once by the number of predictions) and retune the rate.',
    symptom="instability",
    needs=("optimizer_steps", "loss"),
    interventions=({"name": "mean_loss"}, {"name": "scale_lr", "factor": 100.0}),
    contraindications=("Do not tune the learning rate around a sum: it changes with every batch size.",),
)

MANY = 8  # predictions in one sum from which on it is another step length, not another taste
TWICE = 1 / 64  # loss handed to backward / value of the loss function: smaller than any usual accumulation
SAME = 0.02


def check(trace: Trace) -> Finding | None:
    well = _well_for_a_sum(trace)
    if need_not_fall(trace) or (learned_well(trace) if well is None else well):
        return None
    felt = length_matters(trace, "Adadelta") or first_nonfinite(trace) is not None
    for row in trace.of("loss"):
        count = _summed(row)
        if count >= MANY and _undivided(trace):
            why = f"{row['fn']} sums over {count} predictions, so every step is as many times longer."
            known = felt and fitted(trace) is not None  # else it may train well
            return _finding(trace, why, 0.8 if known else TENTATIVE, row, count)
    count = _sum_by_hand(trace) or _terms_per_sample(trace)
    if count >= MANY and felt:
        why = f"The loss is a sum over {count} values, so every step is as many times longer than with the mean."
        single = next((r for r in trace.of("loss") if r["reduction"] == "none"), None)  # what is summed
        return _finding(trace, why, TENTATIVE, single, count)
    return _divided(trace)


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """A sum by hand is a rate that is as many times as large, for optimizers that the length matters to."""
    count = _sum_by_hand(trace) or _terms_per_sample(trace)
    by_hand = count >= MANY and not any(_summed(row) >= MANY for row in trace.of("loss"))
    return ({"name": "scale_lr", "factor": rounded(1 / count)},) if by_hand else RULE.interventions


def _finding(trace: Trace, why: str, confidence: float, row: dict[str, Any] | None, count: int) -> Finding:
    return found(
        RULE,
        confidence,
        why,
        Evidence(quantity="predictions in one sum", value=count, threshold=MANY),
        Evidence(quantity="samples per step", value=batch_rows(trace) or "unknown"),
        Evidence(quantity="gradient norm, median", value=rounded(median(s.grad_norm for s in trace.steps))),
        loss_span(trace),
        where=at(criterion_site(trace, row) if row else trace.site("backward")),
    )


def _summed(row: dict[str, Any]) -> int:
    """Predictions that a summed call adds up; 0 for any other reduction."""
    return prod(row["target"]["shape"]) if row["reduction"] == "sum" else 0


def _undivided(trace: Trace) -> bool:
    ratio = handed_ratio(trace)
    return ratio is None or ratio > 1 - SAME


def _sum_by_hand(trace: Trace) -> int:
    """Elements that a Sum right at the loss adds up; samples that one behind a mean over the outputs does."""
    rows = batch_rows(trace)
    for row in trace.of("graph"):
        ops = row.get("ops", [])
        if len(ops) > 1 and row["head"][0] == "Sum" and ops[1][0]:
            return int(prod(ops[1][0]))
        if (
            len(ops) > 2
            and row["head"][:2] == ["Mean", "Sum"]
            and rows
            and ops[2][0] == [rows, *(ops[1][0] or ())]
        ):
            return rows
    return 0


def _well_for_a_sum(trace: Trace) -> bool | None:
    """Whether a sum by hand ended far below that of a constant answer; None where either is not known."""
    count, level, end = _sum_by_hand(trace), chance_loss(trace), tail(objective(trace))
    return None if count < MANY or not level or end is None else 1 - end / (count * level) >= WELL


def _terms_per_sample(trace: Trace) -> int:
    """Terms of one sample in a sum of a plain list of terms (pairs, say) that is divided by a constant, in all
    likelihood by the number of samples; 0 where the terms are the parts of an output.
    """
    rows = batch_rows(trace)
    for row in trace.of("graph"):
        ops = row.get("ops", [])
        if rows and len(ops) > 2 and row["head"][:2] == ["Div", "Sum"] and ops[0][1] == 1 and ops[2][2] == 1:
            terms = ops[2][0]
            return terms[0] // rows if terms is not None and len(terms) == 1 else 0
    return 0


def _divided(trace: Trace) -> Finding | None:
    handed, counts = handed_ratio(trace), [_summed(r) or 1 for r in trace.of("loss")]
    ratio = None if handed is None else handed * median(counts or [1])  # a sum over as many becomes a mean
    if ratio is None or not 0 < ratio < TWICE or divided_twice(trace):
        return None
    return found(
        RULE,
        0.8 if length_matters(trace, "Adadelta") else 0.6,
        f"The mean loss is divided by {1 / ratio:.0f} once more before backward, so the gradient is as much smaller.",
        Evidence(
            quantity="loss handed to backward / mean of the loss function",
            value=rounded(ratio),
            threshold=TWICE,
        ),
        Evidence(quantity="samples per step", value=batch_rows(trace) or "unknown"),
        loss_span(trace),
        where=at(trace.site("loss") or last_site(trace, "backward")),
    )
