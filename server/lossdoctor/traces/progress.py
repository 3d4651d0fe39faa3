"""How far a run came and how its rate went. Pure functions of a trace; None when not measurable."""

from __future__ import annotations

from math import isfinite, prod
from statistics import median, median_high

from ..model import Trace
from .measure import (
    REGRESSION,
    accuracy_curve,
    chance_accuracy,
    chance_loss,
    finite,
    first_nonfinite,
    head,
    loss_function,
    main_steps,
    objective,
    tail,
    training_chance,
)

# used rate relative to the one asked for: what groups of their own rates and decays of a stage leave
REPLACED = 0.2
# of the largest rate: schedules for language models end at a tenth of it (Hoffmann et al., 2022)
DECAYED = 0.2
WELL = 0.7  # share of the way from the constant prediction to a loss of zero; accuracies on the same scale
SAME = 0.02  # relative difference of two losses that are the same number


def cut_off(trace: Trace) -> bool:
    """Whether the recording ended before the script did."""
    return trace.end is None or trace.end.get("stop") in ("max_steps", "max_seconds")


def fitted(trace: Trace) -> float | None:
    """Share of the way from the best constant prediction (or, where its loss is not known or a weighted one, from the
    start) to a loss of zero; accuracy on the scale from the most frequent class to 1 counts when it is higher. None
    when the loss may be negative or nothing is known; 0 or less when nothing was learned or the run is not finite.
    """
    if first_nonfinite(trace) is not None:
        return 0.0
    points = objective(trace)
    start, end = head(points), tail(points)
    if start is None or end is None or min((v for _, v in finite(points)), default=0.0) < 0:
        return None
    chance = training_chance(trace)
    scale = chance if chance is not None and chance > 0 else start
    by_loss = 1 - end / scale if scale > 0 else None
    base, accuracy = chance_accuracy(trace), tail(accuracy_curve(trace))
    if base is None or accuracy is None or base >= 1:
        return by_loss
    return max((accuracy - base) / (1 - base), by_loss if by_loss is not None else 0.0)


def learned_well(trace: Trace) -> bool:
    """Whether the run reached most of what training data allow; False when that cannot be told."""
    share = fitted(trace)
    return share is not None and share >= WELL


def rates(trace: Trace) -> tuple[float, ...]:
    """Largest learning rate over the groups at each step of the main optimizer."""
    return tuple(max(s.lr) for s in main_steps(trace) if s.lr)


def first_rates(trace: Trace) -> tuple[float, ...]:
    """The rate of the first group at every step."""
    return tuple(s.lr[0] for s in trace.steps if s.lr)


def decayed(trace: Trace) -> bool:
    """Whether the rate of the first group ends at a small part of its largest value."""
    used = first_rates(trace)
    return bool(used) and used[-1] <= DECAYED * max(used)


def declared_rate(trace: Trace) -> float | None:
    """The rate that the script asks for: of the optimizers that take the main steps as constructed (one of another
    phase has a rate of its own), or the peak of a schedule.
    """
    main = {s.optimizer for s in main_steps(trace)}
    used = [o for o in trace.optimizers if o.id in main] or trace.optimizers
    groups = [float(g["lr"]) for o in used for g in o.groups if isinstance(g.get("lr"), (int, float))]
    peaks = [
        float(r["peak"])
        for r in trace.of("scheduler")
        if r.get("peak") is not None and r.get("o") in (None, *main)
    ]
    return max(groups + peaks, default=None)


def replaced_rate(trace: Trace) -> tuple[float, float] | None:
    """(rate that the optimizer was made with, rate of every step) where the second is far lower and nothing changes
    rates: another one took its place before the first step, as that of a loaded state does.
    """
    declared, used = declared_rate(trace), rates(trace)
    if declared is None or not used or trace.of("scheduler") or max(used) > min(used):
        return None
    return (declared, used[0]) if 0 < used[0] < REPLACED * declared else None


def batch_rows(trace: Trace) -> int | None:
    """Samples per optimizer step's forward pass: the median leading dimension of the model's training input; of bags of
    symbols that stand in a row, the number of bags.
    """
    sizes = [t["shape"][0] for r in trace.of("forward") if r["grad"] for t in r["in"][:1] if t["shape"]]
    if not sizes:
        return None
    bags = [len(r["h"]) for r in trace.of("ids") if r["grad"]]
    flat = all(
        len(t["shape"]) == 1 for r in trace.of("forward") if r["grad"] for t in r["in"][:1] if t["shape"]
    )
    return int(median_high(bags if flat and bags and max(bags) < min(sizes) else sizes))


def is_regression(trace: Trace) -> bool:
    return loss_function(trace) in REGRESSION


def training_samples(trace: Trace) -> int | None:
    """Distinct training inputs: the length of the loader's data set, else the distinct inputs that were seen."""
    used = {r["loader"] for r in trace.of("forward") if r["grad"]}
    lengths = [r["len"] for r in trace.of("loader") if r["id"] in used and r.get("len")]
    if lengths:
        return int(lengths[0])
    seen = {h for r in trace.of("ids") if r["grad"] for h in r["h"]}
    return len(seen) or None


def module_classes(trace: Trace) -> dict[str, str]:
    """Path -> class of the leaf modules of every model that is in use."""
    return {path: cls for r in trace.of("model") if r.get("used", True) for path, cls, _ in r["parts"]}


def predictions_per_step(trace: Trace) -> int | None:
    """Targets that one call of the loss function averages over (tokens, pixels, samples); the median call."""
    counts = [prod(r["target"]["shape"]) for r in trace.of("loss")]
    return int(median(counts)) if counts else None


def constant_level(trace: Trace, name: str) -> float | None:
    """``chance_loss`` of one of several loss functions."""
    rows = tuple(r for r in trace.of("loss") if r["fn"] == name)
    return chance_loss(trace.model_copy(update={"rows": {**trace.rows, "loss": rows}}))


def handed_ratio(trace: Trace) -> float | None:
    """Median of the loss that backward got over what the loss function returned, on finite steps with as many of one
    as of the other: 1 for the loss itself, 1/k when it is divided by k, negative when its sign is turned.
    """
    whole = [s for s in main_steps(trace) if len(s.losses) == len(s.loss_values)]
    pairs = [(b, v) for s in whole for b, v in zip(s.losses, s.loss_values, strict=True)]
    shares = [b / v for b, v in pairs if v and isfinite(b) and isfinite(v)]
    return median(shares) if shares else None


def divided_twice(trace: Trace) -> int | None:
    """The number of backward passes behind each step, where their loss is divided by its square: by the script and by
    the library that accumulates for it, say. None elsewhere.
    """
    passes, ratio = median([s.backwards for s in main_steps(trace)] or [1]), handed_ratio(trace)
    if passes < 2 or ratio is None or not abs(ratio * passes**2 - 1) < SAME:
        return None
    return round(passes)
