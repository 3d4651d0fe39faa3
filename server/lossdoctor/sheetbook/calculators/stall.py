"""Does an update change the weight at all, once the result is rounded to the weight's own format?

A weight held in a format with m mantissa bits ignores every update below half its spacing. Relative to
the weight that is 2**-(m+2) (just under a power of two) to 2**-(m+1) (at one): 0.2-0.4 % in bf16. Typical
healthy updates are about 0.1 % of the weight, hence fp32 master weights (Micikevicius et al. 2018,
"Mixed Precision Training", section 3.1) or stochastic rounding (Gupta et al. 2015).
"""

from __future__ import annotations

from dataclasses import dataclass

from lossdoctor.sheetbook.calculators.formats import float_format, round_to, ulp


@dataclass(frozen=True, slots=True)
class StallCheck:
    """What becomes of ``weight +- update`` under round-to-nearest.

    ``ratio`` is |update| / |weight| (infinite for a zero weight); ``smallest_effective`` is the smallest
    update that moves the weight in both directions, in the weight's own unit.
    """

    stalls: bool
    one_sided: bool
    ratio: float
    spacing: float
    smallest_effective: float


def check_stall(weight: float, update: float, dtype: str = "bf16") -> StallCheck:
    """Round ``weight + update`` and ``weight - update``; ``stalls`` when both give the weight back.

    ``update`` is the whole step (about lr for Adam-like optimizers, lr * |g| for SGD). ``one_sided``: only
    one direction moves, which happens at powers of two, where the spacing below is half the spacing above.
    Raises BadArgument for an unknown format or a non-finite weight.
    """
    stored = round_to(weight, dtype)
    moved = [round_to(stored + sign * abs(update), dtype) != stored for sign in (1, -1)]
    spacing = ulp(stored, dtype)
    ratio = abs(update / stored) if stored else float("inf")
    return StallCheck(not any(moved), any(moved) and not all(moved), ratio, spacing, spacing / 2)


def stall_band(dtype: str) -> tuple[float, float]:
    """Update/weight ratios (always lost below, never lost above) for normal numbers of the format."""
    mantissa = float_format(dtype).mantissa_bits
    return 2.0 ** -(mantissa + 2), 2.0 ** -(mantissa + 1)
