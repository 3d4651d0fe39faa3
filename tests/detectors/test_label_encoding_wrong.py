"""label_encoding_wrong: the numbers that the loss gets are not the classes that were meant."""

from __future__ import annotations

import pytest

from lossdoctor.detectors.base import Missing

from .build import expect, loss_row, make_trace, run
from .sampled import both_sides, moved, points, rows


def targets(**more: object) -> dict[str, object]:
    return loss_row()["target"] | more


def test_another_numbering_in_evaluation_is_found() -> None:
    both = both_sides(evaluation=lambda labels: [(y + 1) % 4 for y in labels])
    finding = expect("label_encoding_wrong", make_trace(rows=[loss_row(), *both]))
    assert "1 -> 0" in finding.why


@pytest.mark.parametrize(("low", "high"), [(-1.0, 1.0), (1.0, 2.0), (0.0, 255.0)])
def test_binary_targets_outside_of_their_range_are_found(low: float, high: float) -> None:
    row = loss_row(
        fn="binary_cross_entropy_with_logits", target={"shape": [32], "min": low, "max": high, "mean": 0.5}
    )
    expect("label_encoding_wrong", make_trace(rows=[row]))


def test_smoothed_binary_targets_are_fine() -> None:
    row = loss_row(fn="binary_cross_entropy", target={"shape": [32], "min": 0.05, "max": 0.95, "mean": 0.5})
    assert run("label_encoding_wrong", make_trace(rows=[row])) is None


def test_one_label_for_everything_is_found() -> None:
    inputs, _ = points(100, 1)
    only = loss_row(target=targets(hist={"0": 32}))
    finding = expect("label_encoding_wrong", make_trace(rows=[only, *rows(inputs, [0] * 100)]))
    assert "Every training label is 0" in finding.why


def test_classes_that_only_evaluation_has_are_found() -> None:
    both = both_sides(train=lambda labels: [min(y, 1) for y in labels])
    assert "[2, 3]" in expect("label_encoding_wrong", make_trace(rows=[loss_row(), *both])).why


def test_unused_outputs_with_even_classes_are_silent() -> None:
    wide = loss_row(**{"in": loss_row()["in"] | {"shape": [32, 8]}})
    assert run("label_encoding_wrong", make_trace(rows=[wide, *both_sides()])) is None


def test_misplaced_labels_are_not_another_numbering() -> None:
    assert run("label_encoding_wrong", make_trace(rows=[loss_row(), *both_sides(moved)])) is None


def test_without_a_loss_function_nothing_is_checked() -> None:
    assert isinstance(run("label_encoding_wrong", make_trace()), Missing)
