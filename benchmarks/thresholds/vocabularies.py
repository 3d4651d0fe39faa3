"""How alike what words say about labels is on two sides: under one vocabulary, and under one of each side's own.

Sets TELLS, SAME and NAMED_OTHERWISE of traces/vocabularies.py. Texts are drawn from classes that prefer some of the
words (Zipf's shares); each side has its own 500 samples. Vocabularies are in order of frequency, or in the order of
first use; a third kind has one vocabulary and exchanged classes: ``python benchmarks/thresholds/vocabularies.py``.
"""

from __future__ import annotations

import random
from collections import Counter
from statistics import quantiles

from lossdoctor.traces import vocabularies
from lossdoctor.traces.vocabularies import Rows

WORDS, LENGTH, SAMPLES, TRIES = 200, 10, 500, 30
Texts = list[tuple[list[int], int]]


def texts(draw: random.Random, prefers: list[list[float]]) -> Texts:
    """Words and class of each sample."""
    classes = [draw.randrange(len(prefers)) for _ in range(SAMPLES)]
    return [(draw.choices(range(WORDS), prefers[y], k=LENGTH), y) for y in classes]


def numbered(side: Texts, by: Texts, kind: str) -> Rows:
    """Samples under the numbers of the vocabulary that ``by`` makes."""
    counts = Counter(w for words, _ in by for w in words)
    order = [w for w, _ in counts.most_common()] if kind == "frequency" else list(counts)
    number = {w: k for k, w in enumerate(order)}
    return [(frozenset(number.get(w, len(number)) for w in words), y) for words, y in side]


def measured(train: Rows, asked: Rows) -> tuple[float, float]:
    """(within, between) as ``other_vocabulary`` sees them."""
    sides = (
        vocabularies._alike(vocabularies._sayings(s[::2], 0.5), vocabularies._sayings(s[1::2], 0.5)) or 0.0
        for s in (train, asked)
    )
    between = vocabularies._alike(vocabularies._sayings(train), vocabularies._sayings(asked)) or 0.0
    return min(sides), between


def main() -> None:
    print(
        f"{'classes':>8}{'prefer':>8}{'vocabulary':>16}{'within: 10 %, median':>24}{'between/within: 10, 50, 90 %':>32}"
    )
    for classes in (2, 5):
        for strength in (1.0, 2.0, 4.0):
            for kind in ("one", "frequency", "first use", "classes moved"):
                pairs = []
                for k in range(TRIES):
                    draw = random.Random(k)
                    zipf = [1 / (w + 2) for w in range(WORDS)]
                    prefers = [[z * strength ** draw.gauss(0, 1) for z in zipf] for _ in range(classes)]
                    first, second = texts(draw, prefers), texts(draw, prefers)
                    own = kind in ("frequency", "first use")
                    by = "frequency" if kind in ("one", "classes moved") else kind
                    train, asked = numbered(first, first, by), numbered(second, second if own else first, by)
                    if kind == "classes moved":
                        asked = [(s, (y + 1) % classes) for s, y in asked]
                    pairs.append(measured(train, asked))
                within = quantiles([w for w, _ in pairs], n=10)
                ratio = quantiles([b / w if w > 0 else 1.0 for w, b in pairs], n=10)
                print(f"{classes:8}{strength:8.0f}{kind:>16}{within[0]:14.2f}{within[4]:10.2f}"
                      f"{ratio[0]:14.2f}{ratio[4]:9.2f}{ratio[8]:9.2f}")  # fmt: skip


if __name__ == "__main__":
    main()
