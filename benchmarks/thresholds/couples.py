"""How far two unrelated inputs of one sample seem to foretell each other, and how often related ones seem not to: what
the least relation of evaluation in label_misalignment (COUPLED) rests on.

    python benchmarks/thresholds/couples.py

Each line: samples per side, features of the second input, share of its variance that the first one makes; the largest
share that is explained where nothing is related; the median that is explained where the sides are alike; and how often
a sound training set would have been called unrelated with limits of 0.1, 0.15 and 0.25. 40 draws each.
"""

from __future__ import annotations

import random
from statistics import median

from lossdoctor.detectors.label_misalignment import SOME
from lossdoctor.model import Trace
from lossdoctor.traces.dense import Foretold, coupled

DRAWS, INPUTS, TOPICS = 40, 8, 6
LIMITS = (0.1, 0.15, 0.25)


def drawn(
    draw: random.Random, count: int, width: int, share: float
) -> tuple[list[list[float]], list[list[float]]]:
    """Pairs that share a topic: ``share`` of the second's variance is the topic's, half of the first's."""
    of_first = [[draw.gauss(0, 1) for _ in range(INPUTS)] for _ in range(TOPICS)]
    of_second = [[draw.gauss(0, 1) for _ in range(width)] for _ in range(TOPICS)]
    a, b = [], []
    for _ in range(count):
        topic = draw.randrange(TOPICS)
        a.append([0.7 * v + 0.7 * draw.gauss(0, 1) for v in of_first[topic]])
        b.append([share**0.5 * v + (1 - share) ** 0.5 * draw.gauss(0, 1) for v in of_second[topic]])
    return a, b


def measured(draw: random.Random, count: int, width: int, share: float, related: bool) -> Foretold:
    a, b = drawn(draw, 2 * count, width, share)
    second = b[:count] if related else draw.sample(b[:count], count)
    rows = (
        {"k": "couple", "i": 1, "grad": True, "a": a[:count], "b": second},
        {"k": "couple", "i": 1, "grad": False, "a": a[count:], "b": b[count:]},
    )
    found = coupled(Trace.model_construct(rows={"couple": rows}))
    assert found is not None
    return found


def main() -> None:
    print("samples  width  share  unrelated  related  0.1  0.15  0.25")
    for count in (64, 128, 256):
        for width in (4, 16, 64):
            for share in (0.3, 0.5, 0.8):
                draw = random.Random(1000 * count + 10 * width + int(10 * share))
                sound = [measured(draw, count, width, share, related=True) for _ in range(DRAWS)]
                mixed = [measured(draw, count, width, share, related=False) for _ in range(DRAWS)]
                called = [
                    sum(f.evaluation > limit and max(f.train, f.across) <= SOME * f.evaluation for f in sound)
                    / DRAWS
                    for limit in LIMITS
                ]
                print(
                    f"{count:7} {width:6} {share:6} {max(f.train for f in mixed):10.3f}"
                    f" {median(f.evaluation for f in sound):8.3f} " + " ".join(f"{c:5.2f}" for c in called)
                )


if __name__ == "__main__":
    main()
