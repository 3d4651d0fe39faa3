"""Whether a printed score ends higher with a change than without. Pure functions of two series."""

from __future__ import annotations

from itertools import pairwise

RELATIVE = 0.2  # least gain, of the larger end
MISSING = 0.1  # least gain of a share, of what it lacked to one
LATE = 4  # printed values whose jumps are noise


def gained(was: list[float], now: list[float]) -> tuple[float, float] | None:
    """The ends of two printed series, if the second rises (or is high from the beginning, above all of the first, and
    ends nearer to its own best than to that) and ends above the first beyond the last jumps of both; one that only
    falls more slowly is no cure.
    """
    jumps = [abs(b - a) for values in (was[-LATE:], now[-LATE:]) for a, b in pairwise(values)]
    if len(was) < 2 or len(now) < 2:
        return None
    least = max(RELATIVE * max(abs(was[-1]), abs(now[-1])), _of_a_share(was, now))
    clear, ever = now[-1] - was[-1] > max(least, *jumps), max(was)
    stays = min(now) > ever and now[-1] - ever > max(now) - now[-1]
    return (was[-1], now[-1]) if clear and (now[-1] > now[0] or stays) else None


def _of_a_share(was: list[float], now: list[float]) -> float:
    """Of scores between 0 and 1: a tenth of what was missing, or as much again where that is less; else 0."""
    if not all(0 <= v <= 1 for v in (*was, *now)):
        return 0.0
    return min(was[-1], MISSING * (1 - was[-1]))
