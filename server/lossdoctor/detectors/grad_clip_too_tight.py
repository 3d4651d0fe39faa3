"""# grad_clip_too_tight: clipping makes the updates negligible

**What it is.** The clipping threshold lies so far below the usual gradient that every step is cut to a tiny
fraction of itself; with SGD the rate is in effect divided by the same factor.

**Signal.** Share of steps on which the gradient was cut, by what factor (norm before against threshold; for
clipping by value and by hand, norm after backward against norm at the step), and the weights hardly move or the loss
hardly falls.

**Why it matters.** It looks like a rate that is too low; raising the rate to compensate hides a step length that no
longer depends on the gradient.

**Remedy.** Log the gradient norm of a run without clipping and put the threshold at or above its usual size, so that
only outliers are cut.

**When it stays silent.** Clipping on every step by a moderate factor (usual in language models); optimizers that
normalise the gradient (Adam, RMSprop, ...), whose steps do not shrink with it, unless eps swallows what is left. In a
run that fits well a tight threshold is only tested, and what it costs held-out samples decides.

**Confirming intervention.** `no_clip`, for clipping by hand `keep_gradients`: the loss must end clearly lower with the
same seed.

**References.** Pascanu, Mikolov and Bengio, "On the difficulty of training recurrent neural networks" (2013);
PyTorch documentation, `torch.nn.utils.clip_grad_norm_`; Kingma and Ba, "Adam" (2015), on invariance to scale.
"""

from __future__ import annotations

from statistics import median
from typing import Any

from ..model import Evidence, Finding, Site, Step, Trace
from ..traces.measure import first_nonfinite, head, main_steps, objective, stalled, tail
from ..traces.progress import learned_well
from ._evidence import LENGTH_MATTERS, loss_span
from .base import TENTATIVE, Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="grad_clip_too_tight",
    severity="critical",
    sheet="gradient-management#clipping",
    summary="A clipping threshold belongs above the usual gradient norm; it is there for outliers.",
    remedy="Raise the clipping threshold to at least the usual gradient norm of the unclipped run, or remove it.",
    needs=("optimizer_steps", "ten_steps"),
    interventions=({"name": "no_clip"},),
    contraindications=(
        "Do not raise the learning rate instead: the threshold sets the length of every step.",
    ),
)

CUT = 0.99  # factor of clipping below which a step counts as cut at all
ALWAYS = 0.9  # share of steps that were cut
TIGHT = 0.01  # threshold / gradient norm: steps a hundred times shorter than asked for
SUSPECT = 0.1  # worth a test without clipping when the run stays poor
SAME = 1e-3  # relative spread below which gradient norms of different batches cannot agree by themselves


def check(trace: Trace) -> Finding | None:
    steps = [s for s in main_steps(trace) if s.grad_norm > 0]
    cut = [s for s in steps if _factor(s) is not None and _factor(s) < CUT]  # type: ignore[operator]
    by_hand = not cut and first_nonfinite(trace) is None and _constant_norm(steps)
    if not by_hand and (not cut or len(cut) < ALWAYS * sum(_factor(s) is not None for s in steps)):
        return None
    well = learned_well(trace)
    factor = 0.0 if by_hand else median(_factor(s) or 0.0 for s in cut)
    poor = stalled(objective(trace)) or _barely_fell(trace)
    felt = poor or not _scale_free(trace, steps)
    if by_hand:
        return _finding(trace, steps, factor, TENTATIVE) if poor and not well else None
    if cut[0].clip_max is None:  # arithmetic that may be meant: worth a test
        tested = (factor < TIGHT and felt) or (factor < SUSPECT and poor)
        return _finding(trace, cut, factor, TENTATIVE) if tested else None
    if factor < TIGHT and not well and not _scale_free(trace, steps):
        return _finding(trace, cut, factor, 0.85)
    return _finding(trace, cut, factor, TENTATIVE) if factor < SUSPECT and felt else None


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """Without torch's clipping, or without what the script does to its gradients itself."""
    return (
        RULE.interventions
        if any(s.clip_max is not None for s in trace.steps)
        else ({"name": "keep_gradients"},)
    )


def _finding(trace: Trace, steps: list[Step], factor: float, confidence: float) -> Finding:
    limit = steps[0].clip_max
    after = median(s.grad_norm for s in steps)
    before = [b for s in steps if (b := s.clip_before or s.grad_made)]
    what = (
        f"cut to {100 * factor:.2g} % of its size" if factor else "brought to the same length on every step"
    )
    return found(
        RULE,
        confidence,
        f"The gradient is {what}" + ("." if learned_well(trace) else ", and the loss hardly falls."),
        Evidence(quantity="steps on which the gradient was cut", value=len(steps), unit="steps"),
        Evidence(quantity="gradient norm before and after clipping, median",
                 value=f"{rounded(median(before)) if before else 'unknown'} -> {rounded(after)}", threshold=limit),
        loss_span(trace),
        where=at(_site(trace, steps[0])),
    )  # fmt: skip


def _site(trace: Trace, step: Step) -> Site | None:
    own = site_by_id(trace, step.clip_site) or trace.site("clip")
    return own or trace.site("clip_by_hand") or trace.site("step")


def _factor(step: Step) -> float | None:
    """What clipping (torch's function, else the script's own arithmetic between backward and the step) left of the
    gradient, as a share; None where it is not known. A gradient scaler divides by its factor in that place.
    """
    if step.clip_max is None and step.grad_made and step.scale is None and "U" not in step.sequence:
        return min(1.0, step.grad_norm / step.grad_made)
    if step.clip_max is None or not step.clip_before:
        return None
    if step.clip_by_value:
        return step.grad_norm / step.clip_before
    return min(1.0, step.clip_max / step.clip_before)


def _constant_norm(steps: list[Step]) -> bool:
    """A norm (or largest element) that is the same on every batch was set by hand."""
    norms = [s.grad_norm for s in steps]
    largest = [s.grad_max for s in steps if s.grad_max]
    return _same(norms) or _same(largest)


def _same(values: list[float]) -> bool:
    return len(values) >= 8 and max(values) - min(values) <= SAME * max(values)


def _barely_fell(trace: Trace) -> bool:
    points = objective(trace)
    start, end = head(points), tail(points)
    return start is not None and end is not None and start - end < 0.3 * abs(start)


def _scale_free(trace: Trace, steps: list[Step]) -> bool:
    """Whether the optimizer divides by the gradient's own size, and that size is still above its eps."""
    optimizer = next((o for o in trace.optimizers if o.id == steps[0].optimizer), None)
    if optimizer is None or optimizer.family in (*LENGTH_MATTERS, "LBFGS"):
        return False
    eps = max((float(g.get("eps", 0.0)) for g in optimizer.groups), default=0.0)
    elements = sum(p.numel for p in trace.parameters if p.id in steps[0].grads) or 1
    return bool(median(s.grad_norm for s in steps) / elements**0.5 > 10 * eps)
