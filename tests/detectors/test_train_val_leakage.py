"""train_val_leakage: equal inputs on both sides."""

from __future__ import annotations

from lossdoctor.detectors.base import Missing

from .build import eval_row, expect, loader_row, make_trace, print_row, run
from .sampled import points, rows


def test_evaluation_samples_that_training_has_seen_are_found_at_their_loader() -> None:
    train, labels = points(200, 1)
    other, truth = points(200, 2)
    mixed = rows(train[:60] + other[60:], labels[:60] + truth[60:], grad=False)
    loader = loader_row(id=1, sampler="SequentialSampler")
    finding = expect("train_val_leakage", make_trace(rows=[eval_row(), loader, *rows(train, labels), *mixed]))
    assert finding.evidence[0].value == 0.3
    assert finding.where.line == 5


def test_disjoint_sides_are_silent() -> None:
    both = [*rows(*points(200, 1)), *rows(*points(200, 2), grad=False)]
    assert run("train_val_leakage", make_trace(rows=[eval_row(), *both])) is None


def test_data_with_few_possible_inputs_coincide_by_themselves() -> None:
    dice = [[float(k % 6), float(k % 4)] for k in range(100)]
    both = [*rows(dice, [0] * 100), *rows(dice[50:], [0] * 50, grad=False)]
    assert isinstance(run("train_val_leakage", make_trace(rows=[eval_row(), *both])), Missing)
    wider = [[*point, 0.0, 1.0] for point in dice]
    both = [*rows(wider, [0] * 100), *rows(wider[50:], [0] * 50, grad=False)]
    assert run("train_val_leakage", make_trace(rows=[eval_row(), *both])) is None


def test_monitoring_the_training_set_beside_a_held_out_one_is_silent() -> None:
    train = points(200, 1)
    sides = [*rows(*train), *rows(*train, grad=False, loader=1), *rows(*points(100, 2), grad=False, loader=2)]
    assert run("train_val_leakage", make_trace(rows=[eval_row(), *sides])) is None


def test_training_samples_under_the_name_of_validation_are_found() -> None:
    train = points(200, 1)
    sides = [*rows(*train), *rows(*train, grad=False, loader=1)]
    expect("train_val_leakage", make_trace(rows=[eval_row(), print_row(val_acc=1.0), *sides]))
    assert run("train_val_leakage", make_trace(rows=[eval_row(), print_row(train_acc=1.0), *sides])) is None


def test_without_an_evaluation_nothing_is_checked() -> None:
    assert isinstance(run("train_val_leakage", make_trace()), Missing)
