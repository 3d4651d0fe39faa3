from __future__ import annotations

import pytest
from tests.detectors.build import make_trace

from lossdoctor.traces.ranks import above, ranked_held_out


def scored(scores: list[float], labels: list[float]) -> dict[str, object]:
    return {"k": "scored", "i": 9, "grad": False, "loader": None, "epoch": 1, "known": 0.0, "y": labels,
            "p": [[s] for s in scores]}  # fmt: skip


def test_ties_count_half() -> None:
    assert above([1.0, 2.0], [0.0, 1.0]) == 0.875
    assert above([1.0], [1.0]) == 0.5


def test_scores_that_order_held_out_samples_are_told_in_standard_errors() -> None:
    labels = [0.0, 1.0] * 20
    inside = ranked_held_out(make_trace(rows=[scored([y + 0.01 * k for k, y in enumerate(labels)], labels)]))
    assert inside == pytest.approx(0.5 / (41 / (12 * 400)) ** 0.5)
    assert ranked_held_out(make_trace(rows=[scored([0.0] * 40, labels)])) == 0


def test_one_class_alone_and_class_scores_have_no_order() -> None:
    assert ranked_held_out(make_trace(rows=[scored([0.1, 0.2], [1.0, 1.0])])) is None
    row = scored([0.1, 0.2], [1.0, 0.0]) | {"p": [1, 0], "m": [0.1, 0.2]}
    assert ranked_held_out(make_trace(rows=[row])) is None
    assert ranked_held_out(make_trace()) is None
