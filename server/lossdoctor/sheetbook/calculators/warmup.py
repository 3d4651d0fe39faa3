"""How long to warm up: three rules that disagree, and the range they span."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from lossdoctor.errors import BadArgument

SHARE_LOW, SHARE_HIGH = 0.01, 0.05  # of all steps; the span of common recipes
LARGEST_SHARE = 0.10  # more than a tenth of a run at less than full rate is waste
GOYAL_EPOCHS = 5


@dataclass(frozen=True, slots=True)
class Warmup:
    """``steps`` to try first, within ``low``..``high``; ``rule`` names what set it."""

    steps: int
    low: int
    high: int
    rule: str


def warmup_steps(
    total_steps: int, *, beta2: float | None = 0.999, steps_per_epoch: int | None = None
) -> Warmup:
    """Linear warm-up length in optimizer steps.

    Adam family: 2/(1-beta2) steps, the time the second moment needs (Ma & Yarats 2021, "On the adequacy of
    untuned warmup for adaptive optimization", arXiv:1910.04209), held between 1 % and 10 % of the run.
    ``beta2=None`` means SGD: five epochs when the batch was scaled up (Goyal et al. 2017,
    arXiv:1706.02677), else 1 %. Raises BadArgument for a run of no steps or beta2 outside [0, 1).
    """
    if total_steps < 1 or (beta2 is not None and not 0 <= beta2 < 1):
        raise BadArgument("needs total_steps >= 1 and 0 <= beta2 < 1", hint="count optimizer steps")
    low, high = ceil(SHARE_LOW * total_steps), ceil(SHARE_HIGH * total_steps)
    if beta2 is not None:
        wanted, rule = ceil(round(2 / (1 - beta2), 6)), "2/(1-beta2)"
    elif steps_per_epoch:
        wanted, rule = GOYAL_EPOCHS * steps_per_epoch, "5 epochs"
    else:
        wanted, rule = low, "1 % of the run"
    ceiling = ceil(LARGEST_SHARE * total_steps)
    steps = min(max(wanted, low), ceiling)
    if steps != wanted:
        rule += " held to the run's 1-10 %"
    return Warmup(steps, min(low, steps), max(high, steps), rule)
