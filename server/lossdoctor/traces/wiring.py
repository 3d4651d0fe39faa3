"""Who holds, reaches and moves which parameter: facts of identity, no thresholds. Pure functions of a trace."""

from __future__ import annotations

import math
from collections import Counter
from statistics import median
from typing import Any

from ..model import Parameter, Trace

# Layers whose output depends on the mode; an instance norm does so only when it tracks running statistics.
BATCH_STATISTICS = ("BatchNorm", "SyncBatchNorm")
DROPPING = ("Dropout", "AlphaDropout", "FeatureAlphaDropout", "DropPath", "StochasticDepth")
FOLLOWING = 3  # tensors of a copy: a weight with its bias may be like another by accident


def with_gradient(trace: Trace) -> frozenset[int]:
    """Parameters that had a gradient (zero or not) at some recorded step."""
    return frozenset(number for step in trace.steps for number in step.grads)


def reached(trace: Trace) -> frozenset[int]:
    """Parameters that the graph of some recorded loss leads to."""
    return frozenset(number for row in trace.of("graph") for number in row["reach"])


def trainable(trace: Trace) -> list[Parameter]:
    """Parameters of modules that ran, with ``requires_grad``, whoever holds them."""
    return [p for p in trace.parameters if p.requires_grad and p.used and p.numel]


def elements(parameters: list[Parameter]) -> int:
    return sum(p.numel for p in parameters)


def listed(parameters: list[Parameter], limit: int = 4) -> str:
    """Names, the first few of them."""
    names = ", ".join(p.name for p in parameters[:limit])
    return names + (f" and {len(parameters) - limit} more" if len(parameters) > limit else "")


def dropouts(trace: Trace) -> list[tuple[float, str, str]]:
    """(rate, path, class) of every layer that drops: dropout layers, and recurrent or attention layers with a rate."""
    parts = [part for row in trace.of("model") for part in row["parts"]]
    rated = [
        (s.get("p", s.get("dropout", 0.0)), path, cls)
        for path, cls, s in parts
        if "Dropout" in cls or "dropout" in s
    ]
    return [(float(rate), path, cls) for rate, path, cls in rated if isinstance(rate, (int, float))]


def mode_layers(trace: Trace, root: str | None = None) -> list[tuple[str, str, dict[str, Any]]]:
    """(path, class, settings) of the layers that act differently in training and in evaluation, per model used."""
    found = []
    for model in trace.of("model"):
        if model["used"] and root in (None, model["class"]):
            found += [(path, cls, kept) for path, cls, kept in model["parts"] if _depends_on_mode(cls, kept)]
    return found


def _depends_on_mode(cls: str, settings: dict[str, Any]) -> bool:
    if cls.startswith(DROPPING):
        return float(settings.get("p", settings.get("drop_prob", 1.0)) or 0.0) > 0
    return cls.startswith(BATCH_STATISTICS) and settings.get("track_running_stats", True) is not False


def next_symbol(trace: Trace) -> bool:
    """Whether the model foretells symbols of the alphabet that it reads: whole numbers go in, and as many classes come
    out as one of its other tables has rows, or the one by which it reads them (answers by the same table).
    """
    shapes = [row["in"]["shape"] for row in trace.of("loss") if row.get("in")]
    classes = {shape[1] for shape in shapes if len(shape) > 1}
    reads = any(t["dtype"].startswith("int") for row in trace.of("forward") for t in row["in"])
    tables = [p for p in trace.parameters if len(p.shape) == 2 and p.shape[0] in classes]
    return reads and (len(tables) > 1 or any(p.module == "Embedding" for p in tables))


def on_a_graph(trace: Trace) -> bool:
    """Whether the rows that a model is given are the nodes of one graph: an adjacency matrix or a list of edges comes
    with them. They cannot be taken in smaller batches as they are.
    """
    rows = [row["in"] for row in trace.of("forward") if row.get("grad") and len(row["in"]) > 1]
    return bool(rows) and all(_nodes_and_edges([tuple(t["shape"]) for t in given]) for given in rows)


def _nodes_and_edges(shapes: list[tuple[int, ...]]) -> bool:
    tables = [s for s in shapes if len(s) == 2]
    edges = any(s[0] == 2 < s[1] for s in tables)
    nodes = Counter(s[0] for s in tables)
    return edges or any(s[0] == s[1] and nodes[s[0]] > 1 for s in tables)


FEW_STEPS = 3
RAISED = (
    2.0  # of a gradient's norm between backward and the step; clipping and unscaling only make it smaller
)


def gradients_of_its_own(trace: Trace) -> bool:
    """Whether the script adds to the gradients after backward: then what is minimised is not the loss alone (evolution
    strategies, gradients of a simulation).
    """
    pairs = [(s.grad_made, s.grad_norm) for s in trace.steps]
    ratios = [after / before for before, after in pairs if before and after and math.isfinite(before + after)]
    return len(ratios) >= FEW_STEPS and median(ratios) > RAISED


def calls_per_loss(trace: Trace) -> float:
    """Median number of model calls of the steps with one backward pass; 0 without any."""
    calls = [max(s.calls, s.sequence.count("F")) for s in trace.steps if s.sequence.count("B") == 1]
    return float(median(calls)) if calls else 0.0


def follower(trace: Trace) -> bool:
    """Whether the model holds a copy of a trained part of itself that no optimizer moves: a teacher, whose answers the
    loss asks for.
    """
    trained = {
        (p.name.split(".", 1)[-1], p.shape) for p in trace.parameters if p.requires_grad and p.optimizers
    }
    still = [
        (p.name.split(".", 1)[-1], p.shape)
        for p in trace.parameters
        if not p.requires_grad and not p.optimizers
    ]
    return len(still) >= FOLLOWING and all(part in trained for part in still)


def normalised_inside(trace: Trace) -> bool:
    """Whether the first layer that ran normalises its input, so that scales do not matter."""
    first = next(iter(trace.of("act")), None)
    return first is not None and "Norm" in str(first.get("class", ""))


def recurrent_calls(trace: Trace) -> list[dict[str, Any]]:
    """Rows of recurrent layers; attention, whose axes are told in rows of the same kind, is none."""
    return [row for row in trace.of("rnn") if not row["class"].startswith("Multihead")]
