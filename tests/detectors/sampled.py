"""Recorded samples made by hand: classes that lie apart, so that near inputs have the same label."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

Row = dict[str, Any]
CLASSES = 4
FEATURES = 6


def points(count: int, seed: int = 0, spread: float = 0.3) -> tuple[list[list[float]], list[int]]:
    """``count`` inputs around the centres of four classes, in random order, with their true labels."""
    draw = random.Random(seed)
    labels = [draw.randrange(CLASSES) for _ in range(count)]
    inputs = [[2.0 * (f == y) + draw.gauss(0, spread) for f in range(FEATURES)] for y in labels]
    return inputs, labels


def rows(
    inputs: Sequence[Sequence[float]],
    labels: Sequence[Any],
    *,
    grad: bool = True,
    loader: int | None = None,
    epoch: int = 1,
    predictions: Sequence[Any] | None = None,
    size: int = 20,
    start: int = 1,
) -> list[Row]:
    """``sample`` and ``ids`` rows of batches of ``size``; loader 0 trains and loader 1 evaluates."""
    number = (0 if grad else 1) if loader is None else loader
    found: list[Row] = []
    for k in range(0, len(inputs), size):
        common = {"i": start + k // size, "grad": grad, "loader": number, "epoch": epoch}
        x, y = [list(p) for p in inputs[k : k + size]], list(labels[k : k + size])
        more = {} if predictions is None else {"p": list(predictions[k : k + size]), "m": [1.0] * len(x)}
        found.append({"k": "sample", **common, "shape": [len(x[0])], "int": False, "x": x, "y": y, **more})
        found.append(
            {"k": "ids", **common, "h": [sum((n + 1) * v for n, v in enumerate(p)) for p in x], "y": y}
        )
    return found


def both_sides(
    train: Callable[[list[int]], Sequence[int]] = list,
    evaluation: Callable[[list[int]], Sequence[int]] = list,
    count: int = 200,
    spread: float = 0.3,
) -> list[Row]:
    """Training and evaluation samples of the same four classes, the labels changed as given."""
    inputs, labels = points(count, 1, spread)
    others, truth = points(count, 2, spread)
    return [*rows(inputs, train(labels)), *rows(others, evaluation(truth), grad=False)]


def wrong(share: float, seed: int = 3) -> Callable[[list[int]], list[int]]:
    """Give this share of the labels another class."""
    draw = random.Random(seed)
    return lambda labels: [
        (y + draw.randrange(1, CLASSES)) % CLASSES if draw.random() < share else y for y in labels
    ]


def moved(labels: list[int]) -> list[int]:
    """Every input gets its neighbour's label."""
    return [*labels[1:], labels[0]]


def scored(labels: Sequence[int], answers: Sequence[int], margins: Sequence[float]) -> Row:
    """The last evaluation: labels, predicted classes and margins."""
    return {"k": "scored", "i": 100, "grad": False, "loader": 1, "epoch": 1, "y": list(labels),
            "p": list(answers), "m": list(margins)}  # fmt: skip
