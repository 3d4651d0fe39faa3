"""How well near inputs foretell labels on real data sets: sound, moved by one, noisy; and how mixed their halves are.

Sets NONE, GAP and APART of the label detectors and SORTED of unshuffled_data. Needs scikit-learn:
``python benchmarks/thresholds/data.py``.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from sklearn import datasets

from lossdoctor.traces.data import Sampled, agreement, apart, scales
from lossdoctor.traces.streams import clustering

Labels = list[float]


def noisy(labels: Labels) -> Labels:
    """Four in ten labels drawn anew."""
    draw = random.Random(1)
    return [draw.choice(labels) if draw.random() < 0.4 else y for y in labels]


CHANGES: dict[str, Callable[[Labels], Labels]] = {
    "sound": list,
    "noisy": noisy,
    "moved": lambda labels: labels[1:] + labels[:1],
}


def main() -> None:
    print(f"{'data':14}{'labels':8}{'lift':>7}{'across':>8}{'apart':>7}{'random':>8}{'sorted':>8}")
    for name in ("digits", "wine", "breast_cancer", "iris", "diabetes"):
        bunch = getattr(datasets, f"load_{name}")()
        pairs = [(tuple(map(float, x)), float(y)) for x, y in zip(bunch.data, bunch.target, strict=True)]
        random.Random(0).shuffle(pairs)
        cut = min(320, int(0.7 * len(pairs)))
        train, other = pairs[:cut], pairs[cut : cut + 320]
        for kind, change in CHANGES.items():
            row = measured(train, other, change)
            print(f"{name:14}{kind:8}" + "".join(f"{v:8.2f}" for v in row))


def measured(train: list, other: list, change: Callable[[Labels], Labels]) -> list[float]:  # type: ignore[type-arg]
    """Lift within training, lift of held-out labels by training, two-sample statistic, clustering mixed and sorted."""
    labels = change([y for _, y in train])
    known = Sampled(tuple(x for x, _ in train), tuple(labels))
    asked = Sampled(tuple(x for x, _ in other), tuple(y for _, y in other))
    scale = scales(known.x)
    inner, across = agreement(known, known, scale), agreement(asked, known, scale)
    return [
        inner.lift,
        across.lift,
        apart(known.x, asked.x),
        clustering(labels, 32),
        clustering(sorted(labels), 32),
    ]


if __name__ == "__main__":
    main()
