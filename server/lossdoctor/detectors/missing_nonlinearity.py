"""# missing_nonlinearity: stack of linear layers without activation

**What it is.** Linear or convolution layers follow each other with nothing between them that bends the signal; the
stack is one linear map, whatever its depth.

**Signal.** The operations of the loss graph and the modules that ran: two or more weight layers, and not one
activation among them. Pooling and dropout do not count as activations.

**Why it matters.** The model can fit no more than a linear one, at many times the cost.

**Remedy.** Put an activation after every hidden layer (look for a setting that selects `Identity`).

**When it stays silent.** A single layer; a narrow middle, which is a factorisation on purpose; maps side by side that
are added; any nonlinear operation in the graph, attention and recurrent cells included; nothing to gain because the
linear map fits perfectly.

**Confirming intervention.** `add_activation`: a rectifier after every layer but the last, same seed.

**References.** Goodfellow, Bengio and Courville, "Deep learning" (2016), chapter 6 (XOR); Saxe, McClelland and Ganguli
(2014) on deep linear networks.
"""

from __future__ import annotations

from itertools import combinations

from ..model import Evidence, Finding, Parameter, Site, Trace
from ..traces.layers import matrices
from ..traces.progress import fitted
from ._evidence import loss_span, made_site
from .base import Missing, Rule, at, found, rounded

RULE = Rule(
    fault="missing_nonlinearity",
    severity="warning",
    sheet="overfitting-prevention#underfitting",
    summary="Without an activation between them, two linear layers are one.",
    remedy="Put an activation after every hidden linear or convolution layer.",
    symptom="underfitting",
    structural=True,
    interventions=({"name": "add_activation"},),
    needs=("loss", "steps"),
    contraindications=("More or wider linear layers do not help: their product is still linear.",),
)

# Autograd nodes that keep a map linear (or belong to the loss, to shapes, to pooling or to dropout).
PLAIN = frozenset({
    "T",
    "Abs", "AccumulateGrad", "AdaptiveAvgPool2D", "AdaptiveMaxPool2D", "Add", "Addmm", "Addmv", "Alias",
    "AsStrided", "AvgPool1D", "AvgPool2D", "BinaryCrossEntropy", "BinaryCrossEntropyWithLogits", "Bmm",
    "Cat", "Clone", "ConstantPadNd", "Convolution", "Copy", "Div", "Dot", "Embedding", "EmbeddingBag",
    "Expand", "Flatten", "FusedDropout", "Gather", "HuberLoss", "Index", "IndexSelect", "L1Loss", "Linear",
    "LogSoftmax", "MaskedFill", "MaxPool1D", "MaxPool2D", "MaxPool2DWithIndices", "Mean", "MeanPool",
    "MkldnnAdaptiveAvgPool2D", "MkldnnConvolution", "Mm", "MseLoss", "Mul", "Mv", "NativeBatchNorm", "NativeDropout",
    "NativeGroupNorm", "NativeLayerNorm", "Neg", "NllLoss", "NllLoss2D", "NllLossNd", "Pad", "Permute",
    "Pow", "ReflectionPad2D", "Repeat", "Reshape", "ReshapeAlias", "Select", "Slice", "SlowConv2D",
    "SmoothL1Loss", "Split", "Squeeze", "Stack", "Sub", "Sum", "ThnnConv2D", "ToCopy", "Transpose",
    "Unbind", "UnsafeView", "Unsqueeze", "View",
})  # fmt: skip
PERFECT = 0.97  # a linear map that fits this well leaves an activation nothing to do


def check(trace: Trace) -> Finding | Missing | None:
    graphs = [g for g in trace.of("graph") if "kinds" in g]
    if not graphs:
        return Missing("the operations of the loss graph")
    kinds = {kind.split("::")[-1] for g in graphs for kind in g.get("own") or g["kinds"]}
    weights = [
        p for p in matrices(trace) if "Norm" not in (p.module or "") and p.id in set(graphs[0]["reach"])
    ]
    share = fitted(trace)
    if (
        kinds - PLAIN
        or len(weights) < 2
        or _narrow(weights)
        or _multiplies(trace, kinds)
        or not _follow(weights, "Add" in kinds)
    ):
        return None
    return found(
        RULE,
        0.8,
        f"{len(weights)} weight layers run without any activation between them: together they are one linear map.",
        Evidence(quantity="operations of the loss graph", value=", ".join(sorted(kinds - {"AccumulateGrad"}))[:160]),
        Evidence(quantity="weight layers", value=len(weights)),
        Evidence(quantity="fit of the training data (0 constant answer, 1 perfect)",
                 value="unknown" if share is None else rounded(share), threshold=PERFECT),
        loss_span(trace),
        where=at(_lookup(trace) or made_site(trace, "Linear"), module=weights[0].module, parameter=weights[0].name),
        severity="info" if share is not None and share >= PERFECT else None,
    )  # fmt: skip


def _follow(weights: list[Parameter], added: bool) -> bool:
    """Whether one layer can read what an earlier one made: maps side by side, whose results are ``added``, cannot."""

    def reads(a: Parameter, b: Parameter) -> bool:
        plain = {a.module, b.module} == {"Linear"}
        return not plain or a.shape[0] == b.shape[1] or (not added and b.shape[1] % a.shape[0] == 0)

    return any(reads(a, b) for a, b in combinations(weights, 2))


def _narrow(weights: list[Parameter]) -> bool:
    """Whether a layer in the middle is narrower than both ends: a factorisation."""
    outer = min(weights[0].numel // weights[0].shape[0], weights[-1].shape[0])
    return min(p.shape[0] for p in weights[:-1]) < outer


def _multiplies(trace: Trace, kinds: set[str]) -> bool:
    """A product of two signals (gating) is nonlinear; dropout multiplies by a mask, which is not."""
    drops = any("Dropout" in cls for m in trace.of("model") for _, cls, _ in m["parts"])
    return "Mul" in kinds and not drops


def _lookup(trace: Trace) -> Site | None:
    """Where an unknown name of an activation is answered with the identity, in a model that has identities."""
    return trace.site("no_activation") if made_site(trace, "Identity") is not None else None
