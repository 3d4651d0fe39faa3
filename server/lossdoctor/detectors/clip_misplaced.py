"""# clip_misplaced: the clipping call does not act on the gradients of the step

**What it is.** Gradients are clipped before they exist (before `backward`, or after the step), while they are still
multiplied by the loss scale, or on tensors that are not the ones that step: a used-up generator, another model.

**Signal.** The order of calls in each step (clip, backward, unscale, step), which tensors the call was given, and
the norm that the optimizer really met against the threshold. A part that the clipping is not given and that a few
large steps at the beginning have left without gradient is only tested.

**Why it matters.** The loop looks protected and is not; or, before unscaling, every step is cut thousands of times.

**Remedy.** `backward`, then `unscale_` when a GradScaler is used, then clip the same parameters, then `step`.

**When it stays silent.** The clipping comes in time for all the gradients that step; a part of the model that is
clipped alone on purpose while the rest stays small, or that has an optimizer group of its own. A run that fits well
gets no more than a note.

**Confirming intervention.** `clip`: the same threshold, applied right before each step, same seed.

**References.** PyTorch documentation, "Automatic mixed precision examples" (gradient clipping: unscale first) and
`torch.nn.utils.clip_grad_norm_`.
"""

from __future__ import annotations

from statistics import median

from ..model import Evidence, Finding, Step, Trace
from ..traces.measure import first_nonfinite
from ..traces.progress import learned_well
from ._evidence import loss_span
from .base import TENTATIVE, Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="clip_misplaced",
    severity="critical",
    sheet="gradient-management#clipping",
    summary="Clip after backward (and after unscale_), before step, and the parameters that step.",
    remedy="Move the clipping between backward (or scaler.unscale_) and step, and give it the optimizer's parameters.",
    structural=True,
    needs=("moving_steps", "ten_steps"),
    interventions=({"name": "clip", "max_norm": 1.0}, {"name": "no_clip"}),
)

MOST = 0.5  # of the steps that clip: a defect of the loop shows on (nearly) all of them
PARTLY = 0.2  # a part that is left out matters when it is often above the threshold
BEGINNING = 50  # steps: a run that was thrown off has small gradients afterwards
FACTOR = 3.0  # norm of the part that is left out relative to the threshold
FEWEST, NOTHING = 2, 0.01  # steps that throw a part off; norm of what it gets then, relative to the threshold
RARELY = 0.05  # share of steps above the threshold up to which the clipping has nothing to do
OVER = 1.01  # norm at the step relative to the threshold, above rounding


def check(trace: Trace) -> Finding | None:
    steps = [s for s in trace.steps if s.clip_max is not None and s.backwards]
    if len(steps) < 5:
        return None
    # groups of an optimizer are parts that are treated differently on purpose
    bad = not learned_well(trace) and all(len(o.groups) == 1 for o in trace.optimizers)
    for why, test in (
        ("Gradients are clipped while they are still multiplied by the loss scale.", _scaled),
        ("Gradients are clipped before backward has made those of the step.", _early),
        ("The clipping call is given none of the parameters that the optimizer steps.", _elsewhere),
        ("Only a part of the model is clipped, and the rest exceeds the threshold.", _partly),
    ):
        looked = steps[:BEGINNING] if test is _partly else steps
        hit = [s for s in looked if test(s)]
        needed = PARTLY if test is _partly else MOST
        if len(hit) > needed * len(looked) and (bad or test is not _partly):
            return _finding(trace, why, steps, hit)
    thrown = _thrown_off(steps) if bad else []
    why = (
        "Only a part of the model is clipped: the rest exceeds it at first, and gets no gradient afterwards."
    )
    return _finding(trace, why, steps, thrown, TENTATIVE) if thrown else None


def _finding(
    trace: Trace, why: str, steps: list[Step], hit: list[Step], confidence: float = 0.9
) -> Finding | None:
    loose = [
        s for s in hit if s.clip_max is not None and not s.clip_by_value and s.grad_norm > OVER * s.clip_max
    ]
    harmless = learned_well(trace) and first_nonfinite(trace) is None and len(loose) < RARELY * len(hit)
    norms = f"{rounded(median(s.grad_norm for s in hit))}, largest {rounded(max(s.grad_norm for s in hit))}"
    return found(
        RULE,
        confidence,
        why,
        Evidence(quantity="steps with misplaced clipping", value=len(hit), threshold=f"of {len(steps)}", unit="steps",
                 step=hit[0].i),
        Evidence(quantity="order of calls in a step (Z zero, F forward, B backward, U unscale, C clip, S step)",
                 value=hit[-1].sequence),
        Evidence(quantity="gradient norm at the step, median", value=norms, threshold=hit[0].clip_max),
        Evidence(quantity="steps whose norm is above the threshold", value=len(loose)),
        loss_span(trace),
        where=at(site_by_id(trace, hit[0].clip_site) or trace.site("clip")),
        severity="info" if harmless else None,
    )  # fmt: skip


def _thrown_off(steps: list[Step]) -> list[Step]:
    """The steps in which the part that is left out was far above the threshold, where it gets next to no gradient after
    the last of them: what a few large steps have done to it keeps it from learning.
    """
    far = [s for s in steps[:BEGINNING] if _partly(s)]
    later = [s for s in steps if far and s.i > far[-1].i]
    if len(far) < FEWEST or len(later) < len(steps) / 2:
        return []
    still = sum(_left_out(s) <= (NOTHING * (s.clip_max or 0.0)) ** 2 for s in later)
    return far if still > MOST * len(later) else []


def _early(step: Step) -> bool:
    """No backward pass between the step before and the clipping, or the last one came after it. Steps by hand begin
    with their backward pass: what is clipped after the next forward pass belongs to the next one.
    """
    if step.optimizer < 0:
        return step.sequence.rfind("C") > step.sequence.find("F", step.sequence.find("B")) > 0
    return step.sequence.rfind("C") < step.sequence.rfind("B") if "C" in step.sequence else False


def _scaled(step: Step) -> bool:
    place = step.sequence.rfind("C")
    return step.scale is not None and step.scale != 1 and place >= 0 and "U" not in step.sequence[:place]


def _elsewhere(step: Step) -> bool:
    return step.clip_missed > 0 and step.clip_missed >= len(step.grads) > 0


def _partly(step: Step) -> bool:
    if not 0 < step.clip_missed < len(step.grads) or step.clip_by_value or step.clip_max is None:
        return False
    return _left_out(step) > (FACTOR * step.clip_max) ** 2


def _left_out(step: Step) -> float:
    """Squared norm of the gradient of what the clipping was not given."""
    return step.grad_norm**2 - min(step.clip_max or 0.0, step.clip_before or 0.0) ** 2
