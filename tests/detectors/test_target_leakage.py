from __future__ import annotations

import random
from typing import Any

import pytest
from tests.detectors.build import (
    eval_row,
    expect,
    falling,
    forward_row,
    loss_row,
    make_trace,
    run,
    steps_of,
    tensor_row,
)
from tests.detectors.sampled import rows, scored

from lossdoctor.detectors._columns import separation
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Finding, Trace

FAULT = "target_leakage"


def asked(change: float, shifted: float, same: float = 0.1) -> dict[str, Any]:
    return {"k": "probe", "i": 10, "what": "future", "change": change, "shifted": shifted, "same": same}


def table(leaks: bool, columns: int = 5) -> dict[str, Any]:
    draw = random.Random(0)
    y = [draw.randrange(3) for _ in range(100)]
    x = [[draw.random() + 0.3 * label for _ in range(columns)] for label in y]
    for row, label in zip(x, y, strict=True):
        row[1] = 2.0 * label + 1 if leaks else row[1]
    return {
        "k": "sample",
        "i": 1,
        "grad": True,
        "loader": 0,
        "epoch": 1,
        "shape": [columns],
        "int": False,
        "x": x,
        "y": y,
    }


def test_a_next_token_model_that_sees_the_next_token_is_found() -> None:
    assert "see it already" in expect(FAULT, make_trace(rows=[asked(0.3, 1.0)])).why


def test_targets_that_are_not_shifted_are_found_in_a_causal_model() -> None:
    assert "only has to copy" in expect(FAULT, make_trace(rows=[asked(0.0, 0.1, same=1.0)])).why


def test_a_causal_model_is_healthy() -> None:
    assert run(FAULT, make_trace(rows=[asked(0.0, 1.0)])) is None


def test_a_model_that_may_see_everything_is_healthy() -> None:
    assert run(FAULT, make_trace(rows=[asked(0.5, 0.1)])) is None


def test_a_column_that_repeats_the_target_is_found() -> None:
    finding = expect(FAULT, make_trace(rows=[table(leaks=True), loss_row()]))
    assert "column 1" in finding.why


def test_strong_columns_are_healthy() -> None:
    assert run(FAULT, make_trace(rows=[table(leaks=False), loss_row()])) is None


def test_a_task_of_two_columns_may_be_a_function_of_one() -> None:
    assert run(FAULT, make_trace(rows=[table(leaks=True, columns=2), loss_row()])) is None


def side(
    tells: bool, grad: bool, count: int = 100, classes: int = 2, columns: int = 4
) -> list[dict[str, Any]]:
    """Random columns, the third of which lies near its class number where it ``tells``."""
    draw = random.Random(count + grad)
    y = [draw.randrange(classes) for _ in range(count)]
    x = [[draw.gauss(0, 1) for _ in range(columns)] for _ in y]
    for point, label in zip(x, y, strict=True):
        point[2] = label + draw.gauss(0, 0.1) if tells else point[2]
    return rows(x, y, grad=grad)


def test_a_column_that_tells_the_classes_apart_in_training_only_is_found() -> None:
    sides = [*side(True, grad=True), *side(False, grad=False)]
    finding = expect(FAULT, make_trace(rows=[*sides, scored([0, 1] * 50, [0] * 100, [1.0] * 100)]))
    assert "column 2 alone" in finding.why
    assert finding.where.line == 5


@pytest.mark.parametrize(("count", "seen"), [(4, False), (30, True)])
def test_a_handful_of_one_class_is_told_apart_by_some_column_by_chance(count: int, seen: bool) -> None:
    train = side(True, grad=True)
    edge = sorted(x[2] for r in train if r["k"] == "sample" for x in r["x"])[-count]
    few = [{**r, "y": [int(x[2] >= edge) for x in r["x"]]} for r in train if r["k"] == "sample"]
    held_out = [*side(False, grad=False), scored([0, 1] * 50, [0] * 100, [1.0] * 100)]
    assert (run(FAULT, make_trace(rows=[*few, *held_out])) is not None) is seen


def test_such_a_column_that_does_no_harm_is_silent() -> None:
    sides = [*side(True, grad=True), *side(False, grad=False)]
    trace = make_trace(rows=[*sides, scored([0, 1] * 50, [0, 1] * 50, [1.0] * 100)])
    assert run(FAULT, trace) is None


def test_a_strong_column_that_is_as_strong_in_evaluation_is_healthy() -> None:
    assert run(FAULT, make_trace(rows=[*side(True, grad=True), *side(True, grad=False)])) is None


def test_columns_that_tell_nothing_in_training_are_healthy() -> None:
    assert run(FAULT, make_trace(rows=[*side(False, grad=True), *side(True, grad=False)])) is None


def test_a_telltale_column_needs_two_classes_and_held_out_samples() -> None:
    three = [*side(True, grad=True, classes=3), *side(False, grad=False, classes=3)]
    assert run(FAULT, make_trace(rows=three)) is None
    few = [*side(True, grad=True), *side(False, grad=False, count=30)]
    assert run(FAULT, make_trace(rows=few)) is None


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.1, 0.2, 0.8, 0.9], 1.0),
        ([0.9, 0.8, 0.2, 0.1], 1.0),
        ([0.5, 0.5, 0.5, 0.5], 0.5),
        ([0.1, 0.8, 0.2, 0.9], 0.75),
        ([0.1, 0.5, 0.5, 0.9], 0.875),
    ],
)
def test_separation_is_the_area_under_the_curve_in_either_direction(
    values: list[float], expected: float
) -> None:
    assert separation(values, (0.0, 0.0, 1.0, 1.0)) == pytest.approx(expected)


def test_one_class_alone_cannot_be_told_apart() -> None:
    assert separation([0.1, 0.9], (1.0, 1.0)) == 0.5


def after_the_event(marked: float, other: float = 0.3, seed: int = 0) -> list[dict[str, Any]]:
    """Column 1 is 0 for class 0 and some amount for this share of class 1; column 2 leans towards class 1."""
    draw = random.Random(seed)
    found = []
    for k, grad in enumerate((True, False)):
        y = [draw.randrange(2) for _ in range(200)]
        x = [[draw.gauss(0, 1) for _ in range(5)] for _ in y]
        for row, label in zip(x, y, strict=True):
            row[1] = draw.uniform(1, 9) if label and draw.random() < marked else 0.0
            row[2] += other * label
        found += rows(x, y, grad=grad, start=1 + 20 * k)
    return found


def test_a_column_that_is_filled_in_one_class_only_was_written_after_the_event() -> None:
    finding = expect(FAULT, make_trace(rows=after_the_event(0.97)))
    assert "column 1" in finding.why


@pytest.mark.parametrize(("marked", "other"), [(0.7, 0.3), (0.97, 6.0)])
def test_a_sign_that_is_often_missing_or_one_of_several_is_a_feature(marked: float, other: float) -> None:
    assert run(FAULT, make_trace(rows=after_the_event(marked, other))) is None


@pytest.mark.parametrize(("empty", "seen"), [(True, True), (False, False)])
def test_a_strong_column_that_another_held_out_set_does_not_have_yet_has_misled(
    empty: bool, seen: bool
) -> None:
    """Nearly all of one class carry the mark; on the later set it is always zero, or says nothing."""
    draw = random.Random(4)

    def marked(count: int, **more: Any) -> list[dict[str, Any]]:
        y = [draw.randrange(2) for _ in range(count)]
        x = [
            [draw.gauss(0, 1), (label or draw.random() < 0.05) * (draw.random() < 0.95) * 5.0] for label in y
        ]
        x = [[a, b, draw.gauss(0, 1), draw.gauss(0, 1)] for a, b in x]
        return rows(x, y, **more)

    later = [r | {"i": 90} for r in marked(80, grad=False)]
    for row in (r for r in later if r["k"] == "sample"):
        row["x"] = [[a, 0.0 if empty else draw.gauss(0, 1), *more] for a, _, *more in row["x"]]
    valid = [r | {"i": 10} for r in marked(200, grad=False)]
    sets = [*marked(400, grad=True), *valid, *later]
    answers = scored([0, 1] * 50, [0, 1] * 50, [1.0] * 100)
    last = eval_row(90, loss=[0.05, 4.0], acc=[], n=[], seen=[0.0, 0.0])
    assert (run(FAULT, make_trace(rows=[loss_row(), *sets, answers, last])) is not None) is seen


def test_a_column_that_is_missing_from_another_held_out_set_has_misled() -> None:
    """One set is answered nearly perfectly, the one that came later worse than by a constant."""
    later = [r | {"i": 90} for r in side(False, grad=False, count=80)]
    sets = [*side(True, grad=True), *side(True, grad=False), *later]
    answers = scored([0, 1] * 50, [0, 1] * 50, [1.0] * 100)

    def judged(last: float) -> Trace:
        last_of_all = eval_row(90, loss=[0.05, last], acc=[], n=[], seen=[0.0, 0.0])
        return make_trace(rows=[loss_row(), *sets, answers, last_of_all])

    assert "column 2 alone" in expect(FAULT, judged(4.0)).why
    assert run(FAULT, judged(0.06)) is None
    by_hand = eval_row(90, loss=[], acc=[], n=[], own=[[0.05, 80, 0.0], [4.0, 80, 0.0]])
    assert "column 2 alone" in expect(FAULT, make_trace(rows=[loss_row(), *sets, answers, by_hand])).why


def echo(share: float, i: int) -> dict[str, Any]:
    return {"k": "echo", "i": i, "share": share, "columns": [24, 25, 26, 27], "answers": 24, "inputs": 2}


def test_a_forecast_whose_every_number_is_among_the_inputs_is_found() -> None:
    finding = expect(FAULT, make_trace(rows=[loss_row(), *(echo(1.0, i) for i in range(1, 9))]))
    assert "24 numbers" in finding.why
    fed_back = [echo(1.0, 1), *(echo(23 / 24, i) for i in range(2, 9))]
    assert run(FAULT, make_trace(rows=[loss_row(), *fed_back])) is None
    assert run(FAULT, make_trace(rows=[loss_row(), *(echo(1.0, i) for i in range(1, 4))])) is None, "too few"


def test_a_model_that_answers_with_its_loss_is_given_the_target() -> None:
    rows_ = [loss_row(), table(leaks=True)]
    expect(FAULT, make_trace(rows=[*rows_, forward_row(1)]))
    own = forward_row(1, out=[tensor_row("", shape=[])])
    assert run(FAULT, make_trace(rows=[*rows_, own])) is None


def test_of_several_calls_for_one_loss_one_may_hold_what_another_is_asked_for() -> None:
    steps = steps_of(falling(), sequence="ZFFBS")
    leaking = [loss_row(), table(leaks=True)]
    assert run(FAULT, make_trace(steps=steps, rows=leaking)) is None
    expect(FAULT, make_trace(steps=steps_of(falling(), sequence="ZFBS"), rows=leaking))


def changed(own: float, earlier: float, later: float) -> Trace:
    row = {"k": "probe", "i": 10, "what": "itself", "own": own, "earlier": earlier, "later": later}
    return make_trace(rows=[row])


def test_an_answer_that_sees_the_place_it_is_asked_for_is_found() -> None:
    finding = expect(FAULT, changed(0.8, 0.0, 0.3))
    assert finding.status == "confirmed"
    assert "sees that place" in finding.why
    expect(FAULT, changed(0.8, 0.3, 0.0))  # read from the other end
    assert run(FAULT, changed(0.0, 0.0, 0.3)) is None, "foretold"
    assert run(FAULT, changed(0.8, 0.2, 0.3)) is None, "reproduced from all places"
    assert run(FAULT, changed(0.8, 0.0, 0.0)) is None, "each place by itself"


def picked(same: float, share: float = 0.15) -> Trace:
    rows = [{"k": "masked", "i": i, "asked": share, "same": same} for i in range(1, 6)]
    return make_trace(rows=[loss_row(), *rows])


def test_symbols_that_are_asked_for_and_shown_are_found() -> None:
    assert "not masked" in expect("target_leakage", picked(1.0)).why
    assert run("target_leakage", picked(0.12)) is None, "a tenth is kept on purpose"
    assert run("target_leakage", picked(1.0, share=0.9)) is None, "padding that the loss ignores"


def test_a_number_of_a_window_is_the_answer_only_if_it_equals_it() -> None:
    draw = random.Random(4)
    level, answers, windows = 0.0, [], []
    for _ in range(200):
        level += draw.gauss(0, 1)
        answers.append([level])
        windows.append([level + draw.gauss(0, 1) for _ in range(7)])

    def trace(off: float) -> Trace:
        x = [[*w, y[0] + draw.gauss(0, off)] for w, y in zip(windows, answers, strict=True)]
        shaped = [{**r, "shape": [4, 2]} if r["k"] == "sample" else r for r in rows(x, answers)]
        return make_trace(rows=[loss_row(fn="mse_loss"), *shaped])

    assert "moment 3, feature 1" in expect("target_leakage", trace(0.0)).why
    assert run("target_leakage", trace(0.1)) is None, "the last moment of a smooth series"


def test_a_single_answer_is_told_only_at_one_and_the_same_place() -> None:
    def rows(*columns: int) -> list[dict[str, Any]]:
        return [echo(1.0, i) | {"answers": 1, "columns": [c], "input": 0} for i, c in enumerate(columns, 1)]

    trace = make_trace(rows=[loss_row(), *rows(197, 197, 197, 197)])
    assert "number 197" in expect(FAULT, trace).why
    assert run(FAULT, make_trace(rows=[loss_row(), *rows(197, 3, 197, 197)])) is None


@pytest.mark.parametrize(
    ("train", "held", "seen"), [(True, False, True), (False, False, False), (True, True, False)]
)
def test_a_symbol_of_the_input_that_is_the_label_in_training_only(
    train: bool, held: bool, seen: bool
) -> None:
    """The history that ends with the next item itself; where evaluation has it too it may be meant."""

    def side(grad: bool, leaks: bool) -> dict[str, Any]:
        draw = random.Random(int(grad))
        histories = [[draw.randrange(30) for _ in range(6)] for _ in range(120)]
        y = [h[-1] if leaks else draw.randrange(30) for h in histories]
        row = {"k": "sample", "i": 1, "grad": grad, "loader": 0 if grad else 1, "epoch": 1, "shape": [6]}
        return {**row, "int": True, "x": [[0.0] * 128 for _ in y], "codes": histories, "y": y}

    trace = make_trace(rows=[loss_row(), side(True, train), side(False, held)])
    assert isinstance(run(FAULT, trace), Finding) is seen
    assert (interventions(FAULT, trace) == ({"name": "without_feature", "columns": [5]},)) is seen
