"""unshuffled_data: batches of one class after the other."""

from __future__ import annotations

from lossdoctor.detectors.base import TENTATIVE, Missing

from .build import expect, loader_row, make_trace, run
from .sampled import points, rows, scored

ORDERED = loader_row(sampler="SequentialSampler")


def in_order() -> tuple[list[list[float]], list[int]]:
    inputs, labels = points(200, 1)
    pairs = sorted(zip(labels, inputs, strict=True))
    return [x for _, x in pairs], [y for y, _ in pairs]


def test_sorted_classes_are_found_at_their_loader() -> None:
    finding = expect("unshuffled_data", make_trace(rows=[ORDERED, *rows(*in_order())]))
    assert finding.confidence > 0.6
    assert finding.where.line == 5


def test_single_samples_in_class_order_are_found() -> None:
    expect("unshuffled_data", make_trace(rows=[ORDERED, *rows(*in_order(), size=1)]))


def test_an_unshuffled_loader_over_mixed_data_is_silent() -> None:
    assert run("unshuffled_data", make_trace(rows=[ORDERED, *rows(*points(200, 1))])) is None


def test_batches_built_of_several_classes_each_are_silent() -> None:
    inputs, _ = points(200, 1)
    blocks = [(k % 20) // 5 for k in range(200)]
    assert run("unshuffled_data", make_trace(rows=[ORDERED, *rows(inputs, blocks)])) is None


def test_an_order_that_does_no_harm_is_only_tested() -> None:
    labels = [k % 4 for k in range(200)]
    good = scored(labels, labels[:190] + [0] * 10, [1.0] * 200)
    finding = expect("unshuffled_data", make_trace(rows=[ORDERED, *rows(*in_order()), good]))
    assert finding.confidence == TENTATIVE


def test_without_steps_nothing_is_checked() -> None:
    assert isinstance(run("unshuffled_data", make_trace(steps=[])), Missing)
