"""Quantities that several detectors and the report share. Pure functions of a trace; None when not measurable.

Losses are in the script's own units; shares are fractions of 1; a *curve* is a tuple of (step, loss).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import fmean, median
from typing import Any, TypeVar

from ..model import Step, Trace
from .streams import called_at_every_step
from .wiring import gradients_of_its_own

T = TypeVar("T")
Curve = tuple[tuple[int, float], ...]
IGNORED = -100  # torch's default for ``ignore_index``
CLASSIFICATION = frozenset({"cross_entropy", "nll_loss", "multi_margin_loss"})
BINARY = frozenset({"binary_cross_entropy", "binary_cross_entropy_with_logits"})
REGRESSION = frozenset({"mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"})
FEWEST_WEIGHED = 10  # steps
WEIGHED = 1.5  # ratio of what backward got to the mean of the values, high over low decile: 1.0 where weights are fixed
# |dw|/|w| per step of sound runs: movement of about 1 over some hundred steps (benchmarks/thresholds/movement.py: SGD,
# Adam, RMSprop)
USUAL = 3e-3


def main_steps(trace: Trace) -> tuple[Step, ...]:
    """Steps of the optimizer that steps most often (of the first one when several tie, as in a GAN)."""
    counts: dict[int, int] = {}
    for step in trace.steps:
        counts[step.optimizer] = counts.get(step.optimizer, 0) + 1
    if len(counts) < 2 or _made_again(trace, len(counts)):
        return trace.steps
    chosen = max(counts, key=lambda o: (counts[o], -o))
    if counts[chosen] <= 1:  # a new optimizer every step: all of them are one
        return trace.steps
    return tuple(s for s in trace.steps if s.optimizer == chosen)


def _made_again(trace: Trace, count: int) -> bool:
    """Whether three or more optimizers follow each other over equally many tensors: one, made anew and anew."""
    turns = 1 + sum(a.optimizer != b.optimizer for a, b in pairwise(trace.steps))
    used = {s.optimizer for s in trace.steps}
    sizes = {sum(o.sizes) for o in trace.optimizers if o.id in used}
    return count >= 3 and turns == count and len(sizes) == 1


def optimizers_in_turn(trace: Trace) -> bool:
    """Whether several optimizers take part for most of the run, each with a loss of its own (adversarial or alternating
    training); several that step after one backward pass (tables and layers) share theirs.
    """
    counts: dict[int, int] = {}
    for before, step in zip((None, *trace.steps), trace.steps, strict=False):
        if step.backwards or before is None or before.backwards != 1 or before.optimizer == step.optimizer:
            counts[step.optimizer] = counts.get(step.optimizer, 0) + 1
    return sum(1 for c in counts.values() if c >= 0.2 * len(trace.steps)) > 1


def acts(trace: Trace) -> bool:
    """Whether most steps drew actions from a distribution that the model parametrises (policy gradients)."""
    return bool(trace.of("acts"))


def need_not_fall(trace: Trace) -> bool:
    """Whether a sound run's loss may stay or rise: adversaries in turn, log-probabilities weighted by rewards, or
    targets that a network gives anew at every step (temporal differences), or gradients that the script adds to.
    """
    return optimizers_in_turn(trace) or acts(trace) or bootstraps(trace) or gradients_of_its_own(trace)


def bootstraps(trace: Trace) -> bool:
    """Whether a network gives the targets anew at every step (temporal differences)."""
    return loss_function(trace) in (None, *REGRESSION) and called_at_every_step(trace)


def curve(trace: Trace) -> Curve:
    """(step, loss) of the main optimizer, non-finite values included."""
    return tuple((s.i, s.loss) for s in main_steps(trace) if s.loss is not None)


def finite(points: Curve) -> Curve:
    return tuple((i, v) for i, v in points if math.isfinite(v))


def window(points: Curve) -> int:
    """Number of steps that head and tail medians are taken over: a tenth of the run, at least 3."""
    return max(3, len(points) // 10)


def head(points: Curve) -> float | None:
    """Median loss of the first few steps (at most 5): the start before anything was learned."""
    values = [v for _, v in finite(points)[: min(5, max(1, len(points) // 4))]]
    return median(values) if values else None


def tail(points: Curve) -> float | None:
    """Median loss of the last tenth of the run."""
    values = [v for _, v in finite(points)[-window(points) :]]
    return median(values) if values else None


def best(points: Curve) -> float | None:
    """Smallest median over a window: the best level the run reached, single lucky batches aside."""
    values = [v for _, v in finite(points)]
    size = window(points)
    if not values:
        return None
    return min(
        median(values[k : k + size]) for k in range(0, max(1, len(values) - size + 1), max(1, size // 2))
    )


def pooled(points: Curve, size: int) -> Curve:
    """Means of so many losses in a row, at the step of the last one."""
    if size < 2:
        return points
    parts = (points[k : k + size] for k in range(0, len(points) - size + 1, size))
    return tuple((part[-1][0], fmean(v for _, v in part)) for part in parts)


def thinned(items: Sequence[T], most: int) -> tuple[T, ...]:
    """Every n-th item and the last one: at most ``most`` + 1."""
    stride = -(-len(items) // most)
    return tuple(items) if stride <= 1 else (*items[:-1:stride], items[-1])


def noise(points: Curve) -> float:
    """Robust standard deviation of the step-to-step differences of the loss, divided by sqrt(2)."""
    values = [v for _, v in finite(points)]
    changes = sorted(abs(b - a) for a, b in pairwise(values))
    return 1.4826 * median(changes) / math.sqrt(2) if changes else 0.0


def stalled(points: Curve) -> bool:
    """Whether the loss stopped falling: the last third is no more than a tenth of the total fall, or three standard
    errors, below the third before it.
    """
    values = [v for _, v in finite(points)]
    third = len(values) // 3
    if third < 3:
        return False
    earlier, later = median(values[third : 2 * third]), median(values[-third:])
    start = head(points) or 0.0
    error = noise(points) * math.sqrt(2 / third)
    return earlier - later <= max(0.1 * abs(start - later), 3 * error)


def first_nonfinite(trace: Trace) -> int | None:
    """First step whose loss or gradient is NaN or infinite."""
    for step in trace.steps:
        if any(not math.isfinite(v) for v in step.losses) or not math.isfinite(step.grad_norm):
            return step.i
    return None


def loss_calls(trace: Trace) -> tuple[dict[str, Any], ...]:
    """Recorded calls of loss functions in the phase of the main optimizer (a pre-training has targets of its own)."""
    rows, steps = trace.of("loss"), main_steps(trace)
    if not steps or len(steps) == len(trace.steps):
        return rows
    first, last = steps[0].i, steps[-1].i
    return tuple(r for r in rows if first <= r.get("i", first) <= last) or rows


def loss_function(trace: Trace) -> str | None:
    """Name of the torch loss function that training calls most often, when one was seen."""
    names = [r["fn"] for r in loss_calls(trace)]
    return max(set(names), key=names.count) if names else None


def label_prior(trace: Trace) -> dict[int, float] | None:
    """Share of each class among the targets that the loss counted (class indices, ``ignore_index`` left out); None when
    not classification.
    """
    counts: Counter[int] = Counter()
    for row in loss_calls(trace):
        if row["fn"] in CLASSIFICATION | BINARY:
            ignored = None if row["fn"] in BINARY else row.get("ignore", IGNORED)
            shown = {int(value): count for value, count in row["target"].get("hist", {}).items()}
            counts.update({value: count for value, count in shown.items() if value != ignored})
    total = counts.total()
    return {c: n / total for c, n in sorted(counts.items())} if total else None


def chance_loss(trace: Trace) -> float | None:
    """Loss of the best constant prediction, with the reduction ``mean``: the entropy of the label prior for
    classification (not ln C, which is wrong under imbalance), the target variance for squared error, each of several
    outputs with a constant of its own. For absolute, smooth and Huber losses an upper bound from the same variance:
    E|y - m| <= std (Jensen), and the other two exceed neither the halved square nor the absolute error, each scaled
    as torch's ``beta`` and ``delta`` say. None where every label is the same: it is the place of the right answer among
    the scores (contrastive losses), and says nothing of the samples.
    """
    name = loss_function(trace)
    if name in CLASSIFICATION:
        prior = label_prior(trace)
        return -sum(p * math.log(p) for p in prior.values()) if prior and len(prior) > 1 else None
    own = [r["constant"] for r in loss_calls(trace) if r["fn"] == name and r.get("constant") is not None]
    if own:
        return float(sum(own) / len(own))
    targets = [r["target"] for r in loss_calls(trace) if r["fn"] == name]
    means: list[float] = [t["mean"] for t in targets if "mean" in t]
    if not means:
        return None
    if name in BINARY:
        p = min(max(sum(means) / len(means), 1e-6), 1 - 1e-6)
        return -p * math.log(p) - (1 - p) * math.log(1 - p)
    if name not in REGRESSION:
        return None
    center = sum(means) / len(means)
    variance = float(
        sum(t["std"] ** 2 + (t["mean"] - center) ** 2 for t in targets if "mean" in t) / len(means)
    )
    if name == "mse_loss":
        return variance
    absolute = math.sqrt(variance)
    if name == "l1_loss":
        return absolute
    knee = next((float(r["knee"]) for r in loss_calls(trace) if r["fn"] == name and r.get("knee")), 1.0)
    if name == "huber_loss":
        return min(variance / 2, knee * absolute)
    return min(variance / (2 * knee), absolute)


def plain_chance(trace: Trace) -> float | None:
    """``chance_loss`` where the curve of ``objective`` can be held against it: one loss function only, the mean of
    unweighted terms without label smoothing; None elsewhere.
    """
    return _uniform_chance(trace, "mean")


def training_chance(trace: Trace) -> float | None:
    """``plain_chance``, and the same for the sum of the terms of a batch (its mean times the median number of terms),
    which evaluations of another size cannot be held against.
    """
    summed = _uniform_chance(trace, "sum")
    shapes = [r["target"]["shape"] for r in loss_calls(trace) if "shape" in r["target"]]
    if summed is None or not shapes:
        return plain_chance(trace)
    return summed * median(map(math.prod, shapes))


def _uniform_chance(trace: Trace, reduction: str) -> float | None:
    """``chance_loss`` of a run with one loss function only, unweighted, without smoothing, reduced in this way."""
    rows = loss_calls(trace)
    plain = all(
        r.get("reduction") == reduction and not r.get("weighted") and not r.get("smoothing") for r in rows
    )
    return chance_loss(trace) if plain and len({r["fn"] for r in rows}) == 1 else None


def objective(trace: Trace) -> Curve:
    """(step, value that the loss function returned): comparable with ``chance_loss`` whatever the script adds,
    divides or scales before backward. Falls back to the loss that backward got; so does a script that weighs several
    values of a step anew each time (mixup), on the scale of its first steps.
    """
    points = tuple((s.i, sum(s.loss_values) / len(s.loss_values)) for s in main_steps(trace) if s.loss_values)
    return _weighed(trace, dict(points)) or points or curve(trace)


def _weighed(trace: Trace, means: dict[int, float]) -> Curve:
    """What backward got of values whose weights change from step to step; empty where it follows their mean."""
    steps = [s for s in main_steps(trace) if s.i in means and len(s.loss_values) > len(s.losses) > 0]
    got = {s.i: sum(s.losses) for s in steps}
    ratios = [got[i] / means[i] for i in got if means[i] > 0 and math.isfinite(got[i]) and got[i] > 0]
    if len(ratios) < FEWEST_WEIGHED or len({r["fn"] for r in trace.of("loss")}) > 1:
        return ()
    first, ordered = median(ratios[:5]), sorted(ratios)
    low, high = (ordered[len(ordered) * k // 10] for k in (1, 9))
    return tuple((i, v / first) for i, v in got.items()) if high > WEIGHED * low else ()


def accuracy_curve(trace: Trace) -> Curve:
    """(step, accuracy of the training batch)."""
    return tuple((s.i, s.accuracy) for s in main_steps(trace) if s.accuracy is not None)


def chance_accuracy(trace: Trace) -> float | None:
    """Accuracy of always answering the most frequent class."""
    prior = label_prior(trace)
    return max(prior.values()) if prior and loss_function(trace) in CLASSIFICATION else None


def time_shares(trace: Trace) -> dict[str, float] | None:
    """Median seconds per step of data, fwd, bwd, step and total, warm-up and steps with an evaluation left out.

    The recorder's own time (``hook``) is taken off the total; ``own`` is what is left of it without the time that other
    programs had the processor for.
    """
    evaluated = {r["i"] + 1 for r in trace.of("eval")}
    steps = [s for s in trace.steps[3:] if s.time and s.i not in evaluated and "eval" not in s.time]
    if len(steps) < 5:
        return None
    parts = {k: _median(s.time.get(k, 0.0) for s in steps) for k in ("data", "fwd", "bwd", "step")}
    parts["total"] = _median(max(0.0, s.time["total"] - s.time.get("hook", 0.0)) for s in steps)
    parts["own"] = _median(max(0.0, _less(s.time)) for s in steps)
    parts["mean_total"] = _mean(steps, "total") - _mean(steps, "hook")
    parts["mean_data"] = _mean(steps, "data")
    return parts


def _less(time: dict[str, float]) -> float:
    return time["total"] - time.get("hook", 0.0) - time.get("queued", 0.0)


def _mean(steps: list[Step], part: str) -> float:
    return sum(s.time.get(part, 0.0) for s in steps) / len(steps)


def _median(values: Iterable[float]) -> float:
    found = list(values)
    return median(found) if found else 0.0


def parameter_names(trace: Trace) -> dict[int, str]:
    return {p.id: p.name for p in trace.parameters}


def sampled_rows(trace: Trace, kind: str, **match: Any) -> list[dict[str, Any]]:
    """Records of a kind whose fields equal ``match``."""
    return [r for r in trace.of(kind) if all(r.get(k) == v for k, v in match.items())]
