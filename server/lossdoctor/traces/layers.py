"""Scale of weights, activations and gradients through depth. Pure functions of a trace."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import median
from typing import Any

from ..model import Parameter, Trace

EARLY = 5  # the first steps are all measured
SATURATING = frozenset({"Sigmoid", "Tanh"})


def matrices(trace: Trace) -> list[Parameter]:
    """Weights of linear, convolution and recurrent layers that ran, in order of registration."""
    return [
        p for p in trace.parameters
        if p.used and len(p.shape) >= 2 and p.numel > 1 and "Embedding" not in (p.module or "")
    ]  # fmt: skip


def gain(parameter: Parameter) -> float:
    """Standard deviation of a weight times the square root of its fan-in: by how much a layer scales a signal.

    About 0.58 for torch's default, 1 for Xavier on a square layer, 1.41 for He et al. (2015).
    """
    return parameter.std * math.sqrt(math.prod(parameter.shape[1:]))


@dataclass(frozen=True)
class Layer:
    """A weight with the median norm of its gradient in the early steps, per element and per unit of its own size."""

    parameter: Parameter
    gradient: float

    @property
    def relative(self) -> float:
        """|gradient| / |weight|, both as root mean squares: comparable between layers of any size."""
        return self.gradient / self.parameter.std if self.parameter.std > 0 else math.inf


def gradients(trace: Trace, steps: int = EARLY) -> list[Layer]:
    """Layers in order with their typical gradient (root mean square) over the first steps."""
    found = []
    for parameter in matrices(trace):
        norms = [s.grads[parameter.id] for s in trace.steps[:steps] if parameter.id in s.grads]
        if norms and all(math.isfinite(n) for n in norms):
            found.append(Layer(parameter, median(norms) / math.sqrt(parameter.numel)))
    return found


def activations(trace: Trace, last: int = EARLY) -> list[dict[str, Any]]:
    """Activation rows of the first steps."""
    return [r for r in trace.of("act") if r["i"] <= last]


def hidden_spreads(trace: Trace) -> list[float]:
    """Standard deviations of what the linear and convolution layers answer at the first step, in order of their calls,
    the last one (the model's own answer) left out.
    """
    found: dict[str, float] = {}
    for row in activations(trace, last=1):
        if row["class"].startswith(("Linear", "Conv")) and row.get("std") is not None:
            found.setdefault(row["name"], float(row["std"]))
    return list(found.values())[:-1]


def flat_shares(trace: Trace) -> dict[str, float]:
    """Layer -> median share of its values in the flat ends of sigmoid or tanh, over the first steps; the last one that
    runs (an output activation may well be saturated) is left out.
    """
    rows = [r for r in activations(trace) if r["class"] in SATURATING and "flat" in r]
    order = [f"{r['name'] or 'model'}@{r.get('site', '')}" for r in rows]
    outputs = {r["name"] for r in activations(trace)[-1:]}
    shares: dict[str, list[float]] = {}
    for key, row in zip(order, rows, strict=True):
        if row["name"] not in outputs or "site" in row:
            shares.setdefault(key, []).append(row["flat"])
    return {key: median(values) for key, values in shares.items()}


@dataclass(frozen=True)
class InputScale:
    """Root mean square, offset and spread of the floating-point training inputs; ``uneven``: the largest over the
    lower quartile of the features' standard deviations, constant ones aside (rarely lit pixels are no fault).
    """

    size: float
    mean: float
    std: float
    uneven: float


def input_scale(trace: Trace) -> InputScale | None:
    """Medians over the measured training calls of the first floating-point input that is not computed from what is
    trained; None without one.
    """
    made = any(
        r.get("computed") for r in trace.of("forward") if r["grad"]
    )  # samples do not tell which call they are of
    calls = [r["in"][0] for r in trace.of("forward") if r["grad"] and r["in"] and not made]
    floats = [t for t in calls if "float" in t["dtype"] and "std" in t and math.isfinite(t["std"])]
    if not floats:
        return None
    mean, std = median(t["mean"] for t in floats), median(t["std"] for t in floats)
    return InputScale(math.hypot(mean, std), mean, std, _uneven(trace))


def nats_of_units(trace: Trace) -> float | None:
    """By how much a log-likelihood of one sample's inputs may change with their unit: the logarithm of their size for
    each number that a sample has (change of variables, log |det J|). None where the inputs are not known.
    """
    scale = input_scale(trace)
    shape = next((r["in"][0]["shape"] for r in trace.of("forward") if r["grad"] and r["in"]), None)
    if scale is None or shape is None or scale.size <= 0:
        return None
    return float(math.prod(shape[1:])) * abs(math.log(scale.size))


def _uneven(trace: Trace) -> float:
    rows = [
        x for r in trace.of("sample") if r["grad"] and not r["int"] and len(r["shape"]) == 1 for x in r["x"]
    ][:256]
    widths = {len(x) for x in rows}
    if len(rows) < 16 or len(widths) != 1:
        return 1.0
    stds = []
    for column in zip(*rows, strict=True):
        center = sum(column) / len(column)
        stds.append(math.sqrt(sum((v - center) ** 2 for v in column) / len(column)))
    living = sorted(s for s in stds if s > 0 and math.isfinite(s))
    return living[-1] / living[len(living) // 4] if living else 1.0
