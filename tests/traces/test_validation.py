from __future__ import annotations

import math
from statistics import fmean
from typing import Any

import pytest
from tests.detectors.build import eval_row, falling, loss_row, make_trace, print_row
from tests.detectors.sampled import scored

from lossdoctor.traces.validation import generalised, printed_unexplained, validation_losses


def evaluations(*losses: list[float], **more: Any) -> list[dict[str, Any]]:
    return [eval_row(10 * k, loss=values, **more) for k, values in enumerate(losses, 1)]


def losses(*rows: dict[str, Any]) -> Any:
    return validation_losses(make_trace(rows=rows))


def test_the_means_of_an_evaluation_are_weighted_by_its_batch_sizes() -> None:
    sizes = [[30, 1], [10, 1]]
    found = losses(*evaluations([1.0, 2.0], [0.5, 1.5], loss_of=sizes))
    assert found == [(10, pytest.approx(1.25)), (20, pytest.approx(0.75))]


def test_losses_on_samples_that_training_has_seen_are_left_out() -> None:
    found = losses(*evaluations([0.1, 2.0], [0.1, 1.0], seen=[1.0, 0.0]))
    assert found == [(10, 2.0), (20, 1.0)]


def test_from_half_of_its_samples_on_a_batch_counts_as_seen() -> None:
    assert losses(*evaluations([0.1, 2.0], [0.1, 1.0], seen=[0.5, 0.49])) == [(10, 2.0), (20, 1.0)]


def test_an_evaluation_of_nothing_but_training_samples_is_none() -> None:
    assert losses(*evaluations([0.1, 0.2], [0.1, 0.1], seen=[1.0, 1.0])) == []


def test_without_a_loss_of_the_script_the_training_loss_on_its_targets_counts() -> None:
    own = [[1.0, 30, 0.0], [3.0, 10, 0.0], [0.01, 200, 1.0]]
    found = losses(*evaluations([], [], own=own))
    assert found == [(10, pytest.approx(1.5)), (20, pytest.approx(1.5))]


def test_a_loss_of_the_script_comes_before_one_of_our_own() -> None:
    assert losses(*evaluations([0.7], [0.6], own=[[9.0, 10, 0.0]])) == [(10, 0.7), (20, 0.6)]


@pytest.mark.parametrize("name", ["val_loss", "val_rmse", "validation/mse", "test_perplexity", "dev_nll"])
def test_printed_numbers_stand_in_for_what_was_not_measured(name: str) -> None:
    printed = [{"k": "print", "i": i, "v": {name: v}, "line": ""} for i, v in ((10, 2.0), (20, 1.0))]
    assert losses(*printed) == [(10, 2.0), (20, 1.0)]


@pytest.mark.parametrize("name", ["train_rmse", "rmse", "val_acc", "learning_rate"])
def test_printed_numbers_of_training_or_of_another_kind_do_not(name: str) -> None:
    printed = [{"k": "print", "i": i, "v": {name: v}, "line": ""} for i, v in ((10, 2.0), (20, 1.0))]
    assert losses(*printed) == []


def test_the_printed_name_that_comes_most_often_is_the_curve() -> None:
    rows = [print_row(30, test_loss=9.0), *(print_row(i, val_loss=1 / i) for i in (10, 20, 30))]
    assert losses(*rows) == [(10, 0.1), (20, 0.05), (30, pytest.approx(1 / 30))]


def test_a_printed_number_that_is_not_finite_is_passed_over() -> None:
    rows = [print_row(10, val_loss=1.0), print_row(20, val_loss=math.inf), print_row(30, val_loss=0.5)]
    assert losses(*rows) == [(10, 1.0), (30, 0.5)]


def test_one_measured_evaluation_gives_way_to_printed_ones() -> None:
    rows = [*evaluations([0.4]), print_row(10, val_loss=1.0), print_row(20, val_loss=0.9)]
    assert losses(*rows) == [(10, 1.0), (20, 0.9)]


def model(cls: str) -> dict[str, Any]:
    return {"k": "model", "class": "Sequential", "used": True, "parts": [["1", cls, {"p": 0.5}]]}


def test_passes_in_training_mode_count_only_for_models_that_do_not_care() -> None:
    rows = evaluations([2.0], [1.0], modes={"train": 1})
    assert losses(model("Dropout"), *rows) == []
    assert losses(model("ReLU"), *rows) == [(10, 2.0), (20, 1.0)]


LABELS = [k % 4 for k in range(100)]


def answers(right: int) -> list[int]:
    return [y if k < right else (y + 1) % 4 for k, y in enumerate(LABELS)]


def test_class_scores_are_put_on_the_scale_from_the_commonest_class_to_one() -> None:
    def share(right: int) -> float | None:
        return generalised(make_trace(rows=[loss_row(), scored(LABELS, answers(right), [1.0] * 100)]))

    assert share(100) == pytest.approx(1.0)
    assert share(25) == pytest.approx(0.0)
    assert share(10) == pytest.approx(-0.2)


def test_class_scores_decide_before_the_loss() -> None:
    rows = [loss_row(), *evaluations([9.0], [9.0]), scored(LABELS, LABELS, [1.0] * 100)]
    assert generalised(make_trace(rows=rows)) == pytest.approx(1.0)


def test_without_class_scores_the_loss_is_held_against_that_of_a_constant() -> None:
    target = {"shape": [32, 1], "dtype": "float32", "min": -9.0, "max": 9.0, "mean": 0.0, "std": 2.0}
    squared = loss_row(fn="mse_loss", target=target)
    assert generalised(make_trace(rows=[squared, *evaluations([3.0], [1.0])])) == pytest.approx(0.75)
    assert generalised(make_trace(rows=[squared, *evaluations([3.0], [8.0])])) == pytest.approx(-1.0)


def test_without_a_known_level_or_an_evaluation_nothing_is_said() -> None:
    weighted = loss_row(weighted=True)
    assert generalised(make_trace(rows=[weighted, *evaluations([3.0], [1.0])])) is None
    assert generalised(make_trace(rows=[loss_row()])) is None


@pytest.mark.parametrize(("name", "lift"), [("val_mae", None), ("val_loss", 0.5), ("val_mse", 0.5)])
def test_printed_numbers_of_another_unit_say_nothing_of_how_well_it_generalises(name: str, lift: Any) -> None:
    target = {"shape": [64], "mean": 0.0, "std": 2.0, "min": -4.0, "max": 4.0, "bad": 0.0}
    called = [loss_row(i, fn="mse_loss", target=target) for i in (1, 2, 3)]
    printed = [print_row(i, **{name: v}) for i, v in ((10, 3.0), (20, 2.0))]
    found = generalised(make_trace(rows=[*called, *printed]))
    assert found == (None if lift is None else pytest.approx(lift, abs=0.02))


def told(train: list[float], **more: list[float]) -> Any:
    """Numbers named by their split alone, printed every 25 steps of a run whose loss falls from 2.3 to 0.3."""
    rows = [
        print_row(25 * k, train=v, **{n: values[k - 1] for n, values in more.items()})
        for k, v in enumerate(train, 1)
    ]
    return validation_losses(make_trace(falling(), rows=rows))


MEANS = [fmean(falling()[k : k + 25]) for k in (0, 25, 50, 75)]


def test_of_two_printed_losses_the_one_that_is_the_training_loss_is_not_held_out() -> None:
    """``dev`` is what some develop on, and others hold out."""
    curve = falling(80, start=2.3, end=0.3)
    told = [(i, curve[i - 20 : i]) for i in (20, 40, 60, 80)]
    means = [(i, sum(v) / len(v)) for i, v in told]
    rows = [print_row(i, **{"dev nll": m, "val nll": 2.0 + i / 100}) for i, m in means]
    assert validation_losses(make_trace(curve, rows=rows)) == [(i, 2.0 + i / 100) for i, _ in means]
    alike = [print_row(i, **{"dev nll": m, "val nll": m}) for i, m in means]
    assert validation_losses(make_trace(curve, rows=alike)) == [(i, pytest.approx(m)) for i, m in means]


def test_numbers_named_by_their_split_alone_are_losses_where_that_of_training_is_the_training_loss() -> None:
    held = [2.0, 1.5, 1.6, 1.9]
    assert told(MEANS, valid=held) == [(25, 2.0), (50, 1.5), (75, 1.6), (100, 1.9)]
    assert told([falling()[k] for k in (24, 49, 74, 99)], valid=held), "the loss of the last step"
    assert told([0.4, 0.6, 0.7, 0.8], valid=held) == [], "scores, by the training one"
    assert told(MEANS, valid_auc=held) == []
    assert told(MEANS[:2], valid=held) == [], "too few to tell"
    assert told(MEANS, valid=held, val_loss=[v / 2 for v in held]) == [
        (25, 1.0),
        (50, 0.75),
        (75, 0.8),
        (100, 0.95),
    ]


@pytest.mark.parametrize(
    ("told", "left"),
    [
        ({"held-out r2": (0.5, 0.9)}, [0.5, 0.1]),
        ({"r2": (0.5, 0.9)}, [0.5, 0.1]),
        ({"train r2": (0.7, 0.9), "nse": (-0.5, 0.75)}, [1.5, 0.25]),
        ({"r2": (0.2, 0.3), "val r2": (0.5, 0.9)}, [0.5, 0.1]),  # the one that says what it is of
        ({"train r2": (0.5, 0.9)}, []),
        ({"r2": (2.0, 3.0)}, []),  # a distance
        ({"er20": (0.5, 0.9)}, []),
    ],
)
def test_what_a_printed_coefficient_of_determination_leaves(
    told: dict[str, tuple[float, float]], left: list[float]
) -> None:
    rows = [{**print_row(10 * k), "v": {n: v[k] for n, v in told.items()}} for k in (0, 1)]
    assert [v for _, v in printed_unexplained(make_trace(rows=rows))] == pytest.approx(left)
