"""How often categories are told to stand under other codes, where they do and where they do not.

Sets RELATED, LOST, FOUND and PER_LEVEL of traces/recoded.py. One column of so many levels explains a share of the
label; evaluation has the same codes, codes of its own levels in order (some levels do not occur in it), the codes in
another order, or the same codes with effects drawn anew (another population):
``python benchmarks/thresholds/recoded.py``.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from lossdoctor.model import Trace
from lossdoctor.traces.recoded import recoded

TRAIN, TRIES = 1200, 40
Draw = random.Random
Codes = Callable[
    [Draw, int], tuple[list[int], list[int]]
]  # levels that occur in evaluation, and their codes there


def same(draw: Draw, levels: int) -> tuple[list[int], list[int]]:
    return list(range(levels)), list(range(levels))


def per_file(draw: Draw, levels: int) -> tuple[list[int], list[int]]:
    kept = sorted(draw.sample(range(levels), levels - max(1, levels // 5)))
    return kept, list(range(len(kept)))


def in_another_order(draw: Draw, levels: int) -> tuple[list[int], list[int]]:
    return list(range(levels)), draw.sample(range(levels), levels)


def rows(
    draw: Draw, effects: list[float], kept: list[int], codes: list[int], n: int, share: float
) -> list[list[float]]:
    """Pairs of a code and a label of which the level explains this share."""
    found = []
    for _ in range(n):
        k = draw.randrange(len(kept))
        found.append([float(codes[k]), effects[kept[k]] * share**0.5 + draw.gauss(0, (1 - share) ** 0.5)])
    return found


def trace(sides: list[list[list[float]]]) -> Trace:
    data = [
        {"k": "sample", "i": 1, "grad": not k, "loader": None, "epoch": 1, "shape": [1], "int": False,
         "x": [[code] for code, _ in side], "y": [[label] for _, label in side]}
        for k, side in enumerate(sides)
    ]  # fmt: skip
    return Trace(rows={"sample": tuple(data)})


def told(world: Codes, levels: int, share: float, n: int, seed: int, anew: bool) -> bool:
    draw = random.Random(seed)
    effects = [[draw.gauss(0, 1) for _ in range(levels)] for _ in range(2)]
    kept, codes = world(draw, levels)
    plain = list(range(levels))
    train = rows(draw, effects[0], plain, plain, TRAIN, share)
    return bool(recoded(trace([train, rows(draw, effects[int(anew)], kept, codes, n, share)])))


def main() -> None:
    print(f"{'levels':>6}{'share':>7}{'samples':>9}{'same':>7}{'per file':>10}{'order':>7}{'anew':>6}")
    for levels in (4, 8, 16, 32):
        for share in (0.05, 0.2, 0.5):
            for n in (150, 300, 1000):
                rates = [
                    sum(told(world, levels, share, n, seed, anew) for seed in range(TRIES)) / TRIES
                    for world, anew in (
                        (same, False),
                        (per_file, False),
                        (in_another_order, False),
                        (same, True),
                    )
                ]
                print(
                    f"{levels:6}{share:7}{n:9}"
                    + "".join(f"{r:{w}.2f}" for r, w in zip(rates, (7, 10, 7, 6), strict=True))
                )


if __name__ == "__main__":
    main()
