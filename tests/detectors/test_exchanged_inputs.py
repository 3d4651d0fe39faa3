"""preprocess_mismatch: evaluation inputs that are training inputs in another order."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Trace
from lossdoctor.traces.exchanged import exchange

from .build import eval_row, expect, loss_row, make_trace, run, steps_of
from .sampled import points, rows, scored

FAULT = "preprocess_mismatch"
Point = list[float]
Channels = list[list[Point]]  # channels of rows


def trace(
    make: Callable[[Point], Point],
    change: Callable[[Point], Point],
    shape: list[int] | None = None,
    hits: float = 0.3,
) -> Trace:
    """A fitted run whose inputs are made of points of four classes; those of evaluation are changed."""
    (known, labels), (other, truth) = points(200, 1), points(200, 2)
    answers = [y if k < hits * 200 else (y + 1) % 4 for k, y in enumerate(truth)]
    sides = [
        *rows([make(p) for p in known], labels),
        *rows([change(make(p)) for p in other], truth, grad=False),
    ]
    shaped = [{**r, "shape": shape} if shape and r["k"] == "sample" else r for r in sides]
    steps = steps_of([2.0, 1.0] + [0.1] * 60, accuracy=0.97)
    return make_trace(
        steps=steps, rows=[eval_row(), loss_row(), *shaped, scored(truth, answers, [1.0] * 200)]
    )


def columns(p: Point) -> Point:
    """A table whose columns have a place and a scale of their own."""
    return [10.0 * k + (k + 1) * v for k, v in enumerate(p)]


def picture(p: Point, size: int = 4) -> Point:
    """Three channels with a level of their own, brighter to the right and more so to the bottom."""
    draw = random.Random(repr(p))
    level, number = (0.0, 6.0, 18.0), range(size)
    return [
        level[c] + 8.0 * r + 2.0 * k + draw.gauss(0, 0.2) + p[c]
        for c in range(3)
        for r in number
        for k in number
    ]


def turned(change: Callable[[Channels], Channels], size: int = 4) -> Callable[[Point], Point]:
    def whole(p: Point) -> Point:
        lines = [p[k : k + size] for k in range(0, len(p), size)]
        channels = [lines[k : k + size] for k in range(0, len(lines), size)]
        return [v for channel in change(channels) for row in channel for v in row]

    return whole


def test_columns_that_are_exchanged_are_put_back_by_their_order() -> None:
    swapped = trace(columns, lambda p: [p[0], p[4], p[2], p[3], p[1], p[5]])
    finding = expect(FAULT, swapped)
    assert finding.confidence == 0.9
    assert "columns 1, 4" in finding.why
    assert finding.evidence[0].value > finding.evidence[1].value + 0.3  # type: ignore[operator]
    assert interventions(FAULT, swapped) == ({"name": "reorder_evaluation", "order": [0, 4, 2, 3, 1, 5]},)


def test_the_order_names_the_training_column_that_each_one_holds() -> None:
    (change,) = interventions(FAULT, trace(columns, lambda p: [p[2], p[0], p[1], *p[3:]]))
    assert change["order"] == [2, 0, 1, 3, 4, 5]


def test_columns_in_the_same_order_are_not_exchanged() -> None:
    same = trace(columns, lambda p: p)
    assert exchange(same) is None
    assert run(FAULT, same) is None
    assert interventions(FAULT, same) == ({"name": "align_evaluation"},)


def test_columns_of_another_scale_are_not_exchanged() -> None:
    scaled = trace(columns, lambda p: [16 * v for v in p])
    assert exchange(scaled) is None
    assert "another order" not in expect(FAULT, scaled).why


def test_an_exchange_that_does_no_harm_is_silent() -> None:
    assert run(FAULT, trace(columns, lambda p: [p[0], p[4], p[2], p[3], p[1], p[5]], hits=0.97)) is None


def test_colour_channels_in_another_order_are_found_with_that_order() -> None:
    for order in ([2, 1, 0], [2, 0, 1]):
        change = turned(lambda i, order=order: [i[k] for k in order])
        swapped = trace(picture, change, [3, 4, 4])
        assert "colour channels" in expect(FAULT, swapped).why
        assert interventions(FAULT, swapped) == ({"name": "reorder_evaluation", "order": order},)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda i: [c[::-1] for c in i], "upside down"),
        (lambda i: [[r[::-1] for r in c] for c in i], "mirrored"),
        (lambda i: [[r[::-1] for r in c[::-1]] for c in i], "180 degrees"),
        (lambda i: [[list(r) for r in zip(*c, strict=True)] for c in i], "rows and columns"),
        (lambda i: [[list(r) for r in zip(*c, strict=True)][::-1] for c in i], "turned to the left"),
        (lambda i: [[list(r) for r in zip(*c[::-1], strict=True)] for c in i], "turned to the right"),
    ],
)
def test_turned_images_are_found_and_have_no_order_to_test(
    change: Callable[[Channels], Channels], told: str
) -> None:
    swapped = trace(picture, turned(change), [3, 4, 4])
    assert told in expect(FAULT, swapped).why
    assert interventions(FAULT, swapped) == ()


def test_images_that_the_recorder_made_smaller_are_turned_too() -> None:
    upside_down = turned(lambda i: [c[::-1] for c in i], 6)
    swapped = trace(lambda p: picture(p, 6), upside_down, [3, 32, 32])
    assert "upside down" in expect(FAULT, swapped).why


def coloured(seed: int, order: tuple[int, ...] = (0, 1, 2)) -> tuple[list[Point], list[int]]:
    """Images of six classes, each of one colour; every order of channels makes them colours of other classes."""
    draw = random.Random(seed)
    hues = [
        (9.0, 5.0, 1.0),
        (9.0, 1.0, 5.0),
        (5.0, 9.0, 1.0),
        (1.0, 9.0, 5.0),
        (5.0, 1.0, 9.0),
        (1.0, 5.0, 9.0),
    ]
    labels = [draw.randrange(6) for _ in range(150)]
    return [[hues[y][c] + draw.gauss(0, 0.5) for c in order for _ in range(16)] for y in labels], labels


def hued(order: tuple[int, ...]) -> Trace:
    known, labels = coloured(1)
    other, truth = coloured(2, order)
    sides = [*rows(known, labels), *rows(other, truth, grad=False)]
    shaped = [{**r, "shape": [3, 4, 4]} if r["k"] == "sample" else r for r in sides]
    steps = steps_of([2.0, 1.0] + [0.1] * 60, accuracy=0.97)
    answers = scored(truth, [(y + 1) % 6 for y in truth], [1.0] * 150)
    return make_trace(steps=steps, rows=[eval_row(), loss_row(), *shaped, answers])


def test_colours_that_look_like_those_of_other_classes_are_told_by_the_labels() -> None:
    trace = hued((2, 1, 0))
    finding = expect(FAULT, trace)
    assert "lift" in finding.evidence[0].quantity
    assert interventions(FAULT, trace) == ({"name": "reorder_evaluation", "order": [2, 1, 0]},)
    assert run("label_encoding_wrong", trace) is None, "the classes are those of training"
    assert exchange(hued((0, 1, 2))) is None


def test_images_that_are_the_right_way_up_are_silent() -> None:
    same = trace(picture, lambda p: p, [3, 4, 4])
    assert exchange(same) is None
    assert run(FAULT, same) is None


def test_images_of_another_brightness_are_not_turned() -> None:
    assert exchange(trace(picture, lambda p: [v + 40.0 for v in p], [3, 4, 4])) is None


def test_few_samples_or_inputs_of_several_shapes_say_nothing() -> None:
    swapped = trace(columns, lambda p: [p[0], p[4], p[2], p[3], p[1], p[5]])
    sampled = swapped.of("sample")
    few = [r for r in sampled if r["grad"]] + [r for r in sampled if not r["grad"]][:1]
    mixed = [{**r, "shape": [6] if r["grad"] else [2, 3]} for r in sampled]
    assert exchange(make_trace(rows=sampled)) is not None
    assert exchange(make_trace(rows=few)) is None
    assert exchange(make_trace(rows=mixed)) is None
