"""label_noise: near inputs disagree in training and agree in evaluation."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from tests.traces.test_bags import documents as made

from lossdoctor.detectors.base import Missing
from lossdoctor.model import Trace
from lossdoctor.traces.printed import both_accuracies

from .build import (
    batch_row,
    eval_row,
    expect,
    forward_row,
    loss_row,
    make_trace,
    parameter,
    print_row,
    run,
    step,
    tensor_row,
)
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


def test_counts_of_the_same_input_differ_by_nature() -> None:
    inputs, labels = points(100, 1)
    again = rows(inputs, wrong(0.3)(labels), epoch=2)
    for fn in ("poisson_nll_loss", "mse_loss"):
        counts = [batch_row(), loss_row(fn=fn), *rows(inputs, labels), *again]
        assert run("label_noise", make_trace(rows=counts)) is None


def test_a_context_that_goes_on_in_several_ways_is_language() -> None:
    inputs, labels = points(100, 1)
    again = rows(inputs, wrong(0.3)(labels), epoch=2)
    scores = {"shape": [20, 28], "dtype": "float32"}
    symbols = [loss_row(**{"in": scores}), forward_row(**{"in": [tensor_row(dtype="int64", shape=[20, 12])]})]
    tables = [parameter(0, "emb.weight", shape=(28, 8)), parameter(1, "head.weight", shape=(28, 8))]
    seen = [batch_row(), *rows(inputs, labels), *again, *symbols]
    assert run("label_noise", make_trace(rows=seen, parameters=tables)) is None
    expect("label_noise", make_trace(rows=seen, parameters=tables[1:]))


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


def better_held_out(*more: Any, **settings: Any) -> Trace:
    """200 samples seen three times; right in half of the training answers and in 80 % of the held-out ones."""
    inputs, labels = points(200, 1)
    seen = [row for epoch in (1, 2, 3) for row in rows(inputs, labels, epoch=epoch)]
    steps = [step(i, 1.0, accuracy=0.5 + 0.02 * (i % 3)) for i in range(1, 61)]
    part = ["0", "Dropout", settings] if settings else ["0", "Linear", {}]
    model = {"k": "model", "name": "m", "class": "M", "training": True, "used": True, "parts": [part]}
    held = eval_row(i=60, acc=[0.8], n=[100])
    return make_trace(steps=steps, rows=[batch_row(), model, held, *seen, *more])


def test_held_out_answers_far_better_than_those_in_training_mean_wrong_training_labels() -> None:
    assert "in training" in expect("label_noise", better_held_out()).why


@pytest.mark.parametrize(("kinds", "seen"), [(6, True), (1, False), (500, False)])
def test_wrong_tags_of_sequences_show_in_the_same_way(kinds: int, seen: bool) -> None:
    """Several labels to an input: only the loss sees them."""
    trace = better_held_out(loss_row(target={"shape": [208], "hist": {str(c): 4 for c in range(kinds)}}))
    bare = [{k: v for k, v in row.items() if k != "y"} for row in trace.of("ids")]
    without = trace.model_copy(update={"rows": trace.rows | {"ids": tuple(bare)}})
    assert (run("label_noise", without) is not None) is seen


def test_dropout_explains_worse_answers_in_training() -> None:
    assert run("label_noise", better_held_out(p=0.5)) is None


def test_inputs_that_never_come_again_may_be_harder() -> None:
    inputs, labels = points(2000, 5)
    assert run("label_noise", better_held_out(*rows(inputs, labels, epoch=4))) is None


def answered(above: float, i: int = 60) -> dict[str, Any]:
    """120 training answers, half of them right; ``above`` is how much surer right ones are."""
    y = [k % 2 for k in range(120)]
    p = [label if k % 4 < 2 else 1 - label for k, label in enumerate(y)]
    m = [float(k % 7) + (above if a == b else 0.0) for k, (a, b) in enumerate(zip(p, y, strict=True))]
    return {"k": "answered", "i": i, "grad": True, "loader": 0, "epoch": 1, "y": y, "p": p, "m": m}


@pytest.mark.parametrize(("above", "seen"), [(0.0, True), (4.0, False)])
def test_under_augmentation_wrong_labels_are_told_by_errors_as_sure_as_right_answers(
    above: float, seen: bool
) -> None:
    fresh = rows(*points(200, 9))  # each input once
    steps = [step(i, 1.0, accuracy=0.5 + 0.02 * (i % 3)) for i in range(1, 61)]
    held = eval_row(i=60, acc=[0.8], n=[100])
    trace = make_trace(steps=steps, rows=[batch_row(), held, *fresh, answered(above)])
    assert (run("label_noise", trace) is not None) is seen


def test_labels_that_number_the_places_of_an_episode_are_no_conflict() -> None:
    def episodes(turn: int) -> Trace:
        """100 inputs twice, the second time a third of them in a place with another label."""
        inputs, places = points(100, 1)[0], [k % 20 // 5 for k in range(100)]
        again = [p for k in range(0, 100, 20) for p in (*inputs[k + 2 : k + 20], *inputs[k : k + 2])]
        labels = [places[k // 20 * 20 + (k + turn * (k // 20)) % 20] for k in range(100)]
        pairs = dict(zip(map(tuple, inputs), labels, strict=True))
        changed = [pairs[tuple(p)] for p in again] if turn else places
        moved = [(y + 1) % 4 if turn and k % 3 == 0 else y for k, y in enumerate(changed)]
        return make_trace(rows=[batch_row(), *rows(inputs, labels), *rows(again, moved, epoch=2)])

    assert run("label_noise", episodes(0)) is None
    expect("label_noise", episodes(1))


def told(*pairs: tuple[float, float]) -> list[dict[str, Any]]:
    return [print_row(10 * k, fit_acc=a, gold_acc=b) for k, (a, b) in enumerate(pairs, 1)]


def test_labels_that_are_learned_by_heart_after_the_truth_are_noise() -> None:
    finding = expect(
        "label_noise",
        make_trace(rows=[batch_row(), *told((0.52, 0.81), (0.6, 0.74), (0.8, 0.68), (0.9, 0.66))]),
    )
    assert "by heart" in finding.why


@pytest.mark.parametrize(
    "pairs",
    [
        [(0.78, 0.81), (0.85, 0.78), (0.95, 0.74), (1.0, 0.7)],  # overfitting: both were alike at first
        [(0.52, 0.81), (0.6, 0.82), (0.7, 0.83), (0.75, 0.84)],  # dropout or augmentation in training
        [(0.52, 0.81), (0.53, 0.74), (0.54, 0.7), (0.55, 0.66)],  # nothing is learned by heart
        [(0.52, 0.81), (0.9, 0.66)],  # too few
    ],
)
def test_other_courses_of_the_two_accuracies_are_no_noise(pairs: list[tuple[float, float]]) -> None:
    assert run("label_noise", make_trace(rows=[batch_row(), *told(*pairs)])) is None


def test_accuracies_may_be_told_in_per_cent_and_beside_other_numbers() -> None:
    line = print_row(10, train_acc=52.0, val_acc=81.0, loss=0.3)
    assert both_accuracies(make_trace(rows=[line])) == [(0.52, 0.81)]
    assert both_accuracies(make_trace(rows=[print_row(10, val_acc=0.8), print_row(20, train_acc=0.9)])) == []


def bearings(count: int, seed: int) -> tuple[list[list[float]], list[int]]:
    """Twelve sectors of a circle, seen by the phases of six harmonics."""
    draw = random.Random(seed)
    turns = [draw.random() for _ in range(count)]
    waves = [(math.sin, k) for k in range(1, 7)] + [(math.cos, k) for k in range(1, 7)]
    order = sorted(waves, key=lambda wave: wave[1])
    inputs = [[f(2 * math.pi * k * v) + draw.gauss(0, 0.05) for f, k in order] for v in turns]
    return inputs, [int(12 * v) for v in turns]


def test_a_few_inputs_many_times_over_lie_further_apart_than_those_of_evaluation() -> None:
    few, others = bearings(80, 1), bearings(320, 2)
    again = [*rows(*few), *rows(*few, epoch=2)]
    trace = make_trace(rows=[batch_row(), *again, *rows(*others, grad=False)])
    assert run("label_noise", trace) is None


def test_wrong_labels_that_outnumber_the_right_ones_are_noise_where_the_inputs_of_both_sides_mix() -> None:
    def shifted(labels: list[int]) -> list[int]:
        return [(y + 1) % 4 if k % 20 < 11 else y for k, y in enumerate(labels)]

    expect("label_noise", make_trace(rows=[batch_row(), *both_sides(shifted, count=320)]))
    far = [[v + 40 for v in p] for p in points(320, 2)[0]]
    apart = [*rows(points(320, 1)[0], shifted(points(320, 1)[1])), *rows(far, points(320, 2)[1], grad=False)]
    assert run("label_noise", make_trace(rows=[batch_row(), *apart])) is None


def bags(count: int, wrong_labels: float, seed: int, **side: Any) -> list[dict[str, Any]]:
    """Documents of five topics: two words that tell beside eight common ones."""
    documents = made(count, wrong_labels, seed)
    return rows(documents.x, documents.y, **side)


@pytest.mark.parametrize(("wrong_labels", "found"), [(0.5, True), (0.0, False)])
def test_wrong_labels_of_bags_of_words_are_told_by_the_words_that_tell(
    wrong_labels: float, found: bool
) -> None:
    both = [*bags(600, wrong_labels, 1), *bags(300, 0.0, 2, grad=False)]
    outcome = run("label_noise", make_trace(rows=[batch_row(), eval_row(), *both]))
    assert (getattr(outcome, "fault", None) == "label_noise") is found


def test_labels_that_are_as_wrong_in_evaluation_are_another_matter() -> None:
    both = [*bags(600, 0.5, 1), *bags(300, 0.5, 2, grad=False)]
    assert (
        getattr(run("label_noise", make_trace(rows=[batch_row(), eval_row(), *both])), "fault", None) is None
    )
