"""preprocess_mismatch: evaluation inputs that are training inputs in another order."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
import torch

from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Trace
from lossdoctor.traces.exchanged import BINS, STEP, exchange, feeds_itself, other_colours

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


def test_light_for_dark_is_found_and_its_middle_is_told() -> None:
    swapped = trace(picture, lambda p: [7.0 - v for v in p], [3, 4, 4])
    assert "inverted" in expect(FAULT, swapped).why
    (step,) = interventions(FAULT, swapped)
    assert step["around"] == pytest.approx(7.0, abs=0.3)
    lighter = trace(picture, lambda p: [7.0 + v for v in p], [3, 4, 4])
    found = exchange(lighter)
    assert found is None or found.around is None


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


def test_colours_of_another_place_may_be_in_another_order_which_only_the_proof_tells() -> None:
    """Normalised by the numbers of other channels: no order makes them those of training."""
    moved = turned(
        lambda i: [[[v + by for v in row] for row in c] for c, by in zip(i, (-9, 0, 9), strict=True)]
    )
    elsewhere = trace(picture, moved, [3, 4, 4])
    assert exchange(elsewhere) is None
    assert other_colours(elsewhere).order == (2, 1, 0)  # type: ignore[union-attr]
    assert {"name": "reorder_evaluation", "order": [2, 1, 0]} in interventions(FAULT, elsewhere)
    assert other_colours(trace(picture, lambda p: p, [3, 4, 4])) is None
    assert other_colours(trace(columns, lambda p: [16 * v for v in p])) is None


def test_few_samples_or_inputs_of_several_shapes_say_nothing() -> None:
    swapped = trace(columns, lambda p: [p[0], p[4], p[2], p[3], p[1], p[5]])
    sampled = swapped.of("sample")
    few = [r for r in sampled if r["grad"]] + [r for r in sampled if not r["grad"]][:1]
    mixed = [{**r, "shape": [6] if r["grad"] else [2, 3]} for r in sampled]
    assert exchange(make_trace(rows=sampled)) is not None
    assert exchange(make_trace(rows=few)) is None
    assert exchange(make_trace(rows=mixed)) is None


NUMBERS = random.Random(4).sample(
    range(1, BINS), BINS - 1
)  # of the words, in no order of how common they are


def sentences(seed: int, subject: int = 0) -> list[Point]:
    """Counts per bin of 120 sentences of 20 words; half of the words are common ones, the others are the subject's."""
    draw, found = random.Random(seed), []
    for _ in range(120):
        counts = [0.0] * BINS
        counts[0] = draw.randrange(6)
        for _ in range(20):
            common = draw.random() < 0.5
            word = draw.randrange(1, 7) if common else 7 + subject * 55 + min(int(draw.expovariate(0.08)), 54)
            counts[NUMBERS[word] * STEP % BINS] += 1
        found.append(counts)
    return found


def numbered(change: Callable[[Point], Point], subject: int = 0, hits: float = 0.3) -> Trace:
    sides = sentences(1), [change(p) for p in sentences(2, subject)]
    labels = [k % 4 for k in range(120)]
    tokens = [*rows(sides[0], labels), *rows(sides[1], labels, grad=False)]
    read = [{**r, "int": True} if r["k"] == "sample" else r for r in tokens]
    answers = [y if k < hits * 120 else (y + 1) % 4 for k, y in enumerate(labels)]
    steps = steps_of([2.0, 1.0] + [0.1] * 60, accuracy=0.97)
    return make_trace(steps=steps, rows=[eval_row(), loss_row(), *read, scored(labels, answers, [1.0] * 120)])


def higher(by: int) -> Callable[[Point], Point]:
    def change(p: Point) -> Point:
        words = [0.0, *p[1:]]
        return [p[0], *(words[(k - STEP * by) % BINS] for k in range(1, BINS))]

    return change


def shuffled(p: Point) -> Point:
    order = random.Random(5).sample(range(1, BINS), BINS - 1)
    return [p[0], *(p[k] for k in order)]


def test_the_bins_are_those_that_the_recorder_counts_tokens_in() -> None:
    from lossdoctor.recorder.inputs import FEATURES, bins

    assert FEATURES == BINS
    places = bins(torch.arange(300))
    assert ((places[1:] - places[:-1]) % BINS == STEP).all()


@pytest.mark.parametrize("by", [1, -1, 3])
def test_tokens_that_are_numbered_higher_or_lower_are_found_with_that_number(by: int) -> None:
    found = exchange(numbered(higher(by)))
    assert found is not None
    assert found.shift == by
    assert interventions(FAULT, numbered(higher(by))) == ({"name": "reorder_evaluation", "shift": by},)
    assert "numbered" in expect(FAULT, numbered(higher(by))).why


@pytest.mark.parametrize("seed", range(6))
def test_pairs_of_indexes_differ_by_chance_and_are_not_numbered_otherwise(seed: int) -> None:
    """A user and an item per sample, in two samples of one stream: few tokens fill many bins."""
    draw = random.Random(seed)

    def pair(_: Point) -> Point:
        counts = [0.0] * BINS
        for bins in (range(10, 60), range(60, 100)):
            counts[draw.choice(bins)] += 1.0
        return tuple(counts)

    (known, held), labels = ([pair(()) for _ in range(120)] for _ in range(2)), [k % 4 for k in range(120)]
    tokens = [*rows(known, labels), *rows(held, labels, grad=False)]
    read = [{**r, "int": True} if r["k"] == "sample" else r for r in tokens]
    answers = [(y + (k >= 36)) % 4 for k, y in enumerate(labels)]
    poor = [eval_row(), loss_row(), *read, scored(labels, answers, [1.0] * 120)]
    steps = steps_of([2.0, 1.0] + [0.1] * 60, accuracy=0.97)
    assert exchange(make_trace(steps=steps, rows=poor)) is None


def test_another_numbering_counts_where_evaluation_fails() -> None:
    assert "another way" in expect(FAULT, numbered(shuffled)).why
    assert run(FAULT, numbered(shuffled, hits=0.97)) is None


def test_sentences_on_another_subject_are_numbered_alike() -> None:
    assert exchange(numbered(higher(0))) is None
    assert exchange(numbered(higher(0), subject=1)) is None


def test_a_model_that_goes_on_from_its_own_answers_is_not_held_against_the_data() -> None:
    (known, labels), (first, _) = points(200, 1), points(200, 2)
    steps_on = [[[30.0 * v * (1 + 0.1 * n) for v in p] for p in first] for n in range(4)]
    asked = [r | {"loader": None} for x in steps_on for r in rows(x, labels, grad=False, size=200, start=62)]
    unknown = [{k: v for k, v in r.items() if k != "y"} if r["k"] == "sample" else r for r in asked]
    fitted = steps_of([2.0, 1.0] + [0.1] * 60, accuracy=0.97)
    walking = make_trace(steps=fitted, rows=[eval_row(), *rows(known, labels), *unknown])
    assert feeds_itself(walking)
    assert run(FAULT, walking) is None
    apart = [r for r in unknown if r["k"] != "sample"] + [r for r in unknown if r["k"] == "sample"][:1]
    assert not feeds_itself(make_trace(steps=fitted, rows=[eval_row(), *rows(known, labels), *apart]))


def test_inputs_of_another_scale_count_where_no_neighbour_says_anything() -> None:
    draw = random.Random(3)
    labels = [draw.randrange(2) for _ in range(120)]
    noise = [[draw.gauss(0, 1) for _ in range(40)] for _ in labels]
    asked = [[0.2 * draw.gauss(0, 1) + 3 for _ in range(40)] for _ in labels]
    answers = [y if k % 4 else 1 - y for k, y in enumerate(labels)]
    sides = [*rows(noise, labels), *rows(asked, labels, grad=False), scored(labels, answers, [1.0] * 120)]
    steps = steps_of([2.0, 1.0] + [0.1] * 60, accuracy=0.97)
    expect(FAULT, make_trace(steps=steps, rows=[eval_row(), loss_row(), *sides]))
