"""Arithmetic of hyper-parameter search: how many trials, how many seeds, how rungs spend the budget."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log
from statistics import NormalDist

from lossdoctor.errors import BadArgument


def random_trials(top_share: float = 0.05, confidence: float = 0.95) -> int:
    """Random trials until one lies in the best ``top_share`` of the space with this confidence.

    1 - (1 - p)^n >= c (Bergstra & Bengio 2012, "Random Search for Hyper-Parameter Optimization"). It says
    nothing about how good that share is, only about the space as drawn.
    """
    if not 0 < top_share < 1 or not 0 < confidence < 1:
        raise BadArgument("shares must lie between 0 and 1", hint="random_trials(0.05, 0.95) is 59")
    return ceil(log(1 - confidence) / log(1 - top_share))


def seeds_needed(spread: float, difference: float, *, error: float = 0.05, power: float = 0.8) -> int:
    """Seeds per arm to see ``difference`` between two configurations whose runs spread by ``spread`` (std).

    n = 2 (z_{1-error/2} + z_power)^2 (spread/difference)^2, two-sided, normal approximation; never fewer
    than two. Below about ten seeds add one for the t distribution.
    """
    if spread < 0 or difference == 0 or not 0 < error < 1 or not 0 < power < 1:
        raise BadArgument("spread, difference or shares out of range", hint="measure the spread first")
    z = NormalDist()
    total = z.inv_cdf(1 - error / 2) + z.inv_cdf(power)
    return max(2, ceil(2 * (total * spread / difference) ** 2))


@dataclass(frozen=True, slots=True)
class Rung:
    """``trials`` that run up to ``resource`` (steps or epochs) before the worst are stopped."""

    trials: int
    resource: int


def successive_halving(trials: int, smallest: int, largest: int, eta: int = 3) -> tuple[Rung, ...]:
    """Rungs of one bracket: each keeps 1/eta of the trials at eta times the resource, up to ``largest``.

    Jamieson & Talwalkar 2016; its asynchronous form is ASHA, Li et al. 2020, arXiv:1810.05934.
    """
    if min(trials, smallest) < 1 or largest < smallest or eta < 2:
        raise BadArgument(
            "needs trials >= 1, 1 <= smallest <= largest, eta >= 2", hint="count epochs or steps"
        )
    rungs = [Rung(trials, smallest)]
    while rungs[-1].resource * eta <= largest and rungs[-1].trials // eta >= 1:
        rungs.append(Rung(rungs[-1].trials // eta, rungs[-1].resource * eta))
    return tuple(rungs)


def bracket_cost(rungs: tuple[Rung, ...]) -> int:
    """Resource spent by a bracket whose trials resume from their checkpoints at the next rung."""
    before = 0
    spent = 0
    for rung in rungs:
        spent += rung.trials * (rung.resource - before)
        before = rung.resource
    return spent


def hyperband(largest: int, eta: int = 3) -> tuple[tuple[Rung, ...], ...]:
    """All brackets for a maximum resource, from many short trials to a few full ones (Li et al. 2018,
    "Hyperband", JMLR 18(185), algorithm 1; smallest resource 1)."""
    if largest < 1 or eta < 2:
        raise BadArgument("needs largest >= 1 and eta >= 2", hint="resource in epochs or steps")
    top = 0
    while eta ** (top + 1) <= largest:
        top += 1
    return tuple(_bracket(largest, eta, depth, top) for depth in range(top, -1, -1))


def _bracket(largest: int, eta: int, depth: int, top: int) -> tuple[Rung, ...]:
    trials = -(-(top + 1) * eta**depth // (depth + 1))
    return tuple(Rung(trials // eta**i, round(largest / eta ** (depth - i))) for i in range(depth + 1))
