"""# unshuffled_data: training data presented in class order

**What it is.** The loader walks through sorted data in order, so that long stretches of steps see one class only.

**Signal.** The intraclass correlation of the labels within batches of the first epoch: 0 when batches are random
draws, 1 when each holds a single class. With it, whether held-out answers suffer, and the sampler's type.

**Why it matters.** Each stretch teaches "always answer this class" and undoes the one before; the training loss looks
low within a stretch while the model is near chance.

**Remedy.** `shuffle=True` on the training loader, a shuffle buffer for streams, or a shuffled index per epoch.

**When it stays silent.** Unshuffled loaders over data that already are in random order; batches built by class on
purpose with several classes each; evaluation loaders; one-class data.

**Confirming intervention.** `shuffle_loader`: the same samples in random order must end better, in training or on
held-out samples.

**References.** Bengio, "Practical recommendations for gradient-based training of deep architectures" (2012), on the
order of samples; Fisher (1925) for the intraclass correlation.
"""

from __future__ import annotations

from typing import Any

from ..model import Evidence, Finding, Site, Trace
from ..traces.data import held_out_lift, training_loaders
from ..traces.streams import are_classes, clustering, labels_in_order
from ._evidence import loss_span
from .base import TENTATIVE, Rule, at, found, rounded, site_by_id

RULE = Rule(
    fault="unshuffled_data",
    severity="critical",
    sheet="training-loop-architecture#data-order",
    summary="Batches should look like the whole data set; sorted data need shuffling.",
    remedy="Set shuffle=True on the training loader (or shuffle the index each epoch).",
    symptom="oscillation",
    structural=True,
    interventions=({"name": "shuffle_loader"},),
    needs=("steps",),
)

SORTED = 0.5  # random order gives 0 +- 0.05, sorted classes 0.6 and more (benchmarks/thresholds/data.py)
LABELS = 96  # fewer labels make too few windows
LEARNED = 0.9  # held-out lift above chance from which the order has done no harm; two sorted data sets ended at 0.81


def check(trace: Trace) -> Finding | None:
    labels, batch = labels_in_order(trace)
    if len(labels) < LABELS or len(set(labels)) < 2:
        return None
    alike, lift = clustering(labels, batch), held_out_lift(trace)
    if alike < SORTED:
        return None
    measured = are_classes(labels)
    sure = TENTATIVE if not measured or (lift is not None and lift > LEARNED) else 0.85
    used = training_loaders(trace)
    loader = next((r for r in trace.of("loader") if r["id"] in used), None)
    kind = loader["sampler"] if loader else "none (the script indexes the data itself)"
    kind_of = "one class" if measured else "like targets"
    quantity = "held-out accuracy above the commonest class"
    held_out = () if lift is None else (Evidence(quantity=quantity, value=rounded(lift), threshold=LEARNED),)
    return found(
        RULE,
        sure,
        f"Training batches hold samples of {kind_of} at a time: the data are in order and are not shuffled.",
        Evidence(quantity="likeness of labels within a batch (0 random, 1 one label)", value=rounded(alike),
                 threshold=SORTED),
        Evidence(quantity="sampler of the training loader", value=kind),
        *held_out,
        loss_span(trace),
        where=at(_site(trace, loader)),
    )  # fmt: skip


def _site(trace: Trace, loader: dict[str, Any] | None) -> Site | None:
    """The loader, which can shuffle, or where a stream reads what it hands on."""
    if loader is None:
        return trace.site("step")
    stream = loader.get("len") is None
    return (trace.site("read") if stream else None) or site_by_id(trace, loader["site"])
