"""# underfitting_capacity: the model is too small for the task

**What it is.** A bottleneck of one or two units, too few units or no hidden layer: the optimizer works, the training
loss comes to rest, and training and validation are equally poor.

**Signal.** The training loss has come to rest far above zero although the updates are neither tiny nor wild; the
narrowest layer is narrow for the number of classes; and nearest neighbours in the recorded inputs predict the labels
far better than the model does, so the answer is in the data.

**Why it matters.** More epochs, another rate or more data change nothing.

**Remedy.** Widen the narrowest layer, add a hidden layer with a non-linearity, then look at regularisation.

**When it stays silent.** The run still improves; the labels cannot be predicted from the inputs by neighbours
either (noise, shuffled labels) and a wide network beside the model helps no more; nine of ten held-out answers are
right that the commonest class would get wrong; other findings explain the poor fit.

**Confirming intervention.** The script's own setting of that width is made eight times as large (64 at least) where
the one place is found that sets it. Else `widen`: a network of 128 hidden units runs beside the model, same seed,
beside a model of sequences one that sees no later place, and beside a model of mere tables of one or two columns
tables of 16. The training loss must end clearly lower. Where neighbours do no better than the model, a hidden layer
that narrow is only tested, and held-out answers decide: the run must have missed a third of what the larger model wins,
or a tenth while that leaves less than a third of the loss. What reproduces its input is narrow on purpose, and only its
own setting is tried.

**References.** Goodfellow, Bengio and Courville, "Deep learning" (2016), 5.2 (capacity); Cover and Hart, "Nearest
neighbor pattern classification" (1967).
"""

from __future__ import annotations

import math
import re
from statistics import median
from typing import Any

from ..model import Evidence, Finding, Parameter, Trace
from ..traces.data import held_out_lift
from ..traces.measure import chance_loss, label_prior, need_not_fall, objective, stalled, tail
from ..traces.movement import typical_update_ratio
from ..traces.neighbours import neighbour_score
from ..traces.progress import cut_off, fitted
from ._evidence import loss_span
from .base import TENTATIVE, Missing, Rule, at, found, rounded

RULE = Rule(
    fault="underfitting_capacity",
    severity="warning",
    sheet="overfitting-prevention#underfitting",
    summary="When training and validation are equally poor and the loss rests, the model is too small.",
    remedy="Widen the narrowest layer, or add a hidden layer with a non-linearity.",
    needs=("moving_steps", "loss", "ten_steps"),
    interventions=({"name": "widen"},),
    contraindications=("Regularisation, more epochs and more data do not help a model that is too small.",),
)

POOR = 0.8  # share of the way to a perfect fit above which there is nothing to mend
DONE, LITTLE = 0.985, 0.1  # between the two a narrow layer is tested, whatever neighbours say
ANSWERED = 0.9  # of held-out samples right, 0 being those of the commonest class: more units can mend little
NARROW = 8  # units; up to so many are tested, though a few more than the task needs at least
BETTER = 0.15  # accuracy (or explained share) of the neighbours above the model's
MOVING = 3e-5  # |dw| / |w| per step below which the rate, not the size, holds the run
WILD = 0.03
SLOW = 0.2  # share of the loss that the second half of the run still takes off
HOPELESS = 2
TABLES = 2
# whose first axis is its width; one row of a module of the user's own is a query, a token or a scale
LAYER = re.compile(r"Linear|Conv|RNN|LSTM|GRU|Dense", re.IGNORECASE)
MANY_CLASSES = 16


def check(trace: Trace) -> Finding | Missing | None:
    share, ratio = fitted(trace), typical_update_ratio(trace)
    if share is None or ratio is None or need_not_fall(trace) or share >= DONE:
        return None
    if not MOVING < ratio < WILD:
        return None
    layer, width = narrowest(trace)
    if not _rests(trace):
        return _tight(trace, layer, share) if layer is not None and 0 < width <= HOPELESS else None
    if layer is None:
        return _few_factors(trace, share)
    if width > max(_needed(trace), NARROW):
        return None
    if share >= POOR or width > _needed(trace):
        return _tight(trace, layer, share)
    reachable = None if _sequences(trace) else neighbour_score(trace)
    if reachable is None and width <= HOPELESS and _many_answers(trace) and share < POOR / 2:
        reachable = 1.0  # no neighbours to ask, but two numbers cannot carry this many answers
    if reachable is None:
        return _tight(trace, layer, share) or Missing("inputs with their targets")
    if reachable < share + BETTER:
        return _tight(trace, layer, share)
    return found(
        RULE,
        0.65,
        f"{layer.name} leaves {width} units, and the training loss rests at {rounded(tail(objective(trace)) or 0)}.",
        *_size(trace, layer, width, share),
        Evidence(
            quantity="fit of nearest neighbours on the same inputs",
            value=rounded(reachable),
            threshold=BETTER,
        ),
        Evidence(quantity="loss of a constant prediction", value=rounded(chance_loss(trace) or 0.0)),
        loss_span(trace),
        where=at(None, parameter=layer.name),
    )


def _many_answers(trace: Trace) -> bool:
    return len(label_prior(trace) or {}) >= MANY_CLASSES


def _tight(trace: Trace, layer: Parameter, share: float) -> Finding | None:
    """A hidden layer that may be too narrow, although neighbours do no better than the model: to be tested."""
    if layer is _matrices(trace)[-1] or (share < LITTLE and not _sequences(trace)):
        return None
    if (held_out_lift(trace) or 0.0) >= ANSWERED:
        return None
    return found(
        RULE,
        TENTATIVE,
        f"{layer.name} leaves {_width(layer)} units, and a larger model does far better.",
        *_size(trace, layer, _width(layer), share),
        loss_span(trace),
        where=at(None, parameter=layer.name),
    )


def interventions(trace: Trace) -> tuple[dict[str, Any], ...]:
    """A wide network beside the model, where a model may not be narrow on purpose. Beside one of sequences stands
    another kind of network, which says little of a layer that is not hopelessly narrow.
    """
    _, width = narrowest(trace)
    another = _sequences(trace) and width > HOPELESS
    return () if another or _narrow_on_purpose(trace) else RULE.interventions


def _narrow_on_purpose(trace: Trace) -> bool:
    """Whether the model reproduces what it is given, or has no answers to give."""
    pairs = [
        (x, y) for r in trace.of("sample") if r["grad"] for x, y in zip(r["x"], r.get("y", ()), strict=False)
    ]
    if _sequences(trace):
        return bool(pairs) and all(x == y for x, y in pairs)
    as_long = any(isinstance(y, list) and len(y) == len(x) for x, y in pairs)
    return _reproduces(trace) or not pairs or as_long


def _reproduces(trace: Trace) -> bool:
    """Whether the targets have the shape of the model's input: what is narrow in between is the point of it."""
    given = {tuple(r["in"][0]["shape"][1:]) for r in trace.of("forward") if r["grad"] and r["in"]}
    asked = {tuple(r["target"]["shape"][1:]) for r in trace.of("loss")}
    return any(math.prod(shape) > 1 for shape in given & asked)


def _few_factors(trace: Trace, share: float) -> Finding | None:
    """A model of mere tables (users and items) of which none has more than two columns: to be tested."""
    tables = [p for p in trace.parameters if p.used and p.module == "Embedding" and len(p.shape) == 2]
    if len(tables) < TABLES or len(tables) < sum(p.used and len(p.shape) > 1 for p in trace.parameters):
        return None
    widest = max(tables, key=lambda p: p.shape[1])
    if widest.shape[1] > HOPELESS:
        return None
    return found(
        RULE,
        TENTATIVE,
        f"No table has more than {widest.shape[1]} column(s), and a larger model does far better.",
        Evidence(
            quantity="width of the narrowest layer",
            value=widest.shape[1],
            threshold=HOPELESS,
            where=widest.name,
        ),
        Evidence(quantity="fit of the model (0 a constant, 1 perfect)", value=rounded(share)),
        loss_span(trace),
        where=at(None, parameter=widest.name),
    )


def _size(trace: Trace, layer: Parameter, width: int, share: float) -> tuple[Evidence, Evidence]:
    """How wide the narrowest layer is, and how well the model fits."""
    narrow = Evidence(
        quantity="width of the narrowest layer", value=width, threshold=_needed(trace), where=layer.name
    )
    return narrow, Evidence(quantity="fit of the model (0 a constant, 1 perfect)", value=rounded(share))


def _rests(trace: Trace) -> bool:
    """At rest; in a run that was seen to its end, also slow enough that more of the same will not do."""
    points = objective(trace)
    if cut_off(trace):
        return stalled(points)
    values = [v for _, v in points[len(points) // 2 :]]
    size = max(3, len(values) // 5)
    return stalled(points) or median(values[:size]) - median(values[-size:]) < SLOW * abs(
        median(values[:size])
    )


def _sequences(trace: Trace) -> bool:
    return any(r["int"] for r in trace.of("sample") if r["grad"])


def narrowest(trace: Trace) -> tuple[Parameter | None, int]:
    """The hidden weight matrix with the fewest outputs; for a single layer, that layer (width 0: nothing hidden)."""
    matrices = _matrices(trace)
    if not matrices:
        return None, 0
    hidden = matrices[:-1]
    if not hidden:
        return matrices[0], 0
    layer = min(hidden, key=_width)
    return layer, _width(layer)


def _matrices(trace: Trace) -> list[Parameter]:
    known = (p for p in trace.parameters if p.used and len(p.shape) >= 2 and p.module != "Embedding")
    return [p for p in known if p.shape[0] > 1 or LAYER.search(p.module or "")]


def _width(matrix: Parameter) -> int:
    """Outputs of a layer; the hidden size of a recurrent one, whose gates are stacked."""
    return matrix.shape[1] if ".weight_hh" in f".{matrix.name}" else matrix.shape[0]


def _needed(trace: Trace) -> int:
    """Width below which C classes (or a curve) are hard to tell apart: about half of C, at least 3."""
    classes = len(label_prior(trace) or {})
    return max(3, round(median((3, classes / 2, 16))))
