"""label_encoding_wrong: the numbers that the loss gets are not the classes that were meant."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from lossdoctor.detectors.base import Missing
from lossdoctor.model import Finding, Trace

from .build import eval_row, expect, loss_row, make_trace, print_row, run
from .sampled import Row, both_sides, moved, points, rows, scored


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


def test_classes_that_training_hardly_has_are_not_taken_for_renamed_ones() -> None:
    """Held-out samples of theirs have no neighbours but those of other classes."""
    draw = random.Random(0)

    def around(counts: dict[int, int]) -> tuple[list[list[float]], list[int]]:
        labels = [y for y, n in counts.items() for _ in range(n)]
        draw.shuffle(labels)
        centre = {0: 0.0, 1: 1.0, 2: 5.0}  # the rare class lies beside a common one
        return [[centre[y] + draw.gauss(0, 0.15), draw.gauss(0, 0.15)] for y in labels], labels

    training, held_out = (
        rows(*around({0: 140, 1: 1, 2: 60})),
        rows(*around({0: 70, 1: 70, 2: 60}), grad=False),
    )
    seen = make_trace(rows=[loss_row(), *training, *held_out])
    assert not isinstance(run("label_encoding_wrong", seen), Finding)
    renamed = rows(*around({0: 140, 2: 60}), grad=False)
    other = [r | {"y": [{0: 1, 2: 2}[y] for y in r["y"]]} for r in renamed]
    assert isinstance(run("label_encoding_wrong", make_trace(rows=[loss_row(), *training, *other])), Finding)


def test_rare_classes_of_a_long_tail_that_only_evaluation_has_are_natural() -> None:
    """Characters of a text: a few are common, some of the rare ones occur in one part of it only."""
    wide = loss_row(**{"in": loss_row()["in"] | {"shape": [32, 20]}})

    def tail(rare: list[int], each: int) -> list[Row]:
        labels = [k for k in range(14) for _ in range(240 // (1 + k))] + rare * each
        return rows([[float(k), 0.0] for k in range(len(labels))], labels, grad=not rare)

    seen = make_trace(rows=[wide, *tail([], 0), *tail([17], 2)])
    assert not isinstance(run("label_encoding_wrong", seen), Finding)
    assert (
        "[17]" in expect("label_encoding_wrong", make_trace(rows=[wide, *tail([], 0), *tail([17], 40)])).why
    )


def test_unused_outputs_with_even_classes_are_silent() -> None:
    wide = loss_row(**{"in": loss_row()["in"] | {"shape": [32, 8]}})
    assert run("label_encoding_wrong", make_trace(rows=[wide, *both_sides()])) is None


def test_misplaced_labels_are_not_another_numbering() -> None:
    assert run("label_encoding_wrong", make_trace(rows=[loss_row(), *both_sides(moved)])) is None


def test_without_a_loss_function_nothing_is_checked() -> None:
    assert isinstance(run("label_encoding_wrong", make_trace()), Missing)


def asked(accuracy: float, labels: list[int] | None = None) -> list[Row]:
    """Held-out answers that near training samples confirm, and the accuracy that is printed for them."""
    other, truth = points(200, 2)
    answers = [r | {"i": 100, "y": None} for r in rows(other, truth, grad=False, predictions=truth)]
    known = [] if labels is None else [scored(labels, truth, [1.0] * 200)]
    return [
        loss_row(), *rows(*points(200, 1)), *answers, *known, print_row(100, val_accuracy=accuracy)
    ]  # fmt: skip


def test_an_accuracy_at_chance_for_answers_that_training_confirms_is_found() -> None:
    assert "at chance" in expect("label_encoding_wrong", make_trace(rows=asked(0.25))).why


def test_a_good_accuracy_for_answers_that_training_confirms_is_healthy() -> None:
    assert run("label_encoding_wrong", make_trace(rows=asked(0.9))) is None


def test_classes_whose_labels_are_as_the_model_says_are_not_wrongly_encoded() -> None:
    _, truth = points(200, 2)
    assert run("label_encoding_wrong", make_trace(rows=asked(0.25, truth))) is None
    renamed = [(y + 1) % 4 for y in truth]
    assert "at chance" in expect("label_encoding_wrong", make_trace(rows=asked(0.25, renamed))).why


def test_where_one_class_rules_agreement_with_neighbours_says_nothing() -> None:
    lopsided = loss_row(target=targets(hist={"0": 26, "1": 2, "2": 2, "3": 2}))
    assert run("label_encoding_wrong", make_trace(rows=[lopsided, *asked(0.8)[1:]])) is None


def test_the_first_of_the_scores_is_the_positive_by_construction() -> None:
    inputs, _ = points(100, 1)
    only = loss_row(target=targets(hist={"0": 32}), maker=["Div", "Cat"])
    assert run("label_encoding_wrong", make_trace(rows=[only, *rows(inputs, [0] * 100)])) is None


def test_phases_with_classes_of_their_own_have_no_absent_ones() -> None:
    labels = [k % 4 for k in range(200)]
    sides = [
        *rows(points(200, 1)[0], labels),
        *rows(points(200, 2)[0], [k % 6 for k in range(200)], grad=False),
    ]
    heads = [loss_row(**{"in": {"shape": [20, n], "dtype": "float32"}}) for n in (6, 4)]
    assert run("label_encoding_wrong", make_trace(rows=[heads[0], *heads, *sides])) is None
    expect("label_encoding_wrong", make_trace(rows=[heads[0], *sides]))


def two_classes(share: float, told: float, seed: int) -> tuple[list[list[float]], list[int]]:
    """Two clusters; of the second, ``share`` of all, only so many are told to be of it."""
    inputs, classes = points(400, seed)
    chosen = [(p, int(y == 1)) for p, y in zip(inputs, classes, strict=True) if y < 2]
    ones, zeros = [p for p, y in chosen if y], [p for p, y in chosen if not y]
    ones = ones[: round(share / (1 - share) * len(zeros))]
    labels = [int(k < told * len(ones)) for k in range(len(ones))] + [0] * len(zeros)
    mixed = list(zip(ones + zeros, labels, strict=True))
    random.Random(seed).shuffle(mixed)
    return [p for p, _ in mixed], [y for _, y in mixed]


def test_a_class_whose_inputs_are_there_but_not_its_labels_is_wrongly_encoded() -> None:
    held_out = rows(*two_classes(0.5, 1.0, 2), grad=False)
    finding = expect(
        "label_encoding_wrong", make_trace(rows=[loss_row(), *rows(*two_classes(0.5, 0.2, 1)), *held_out])
    )
    assert "of class 1, but only 10 % are labelled so" in finding.why


def test_a_class_that_is_rarer_in_training_is_not_wrongly_encoded() -> None:
    held_out = rows(*two_classes(0.5, 1.0, 2), grad=False)
    rare = make_trace(rows=[loss_row(), *rows(*two_classes(0.1, 1.0, 1)), *held_out])
    assert run("label_encoding_wrong", rare) is None


def test_classes_are_absent_only_if_the_labels_of_all_batches_are_known() -> None:
    both = both_sides(train=lambda labels: [min(y, 1) for y in labels])
    later = [r | {"i": 900, "y": None} for r in both if r["k"] == "ids" and r["grad"]][:1]
    assert run("label_encoding_wrong", make_trace(rows=[loss_row(), *both, *later])) is None


def masks(train: dict[str, int], held: dict[str, int]) -> Trace:
    called = loss_row(target={"shape": [16, 32, 32], "hist": train})
    called["in"] = called["in"] | {"shape": [16, 4, 32, 32]}
    return make_trace(rows=[called, eval_row(10, classes=held)])


def test_a_class_of_masks_that_only_evaluation_has_is_found() -> None:
    held = {"0": 900, "1": 800, "2": 700, "3": 600}
    lost = masks({"0": 4000, "1": 8000, "2": 3500}, held)
    assert "Class 3" in expect("label_encoding_wrong", lost).why
    assert run("label_encoding_wrong", masks({"0": 4000, "1": 8000, "2": 3500, "3": 30}, held)) is None
    rare = {**held, "3": 20}
    assert run("label_encoding_wrong", masks({"0": 4000, "1": 8000, "2": 3500}, rare)) is None
    ignored = {"0": 900, "1": 800, "2": 700, "255": 600}
    assert run("label_encoding_wrong", masks({"0": 4000, "1": 8000, "2": 3500}, ignored)) is None


@pytest.mark.parametrize(("by_batch", "found"), [(True, True), (False, False)])
def test_classes_that_every_batch_numbers_by_itself_are_found(by_batch: bool, found: bool) -> None:
    rng = random.Random(1)
    data: list[Row] = []
    for k in range(30):
        drawn = rng.sample(range(200), 16)  # input h is of class h % 20
        classes = sorted({h % 20 for h in drawn})
        labels = [classes.index(h % 20) if by_batch else h % 20 for h in drawn]
        data.append({"k": "ids", "i": k, "grad": True, "loader": 0, "epoch": k, "h": drawn, "y": labels})
    result = run("label_encoding_wrong", make_trace(rows=[loss_row(), *data]))
    assert (isinstance(result, Finding) and "numbers its own classes" in result.why) == found


def test_a_class_that_others_are_counted_as_is_found_and_one_that_is_merely_common_is_not() -> None:
    def thrown_together(labels: list[int]) -> list[int]:
        return [0 if k % 5 < 3 else y for k, y in enumerate(labels)]

    finding = expect("label_encoding_wrong", make_trace(rows=[loss_row(), *both_sides(thrown_together)]))
    assert "of class 0, but" in finding.why
    inputs, labels = points(600, 1)
    kept = [k for k, y in enumerate(labels) if y == 0 or k % 4 == 0]
    common = rows([inputs[k] for k in kept], [labels[k] for k in kept])
    held = rows(*points(200, 2), grad=False)
    assert run("label_encoding_wrong", make_trace(rows=[loss_row(), *common, *held])) is None


def test_classes_under_several_numbers_each_are_told_by_both_the_answers_and_the_inputs() -> None:
    draw = random.Random(7)

    def spelt(labels: list[int]) -> list[int]:
        return [3 * y + draw.randrange(3) for y in labels]

    inputs, labels = points(320, 1)
    others, truth = points(320, 2)
    held = spelt(truth)
    data = [loss_row(), *rows(inputs, spelt(labels)), *rows(others, held, grad=False)]
    confused = scored(held, [3 * (y // 3) for y in held], [1.0] * 320)
    finding = expect("label_encoding_wrong", make_trace(rows=[*data, confused]))
    assert "12 classes are 4 under several numbers each" in finding.why
    known = scored(held, held, [1.0] * 320)
    assert run("label_encoding_wrong", make_trace(rows=[*data, known])) is None


def in_parts(change: Callable[[int, int], int]) -> Trace:
    """Training labels changed by (place, class); evaluation as it is."""
    inputs, labels = points(240, 1)
    held, truth = points(120, 2)
    changed = [change(k, y) for k, y in enumerate(labels)]
    return make_trace(rows=[eval_row(), loss_row(), *rows(inputs, changed), *rows(held, truth, grad=False)])


def test_parts_that_number_the_classes_they_have_put_labels_on_one_side() -> None:
    """Half of the training set lacks class 0 (or 1): all classes behind it move up."""
    moved = in_parts(lambda k, y: y - 1 if k % 2 and y > 0 else y)
    assert "lower than" in expect("label_encoding_wrong", moved).why
    draw = random.Random(1)
    assert run("label_encoding_wrong", in_parts(lambda k, y: draw.randrange(4) if k % 2 else y)) is None, (
        "noise"
    )
    unlabelled = run("label_encoding_wrong", in_parts(lambda k, y: 0 if k % 2 else y))
    assert "lower than" not in str(unlabelled), "one class stands for what has no label"
    assert run("label_encoding_wrong", in_parts(lambda k, y: y)) is None


def test_sorted_evaluation_samples_of_which_one_class_is_kept_tell_nothing() -> None:
    inputs, labels = points(300, 1)
    others, truth = points(400, 2)
    first = [x for x, y in zip(others, truth, strict=True) if y == 0]
    sides = [*rows(inputs, labels), *rows(first, [0] * len(first), grad=False)]
    assert run("label_encoding_wrong", make_trace(rows=[loss_row(), *sides])) is None
