"""traces/shifted: labels of the sample some places before or behind, in part of the data set."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.detectors.build import batch_row, expect, flat, loss_row, make_trace

from lossdoctor.detectors.base import TENTATIVE
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.traces.shifted import shifted

COUNT = 600


def run(labels: list[int], answers: list[int]) -> Any:
    """The last epoch of a loader that draws its samples in random order."""
    order = random.Random(1).sample(range(len(labels)), len(labels))
    rows: list[dict[str, Any]] = [loss_row(), batch_row()]
    for step in range(len(order) // 20):
        at = order[20 * step : 20 * step + 20]
        row = {"i": 70 + step, "grad": True, "loader": 0, "epoch": 2, "at": at, "y": [labels[k] for k in at]}
        rows += [{**row, "k": "ids", "h": at}, {**row, "k": "answered", "p": [answers[k] for k in at]}]
    return make_trace(flat(), rows=rows)


def true(sticky: float = 0.0) -> list[int]:
    draw, found = random.Random(2), [0]
    while len(found) < COUNT:
        found.append(found[-1] if draw.random() < sticky else draw.randrange(6))
    return found


def known(classes: list[int], share: float) -> list[int]:
    """Answers of a model that knows this share of the samples."""
    draw = random.Random(3)
    return [c if draw.random() < share else draw.randrange(6) for c in classes]


@pytest.mark.parametrize("by", [-1, 1, 2])
def test_labels_of_a_part_that_are_moved_are_told_with_their_place(by: int) -> None:
    classes = true()
    labels = [classes[(k - by) % COUNT] if k < 0.6 * COUNT else c for k, c in enumerate(classes)]
    found = shifted(run(labels, known(classes, 0.6)))
    assert found is not None
    assert found.by == by
    assert found.agreed > found.usual + 0.2


def test_labels_in_their_places_noise_and_series_are_no_shift() -> None:
    assert shifted(run(true(), known(true(), 0.6))) is None
    draw = random.Random(4)
    noisy = [draw.randrange(6) if k % 2 else c for k, c in enumerate(true())]
    assert shifted(run(noisy, known(true(), 0.6))) is None
    assert shifted(run(true(0.7), known(true(0.7), 0.6))) is None, "neighbours agree by themselves"
    assert shifted(run(true()[:100], known(true(), 0.6)[:100])) is None, "too few"


def test_a_shift_is_tested_with_labels_put_back() -> None:
    classes = true()
    labels = [classes[k - 1] if k < 0.6 * COUNT else c for k, c in enumerate(classes)]
    trace = run(labels, known(classes, 0.6))
    finding = expect("label_misalignment", trace)
    assert finding.confidence == TENTATIVE
    assert "1 place behind" in finding.why
    assert interventions("label_misalignment", trace) == ({"name": "roll_labels", "by": 1},)
