"""Learning rate at any step for every named schedule.

``step`` counts optimizer steps already taken (0 for the first update), as torch's schedulers do after
construction. A schedule returns the rate itself, not a multiplier. Outside its range it stays at its last
value, except where the definition has no end (exponential, step, inverse square root, cyclical).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from math import cos, pi, sqrt
from typing import Any

from lossdoctor.errors import BadArgument

Schedule = Callable[[int], float]


def constant(step: int, *, lr: float) -> float:
    return lr


def linear(step: int, *, lr: float, total: int, end: float = 0.0) -> float:
    """From ``lr`` down to ``end`` over ``total`` steps."""
    return lr + (end - lr) * _progress(step, total)


def cosine(step: int, *, lr: float, total: int, end: float = 0.0) -> float:
    """Half a cosine from ``lr`` to ``end`` (Loshchilov & Hutter 2017, SGDR, eq. 5, one cycle)."""
    return cosine_between(lr, end, _progress(step, total))


def cosine_warmup(step: int, *, lr: float, total: int, warmup: int, end: float = 0.0) -> float:
    """Linear warm-up whose first step already moves, then a cosine to ``end`` at step ``total``."""
    if step < warmup:
        return _ramp(step, lr, warmup)
    return cosine(step - warmup, lr=lr, total=total - warmup, end=end)


def wsd(
    step: int, *, lr: float, total: int, warmup: int, decay: int, end: float = 0.0, shape: str = "linear"
) -> float:
    """Warm-up, stable, decay over the last ``decay`` steps (Hu et al. 2024, MiniCPM, arXiv:2404.06395).

    ``shape`` of the decay: "linear" or "1-sqrt" (Haegele et al. 2024, arXiv:2405.18392).
    """
    if step < warmup:
        return _ramp(step, lr, warmup)
    if shape not in ("linear", "1-sqrt"):
        raise BadArgument(f"unknown decay shape {shape[:20]!r}", hint="linear or 1-sqrt")
    done = _progress(step - (total - decay), decay)
    return end + (lr - end) * (1 - (done if shape == "linear" else sqrt(done)))


def one_cycle(
    step: int, *, lr: float, total: int, warm_share: float = 0.3, start_divisor: float = 25.0,
    final_divisor: float = 1e4,
) -> float:  # fmt: skip
    """Cosine up from lr/start_divisor to ``lr``, cosine down to lr/(start_divisor * final_divisor).

    Smith & Topin 2018, arXiv:1708.07120, in torch's two-phase form: the peak is at step
    warm_share * total - 1 and the end at total - 1.
    """
    peak_step, start = warm_share * total - 1, lr / start_divisor
    if step <= peak_step:
        return cosine_between(start, lr, _progress(step, peak_step))
    down = _progress(step - peak_step, total - 1 - peak_step)
    return cosine_between(lr, start / final_divisor, down)


def inverse_sqrt(step: int, *, lr: float, warmup: int) -> float:
    """Linear warm-up to ``lr``, then lr * sqrt(warmup/step) (Vaswani et al. 2017, section 5.3).

    ``lr`` is the peak: the original factor d_model^-0.5 * warmup^-0.5 is already in it.
    """
    taken = step + 1
    return lr * min(taken / warmup, sqrt(warmup / taken))


def polynomial(step: int, *, lr: float, total: int, power: float = 1.0, end: float = 0.0) -> float:
    return float(end + (lr - end) * (1 - _progress(step, total)) ** power)


def step_decay(step: int, *, lr: float, every: int, gamma: float = 0.1) -> float:
    """Times ``gamma`` each ``every`` steps."""
    return float(lr * gamma ** (step // every))


def exponential(step: int, *, lr: float, gamma: float) -> float:
    return float(lr * gamma**step)


def cyclical(step: int, *, low: float, high: float, half_cycle: int) -> float:
    """Triangle between two bounds (Smith 2017, arXiv:1506.01186)."""
    position = step % (2 * half_cycle) / half_cycle
    return low + (high - low) * (1 - abs(1 - position))


def infinite(
    step: int, *, lr: float, warmup: int, cooldown: int, constant_lr: float, anneal_from: int | None = None,
    anneal: int = 1, end: float = 0.0,
) -> float:  # fmt: skip
    """Warm-up, cosine cool-down to a constant rate that may last for ever, exponential anneal at any time.

    Ibrahim et al. 2024, "Simple and Scalable Strategies to Continually Pre-train Large Language Models",
    arXiv:2403.08763, section 7. ``cooldown`` and ``anneal`` are lengths in steps; ``anneal_from`` is the
    step at which a checkpoint for use is branched off (None: not yet). ``end`` must be positive for that.
    """
    if step < warmup:
        return _ramp(step, lr, warmup)
    if anneal_from is None or step < anneal_from:
        return cosine(step - warmup, lr=lr, total=cooldown, end=constant_lr)
    if end <= 0:
        raise BadArgument("exponential annealing needs end > 0", hint="use a tenth of constant_lr or less")
    return float(constant_lr * (end / constant_lr) ** _progress(step - anneal_from, anneal))


SCHEDULES: dict[str, Callable[..., float]] = {
    "constant": constant,
    "linear": linear,
    "cosine": cosine,
    "cosine_warmup": cosine_warmup,
    "wsd": wsd,
    "one_cycle": one_cycle,
    "inverse_sqrt": inverse_sqrt,
    "polynomial": polynomial,
    "step": step_decay,
    "exponential": exponential,
    "cyclical": cyclical,
    "infinite": infinite,
}


def schedule_value(name: str, step: int, **settings: Any) -> float:
    """Rate of a named schedule at one step; BadArgument names what is unknown, missing or superfluous."""
    if step < 0:
        raise BadArgument("steps count from 0", hint="0 is the first update")
    return make_schedule(name, **settings)(step)


def make_schedule(name: str, **settings: Any) -> Schedule:
    """The named schedule as a function of the step, ready for ``audit_schedule``."""
    rule = SCHEDULES.get(name.lower().replace("-", "_"))
    if rule is None:
        raise BadArgument(f"unknown schedule {name[:40]!r}", hint=f"use one of {', '.join(SCHEDULES)}")
    try:
        inspect.signature(rule).bind(0, **settings)
    except TypeError as problem:
        takes = ", ".join(list(inspect.signature(rule).parameters)[1:])
        raise BadArgument(f"{name}: {problem}", hint=f"{name} takes {takes}") from None
    return lambda step: rule(step, **settings)


def cosine_between(start: float, end: float, progress: float) -> float:
    """Half a cosine between two rates, ``progress`` in 0..1."""
    return end + (start - end) * (1 + cos(pi * progress)) / 2


def _progress(step: float, total: float) -> float:
    """Share of ``total`` done, held to 0..1; a phase of no length is done at once."""
    return min(max(step / total, 0.0), 1.0) if total > 0 else float(step >= 0)


def _ramp(step: int, lr: float, warmup: int) -> float:
    """Linear warm-up that starts at lr/warmup rather than 0, so that the first update is not wasted."""
    return lr * (step + 1) / warmup
