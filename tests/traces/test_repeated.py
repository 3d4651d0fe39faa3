"""Inputs that come again, or do not."""

from __future__ import annotations

import math
import random
from typing import Any

from tests.detectors.build import loss_row, make_trace

from lossdoctor.traces.repeated import (
    bare_numbers,
    contrasts,
    fresh_inputs,
    labels_are_places,
    labels_never_meet,
    made_of_measurements,
    met_by_chance,
    pairs_by_chance,
)


def by_hand(prints: list[float], *more: dict[str, Any]) -> Any:
    rows = [
        {
            "k": "ids",
            "i": k + 1,
            "grad": True,
            "loader": None,
            "epoch": None,
            "h": prints[20 * k : 20 * k + 20],
            "y": None,
        }
        for k in range(len(prints) // 20)
    ]
    return make_trace(rows=[*rows, *more])


def test_a_fixed_set_brings_no_new_inputs_in_the_second_half() -> None:
    assert not fresh_inputs(by_hand([float(k % 100) for k in range(400)]))


def test_inputs_that_are_changed_each_time_keep_coming() -> None:
    assert fresh_inputs(by_hand([float(k) for k in range(400)]))


def test_a_first_pass_over_what_the_script_holds_is_no_augmentation() -> None:
    assert not fresh_inputs(by_hand([float(k) for k in range(400)], {"k": "pool", "i": 3, "n": 1000}))


def test_few_samples_say_nothing() -> None:
    assert not fresh_inputs(by_hand([float(k) for k in range(100)]))


def labelled(count: int, labels: list[float], *, turned: int = 0) -> Any:
    """Batches of ten other inputs each with these labels, the last ``turned`` of them in another order."""
    made = by_hand([float(k) for k in range(20 * count)]).of("ids")
    given = [labels if k < count - turned else labels[::-1] for k in range(count)]
    return make_trace(rows=[{**row, "y": y} for row, y in zip(made, given, strict=True)])


EPISODE = [float(k // 5) for k in range(20)]


def test_the_same_labels_in_every_batch_of_other_inputs_number_its_places() -> None:
    assert labels_are_places(labelled(20, EPISODE))
    assert labels_are_places(labelled(20, EPISODE, turned=1)), (
        "a batch that is put together otherwise is no matter"
    )


def test_labels_in_changing_order_belong_to_their_inputs() -> None:
    assert not labels_are_places(labelled(20, EPISODE, turned=4))


def test_one_label_a_few_batches_or_the_same_batch_again_say_nothing() -> None:
    assert not labels_are_places(labelled(20, [1.0] * 20))
    assert not labels_are_places(labelled(4, EPISODE))
    same = [{**labelled(1, EPISODE).of("ids")[0], "i": i} for i in range(1, 21)]
    assert not labels_are_places(make_trace(rows=same))


def table(cells: list[tuple[int, int]], answers: list[float]) -> Any:
    """A user and an item per sample, in batches of 20, with these answers; fingerprints number the cells."""
    prints = {cell: float(k) for k, cell in enumerate(dict.fromkeys(cells))}
    rows = by_hand([prints[c] for c in cells]).of("ids")
    shown = [{**row, "y": answers[20 * k : 20 * k + 20]} for k, row in enumerate(rows)]
    kept = {"k": "sample", "i": 1, "grad": True, "shape": [2], "x": [list(map(float, c)) for c in cells]}
    return make_trace(rows=[*shown, kept])


CELLS = [(k % 40, 7 * k % 50) for k in range(200)]


def test_cells_of_a_table_that_come_once_may_meet_by_chance() -> None:
    assert pairs_by_chance(table(CELLS, [float(k % 5) for k in range(200)])) == 200 / (40 * 50)


def test_rows_that_are_there_twice_with_the_same_answer_are_copies() -> None:
    answers = [float(k % 5) for k in range(100)]
    assert pairs_by_chance(table(CELLS[:100] * 2, answers * 2)) is not None


def test_second_answers_to_the_same_pair_are_none() -> None:
    again = [float((k + 1) % 5) for k in range(100)]
    assert pairs_by_chance(table(CELLS[:100] * 2, [float(k % 5) for k in range(100)] + again)) is None
    assert pairs_by_chance(table(CELLS[:100] * 2, [1.0] * 200)) is None, "all answers are equal anyway"


def test_as_many_scores_as_samples_and_every_label_once_are_a_contrast() -> None:
    def loss(width: int, distinct: int) -> dict[str, Any]:
        return loss_row(**{"in": {"shape": [32, width]}, "target": {"shape": [32], "distinct": distinct}})

    assert contrasts(make_trace(rows=[loss(32, 32)]))
    assert not contrasts(make_trace(rows=[loss(10, 10)]))
    assert not contrasts(make_trace(rows=[loss(32, 20)])), "classes, by chance as many as samples"
    assert not contrasts(make_trace())


def test_inputs_that_come_with_other_labels_meet_by_chance_as_often_in_evaluation() -> None:
    half = [float(k) for k in range(100)] * 2 + [float(k) for k in range(200, 400)]
    assert met_by_chance(by_hand(half)) == 0, "labels are not known"
    rows = by_hand(half).of("ids")
    told = [{**r, "y": [0.001 * (20 * k + n) for n in range(20)]} for k, r in enumerate(rows)]
    assert met_by_chance(make_trace(rows=told)) == 0.5
    assert labels_never_meet(make_trace(rows=told))
    copies = [{**r, "y": r["h"]} for r in rows]
    assert met_by_chance(make_trace(rows=copies)) == 0, "copies of samples, and epochs, bring their labels"
    classes = [{**r, "y": [n % 2 for n in range(20)]} for r in rows]
    assert not labels_never_meet(make_trace(rows=classes))


def test_rows_of_few_categories_meet_as_their_shares_foretell() -> None:
    draw = random.Random(0)
    rows = [[draw.randrange(4), draw.randrange(5)] for _ in range(400)]
    kept = {"k": "sample", "i": 1, "grad": True, "shape": [2], "x": [[0.0]] * 400, "codes": rows}
    prints = [float(5 * a + b) for a, b in rows]
    assert met_by_chance(by_hand(prints, kept)) > 0.6, "20 cells, all of them shown"
    wide = [[draw.random() for _ in range(2)] for _ in range(400)]
    assert met_by_chance(by_hand(prints, {**kept, "codes": wide})) == 0, "measurements"


def test_measurements_to_two_digits_are_no_categories() -> None:
    draw = random.Random(3)

    def made(columns: int, values: int) -> bool:
        points = [[float(draw.randrange(values)) for _ in range(columns)] for _ in range(400)]
        return made_of_measurements(
            make_trace(rows=[{"k": "sample", "grad": True, "int": False, "x": points}])
        )

    assert made(6, 100)
    assert made(3, 100_000)
    assert not made(5, 100)
    assert not made(20, 17), "grey values"


def test_pairs_with_a_missing_number_are_no_indexes() -> None:
    pairs = [[float(k), float(k % 7)] for k in range(200)]
    row = {"k": "sample", "i": 1, "grad": True, "shape": [2], "int": False, "x": pairs}
    assert bare_numbers(make_trace(rows=[row]))
    for hole in (math.nan, math.inf):
        trace = make_trace(rows=[row | {"x": [*pairs, [0.0, hole]]}])
        assert not bare_numbers(trace)
        assert pairs_by_chance(trace) is None
