"""# batchnorm_small_batch: batch statistics over very few samples

**What it is.** Batch normalisation estimates mean and variance from two or a few samples: in training every output
depends on which samples met by chance, in evaluation the running averages are used instead, and the two disagree.

**Signal.** Batch normalisation layers in training mode, very few samples per forward pass, and its effect: the run
fits poorly, or evaluation is far from training.

**Why it matters.** With two samples a normalised feature is +1 or -1 whatever its value: information is destroyed.

**Remedy.** Use larger batches, or a normalisation that does not look across the batch (group, layer or instance
normalisation), or keep batch normalisation frozen when fine-tuning. Gradient accumulation does not help.

**When it stays silent.** Layers in evaluation mode (frozen statistics), runs that fit and evaluate well.

**Confirming intervention.** `group_norm`: the same layers normalise each sample by itself, same seed.

**References.** Ioffe and Szegedy, "Batch normalization" (2015); Ioffe, "Batch renormalization" (2017); Wu and He,
"Group normalization" (2018), error against batch size.
"""

from __future__ import annotations

from statistics import mean, median

from ..model import Evidence, Finding, Trace
from ..traces.measure import accuracy_curve, objective, tail
from ..traces.progress import batch_rows, learned_well, module_classes
from ._evidence import loss_span
from .base import TENTATIVE, Missing, Rule, at, found, rounded

RULE = Rule(
    fault="batchnorm_small_batch",
    severity="warning",
    sheet="batch-size-and-memory-tradeoffs#batch-statistics",
    summary="Batch statistics need enough samples; below about 8 use another normalisation.",
    remedy="Raise the batch size to 16 or more, or replace batch normalisation with group or layer normalisation.",
    needs=("optimizer_steps", "batches"),
    interventions=({"name": "group_norm"},),
    contraindications=(
        "Gradient accumulation does not enlarge the batch that the statistics are taken over.",
    ),
)

FEW = 4  # Wu and He (2018), figure 1: the error rises from 8 samples on and steeply at 4 and 2
FEWEST = 2
GAP = 0.15  # accuracy, evaluation against training
RATIO = 2.0  # loss, evaluation against training


def check(trace: Trace) -> Finding | Missing | None:
    size = _rows(trace)
    if size is None:
        return Missing("the batch size")
    layers = [
        path for path, cls in module_classes(trace).items() if cls.startswith(("BatchNorm", "SyncBatchNorm"))
    ]
    frozen = any(r["frozen_mode"] for r in trace.of("forward") if r["grad"])
    if not layers or size > FEW or frozen:
        return None
    gap = _disagreement(trace)
    if gap is None and learned_well(trace):
        return None
    return found(
        RULE,
        0.75 if size <= FEWEST else (0.6 if gap else TENTATIVE),
        f"{len(layers)} batch normalisation layers take their statistics over {size} samples.",
        Evidence(quantity="samples that a layer sees at once in training", value=size, threshold=FEW),
        Evidence(quantity="batch normalisation layers", value=len(layers), where=layers[0]),
        Evidence(quantity="training against evaluation", value=gap or "no clear difference"),
        loss_span(trace),
        where=at(trace.site("loader") if size == batch_rows(trace) else None, module=layers[0]),
    )


def _rows(trace: Trace) -> int | None:
    """Samples that the layers see at once: a model may split its batch (virtual batches); else those of the batch."""
    seen = [r["rows"] for r in trace.of("act") if "rows" in r]
    return int(median(seen)) if seen else batch_rows(trace)


def _disagreement(trace: Trace) -> str | None:
    """How evaluation in eval mode differs from training at the same time, when it clearly does."""
    rows = [r for r in trace.of("eval") if set(r["modes"]) == {"eval"}][-3:]
    hits = [mean(r["acc"]) for r in rows if r["acc"]]
    losses = [mean(r["loss"]) for r in rows if r["loss"]]
    trained, end = tail(accuracy_curve(trace)), tail(objective(trace))
    if hits and trained is not None and abs(trained - mean(hits)) > GAP:
        return f"accuracy {rounded(trained)} against {rounded(mean(hits))}"
    if losses and end is not None and end > 0 and not 1 / RATIO < mean(losses) / end < RATIO:
        return f"loss {rounded(end)} against {rounded(mean(losses))}"
    return None
