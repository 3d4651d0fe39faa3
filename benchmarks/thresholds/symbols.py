"""How unlike the shares of symbols are in two halves of one text, and under other numbers.

Sets UNLIKE and ALIKE of traces/symbols.py. Texts are the documentation strings of Python modules, in windows of 32
characters and of 32 words, as a model would be shown them: ``python benchmarks/thresholds/symbols.py``.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
from collections import Counter

from lossdoctor.traces.symbols import variation

WINDOW, WINDOWS, BINS = 32, 320, 128


def shares(symbols: list[int]) -> list[float]:
    """Share of each of 128 bins, as the recorder counts tokens."""
    counts = Counter(s % BINS for s in symbols)
    return [counts[k] / len(symbols) for k in range(BINS)]


def main() -> None:
    print(f"{'text':12}{'symbols':10}{'halves':>8}{'in order':>10}{'renamed':>9}{'in order':>10}")
    for module in (argparse, json, random, statistics, subprocess):
        text = " ".join(str(getattr(v, "__doc__", "")) for v in vars(module).values())
        for kind, parts in (("characters", list(text)), ("words", text.split())):
            names = {s: k for k, s in enumerate(sorted(set(parts)))}
            numbers = [names[s] for s in parts]
            draw = random.Random(0)
            starts = [draw.randrange(0, max(1, len(numbers) - WINDOW)) for _ in range(2 * WINDOWS)]
            sides = [[n for s in starts[k::2] for n in numbers[s : s + WINDOW]] for k in (0, 1)]
            order = list(range(len(names)))
            draw.shuffle(order)
            first, second = (shares(side) for side in sides)
            other = shares([order[n] for n in sides[1]])
            ordered = [variation(sorted(first), sorted(side)) for side in (second, other)]
            found = (variation(first, second), ordered[0], variation(first, other), ordered[1])
            print(
                f"{module.__name__:12}{kind:10}"
                + "".join(f"{v:{w}.3f}" for v, w in zip(found, (8, 10, 9, 10), strict=True))
            )


if __name__ == "__main__":
    main()
