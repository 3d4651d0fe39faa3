"""label_noise: near inputs disagree in training and agree in evaluation."""

from __future__ import annotations

from lossdoctor.detectors.base import Missing

from .build import batch_row, expect, make_trace, run
from .sampled import both_sides, points, rows, scored, wrong


def test_labels_that_disagree_only_in_training_are_noise() -> None:
    finding = expect("label_noise", make_trace(rows=[batch_row(), *both_sides(wrong(0.35))]))
    assert finding.evidence[0].value < 0.75  # type: ignore[operator]


def test_data_that_are_hard_on_both_sides_are_not_noise() -> None:
    assert run("label_noise", make_trace(rows=[batch_row(), *both_sides(spread=1.2)])) is None


def test_clean_labels_are_silent() -> None:
    assert run("label_noise", make_trace(rows=[batch_row(), *both_sides()])) is None


def test_augmented_inputs_prove_nothing() -> None:
    inputs, labels = points(200, 1)
    second = rows([[v + 1e-3 for v in p] for p in inputs], labels, epoch=2)
    trace = make_trace(rows=[batch_row(), *both_sides(wrong(0.35)), *second])
    assert run("label_noise", trace) is None


def test_one_input_with_two_labels_is_a_conflict() -> None:
    inputs, labels = points(100, 1)
    again = rows(inputs, wrong(0.3)(labels), epoch=2)
    finding = expect("label_noise", make_trace(rows=[batch_row(), *rows(inputs, labels), *again]))
    assert "more than once" in finding.why


def test_errors_as_sure_as_right_answers_are_wrong_labels() -> None:
    truth = [k % 2 for k in range(300)]
    labels = [1 - y if k % 5 == 0 else y for k, y in enumerate(truth)]
    sure = [float(k % 7) for k in range(300)]
    expect("label_noise", make_trace(rows=[batch_row(), scored(labels, truth, sure)]))


def test_hesitant_errors_are_hard_samples() -> None:
    truth = [k % 2 for k in range(300)]
    labels = [1 - y if k % 5 == 0 else y for k, y in enumerate(truth)]
    hesitant = [0.1 if k % 5 == 0 else 1.0 + k % 7 for k in range(300)]
    assert run("label_noise", make_trace(rows=[batch_row(), scored(labels, truth, hesitant)])) is None


def test_without_batches_nothing_is_checked() -> None:
    assert isinstance(run("label_noise", make_trace()), Missing)
