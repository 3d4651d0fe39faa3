"""# batch_size_too_large: too few updates per run for the batch size

**What it is.** A batch holds so much of the data set that an epoch is only a handful of updates, and the run ends
before the weights have gone where they were heading.

**Signal.** Updates per pass over the data and in the whole run; the loss still falls when the run ends, far from
what the data allow. Few updates of ordinary size that end with a part of the loss left are only tested.

**Why it matters.** The epochs look generous, the updates are not; the same number of samples in smaller batches
would have trained the model.

**Remedy.** Use a smaller batch, or keep it and run more epochs with a larger learning rate and a warm-up.

**When it stays silent.** Full-batch training that converges (small data, LBFGS, hundreds of updates); runs that fit
well; a recording that was cut short.

**Confirming intervention.** The script's own setting divided by 16, where the one place is found that sets it. Else
`split_batch`: each batch in pieces with one update each, same epochs, same seed; where the gradients of many passes are
gathered, `step_each_pass`. Where the curve shows no sign by itself, the run must miss a third of what it wins with the
smaller batch, on held-out samples where there are any.

**References.** McCandlish et al., "An empirical model of large-batch training" (2018); Shallue et al., "Measuring the
effects of data parallelism" (2019); Goyal et al., "Accurate, large minibatch SGD" (2017).
"""

from __future__ import annotations

from statistics import median
from typing import Any

from ..model import Evidence, Finding, Trace
from ..traces.measure import USUAL, head, main_steps, need_not_fall, objective, stalled, tail
from ..traces.movement import movement
from ..traces.progress import batch_rows, cut_off, learned_well, training_samples
from ..traces.streams import drawn_from
from ..traces.validation import validation_losses
from ..traces.wiring import on_a_graph
from ._evidence import length_matters, loss_span
from .base import MERE, TENTATIVE, Missing, Rule, at, found, rounded

RULE = Rule(
    fault="batch_size_too_large",
    severity="warning",
    sheet="batch-size-and-memory-tradeoffs#too-few-updates",
    summary="What trains is the number of updates; a batch that is most of the data leaves too few of them.",
    remedy="Use a smaller batch (more updates per epoch), or many more epochs with a retuned learning rate.",
    needs=("moving_steps", "loss"),
    interventions=({"name": "split_batch", "factor": 16},),
    contraindications=("More of the same few updates at the same rate needs proportionally more epochs.",),
)

SHARE = 0.2  # of the data set in one batch: five updates per pass or fewer
SAMPLES = 128  # a batch that is no larger is not what limits the run
FEW = 150  # updates; published runs, fine-tuning included, use hundreds to millions (Shallue et al., 2019)
VERY_FEW = 40
LARGE = 64  # samples; from here on a batch that leaves few updates is tested
ORDINARY = 0.5  # of the usual |update| / |weight| per step: below it the rate is what is small
LEFT = 0.1  # of the loss that a run starts with; asks for a test, no more
GATHERED = 4  # backward passes behind an update; the two or three of a step may be several losses


def check(trace: Trace) -> Finding | Missing | None:
    passes, steps = _gathered(trace), len(main_steps(trace))
    rows, total = batch_rows(trace), training_samples(trace) if passes == 1 else _held(trace)
    if rows is None or total is None:
        return Missing("the batch size and the number of training samples")
    size = rows * passes
    if not 3 <= steps <= FEW or cut_off(trace) or _of_its_own_kind(trace):
        return None
    poor = size >= max(SAMPLES, SHARE * total) and not learned_well(trace)
    if not poor and (passes > 1 or size < LARGE or not _has_left(trace)):
        return None
    still = not stalled(objective(trace))
    place = trace.site("loader") or trace.site("data") or trace.site("forward")
    return found(
        RULE,
        MERE if not poor else 0.75 if still and steps <= VERY_FEW else TENTATIVE,
        f"The whole run makes {steps} updates: one batch{_of(passes)} holds {size} of {total} training samples.",
        Evidence(quantity="updates in the whole run", value=steps, threshold=FEW),
        Evidence(quantity="samples in a batch", value=size, threshold=rounded(SHARE * total)),
        Evidence(quantity="training samples", value=total),
        Evidence(quantity="loss still falls at the end", value=still),
        loss_span(trace),
        where=at(place),
    )


def _of_its_own_kind(trace: Trace) -> bool:
    """Whether all samples belong into one batch by nature."""
    return (bool(trace.optimizers) and trace.optimizers[0].family == "LBFGS") or on_a_graph(trace)


def _has_left(trace: Trace) -> bool:
    """Whether updates of an ordinary size end with a part of the loss left, in training or on held-out samples: nothing
    that a curve tells, but worth a test.
    """
    held = validation_losses(trace)
    ends, start = (tail(objective(trace)), held[-1][1] if held else None), head(objective(trace))
    known = [end for end in ends if end is not None]
    if start is None or not known or need_not_fall(trace) or not start > 0:
        return False
    ordinary = movement(trace) >= ORDINARY * USUAL * len(trace.steps)
    return ordinary and max(known) > LEFT * start


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """A step for each pass where the gradients of many are gathered, else smaller batches."""
    passes = _gathered(trace)
    if passes == 1:
        return RULE.interventions
    scale = float(passes) if length_matters(trace) else 1.0
    return ({"name": "step_each_pass", "factor": passes + 1, "scale": scale},)


def _gathered(trace: Trace) -> int:
    """Backward passes behind an update; 1 for the few of several losses or models."""
    passes = [s.backwards for s in main_steps(trace)]
    usual = int(median(passes)) if passes else 1
    return usual if usual >= GATHERED else 1


def _held(trace: Trace) -> int | None:
    """Samples that the script holds for training: of the many that one update gathers only some were looked at."""
    if any(r["grad"] and r.get("loader") is not None for r in trace.of("forward")):
        return training_samples(trace)
    return drawn_from(trace) or None


def _of(passes: int) -> str:
    return f", of {passes} backward passes," if passes > 1 else ""
