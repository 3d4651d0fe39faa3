"""train_val_leakage: equal inputs on both sides."""

from __future__ import annotations

import random
from typing import Any

import pytest

from lossdoctor.detectors.base import Missing
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Finding, Trace

from .build import (
    eval_row,
    expect,
    forward_row,
    loader_row,
    loss_row,
    make_trace,
    print_row,
    run,
    tensor_row,
)
from .sampled import Row, points, rows


def test_evaluation_samples_that_training_has_seen_are_found_at_their_loader() -> None:
    train, labels = points(200, 1)
    other, truth = points(200, 2)
    mixed = rows(train[:60] + other[60:], labels[:60] + truth[60:], grad=False)
    loader = loader_row(id=1, sampler="SequentialSampler")
    finding = expect("train_val_leakage", make_trace(rows=[eval_row(), loader, *rows(train, labels), *mixed]))
    assert finding.evidence[0].value == 0.3
    assert finding.where.line == 5


def test_a_model_that_is_shown_everything_and_trained_on_some_answers_is_not_checked() -> None:
    nodes, labels = points(200, 1)
    shown = [{**r, "y": None} for r in rows(nodes, labels, size=200)]
    labelled = loss_row(1, target={"shape": [50], "dtype": "int64", "min": 0, "max": 3, "distinct": 4})
    both = [*shown, *({**r, "y": None} for r in rows(nodes, labels, grad=False, size=200))]
    unnamed = {"k": "compared", "i": 1, "n": 50}
    for counted in (labelled, unnamed):
        outcome = run("train_val_leakage", make_trace(rows=[eval_row(), counted, *both]))
        assert isinstance(outcome, Missing)
        assert "which of the model's answers" in outcome.quantity


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


def test_rows_of_few_categories_meet_without_being_shared() -> None:
    """96 rows are possible: most of a held-out set are training inputs too, with other (measured) labels."""
    draw = random.Random(1)

    def cells(count: int) -> tuple[list[list[float]], list[float]]:
        drawn = [[10.0**k * draw.randrange(n) for k, n in enumerate((4, 4, 3, 2))] for _ in range(count)]
        return drawn, [c[0] + draw.gauss(0, 1) for c in drawn]

    (train, labels), (held, truth) = cells(300), cells(120)
    sound = [*rows(train, labels), *rows(held, truth, grad=False)]
    assert run("train_val_leakage", make_trace(rows=[eval_row(), *sound])) is None
    mixed = rows(train[30:90] + held[60:], labels[30:90] + truth[60:], grad=False)
    finding = expect("train_val_leakage", make_trace(rows=[eval_row(), *rows(train, labels), *mixed]))
    assert "training inputs too" in finding.why, "the same rows with the same labels"


def test_copies_of_measurements_within_an_evaluation_excuse_no_copies_across() -> None:
    """Rows were multiplied before the split: the evaluation holds some twice, and training holds them too."""
    train, labels = points(200, 1)
    other, truth = points(120, 2)
    inputs, answers = [*train[:40], *train[:40], *other], [*labels[:40], *labels[:40], *truth]
    held = rows(inputs, answers, grad=False)
    finding = expect("train_val_leakage", make_trace(rows=[eval_row(), *rows(train, labels), *held]))
    assert finding.evidence[0].value == 0.25
    coarse = [[float(round(v)) for v in p] for p in train], [[float(round(v)) for v in p] for p in inputs]
    both = [*rows(coarse[0], labels), *rows(coarse[1], answers, grad=False)]
    assert run("train_val_leakage", make_trace(rows=[eval_row(), *both])) is None, "equal by themselves"


def test_monitoring_the_training_set_beside_a_held_out_one_is_silent() -> None:
    train = points(200, 1)
    sides = [*rows(*train), *rows(*train, grad=False, loader=1), *rows(*points(100, 2), grad=False, loader=2)]
    assert run("train_val_leakage", make_trace(rows=[eval_row(), *sides])) is None


def test_training_samples_under_the_name_of_validation_are_found() -> None:
    train = points(200, 1)
    sides = [*rows(*train), *rows(*train, grad=False, loader=1, start=11)]
    expect("train_val_leakage", make_trace(rows=[eval_row(), print_row(val_acc=1.0), *sides]))
    assert run("train_val_leakage", make_trace(rows=[eval_row(), print_row(train_acc=1.0), *sides])) is None


def test_without_an_evaluation_nothing_is_checked() -> None:
    assert isinstance(run("train_val_leakage", make_trace()), Missing)


def by_hand(found: list[Row], step: int | None = None) -> list[Row]:
    """The same samples in batches that no loader made."""
    return [r | {"loader": None} | ({} if step is None else {"i": step}) for r in found]


def test_evaluations_whose_samples_were_too_many_to_keep_count_all_the_same() -> None:
    """The training set before the first step, and held-out samples after each epoch, of which nothing was kept."""
    train = points(200, 1)
    sides = [*by_hand(rows(*train)), *by_hand(rows(*train, grad=False, size=200), 1)]
    first = [eval_row(0), print_row(0, val_focal=0.2), *sides]
    assert expect("train_val_leakage", make_trace(rows=first)).confidence == 0.7
    later = [{**eval_row(step), "seen": [0.0]} for step in (3, 6, 9)]
    assert run("train_val_leakage", make_trace(rows=[*first, *later])) is None


@pytest.mark.parametrize(("pool", "leak"), [(200, False), (120, True)])
def test_a_training_set_some_of_which_was_never_drawn_is_looked_at_as_a_whole(pool: int, leak: bool) -> None:
    """Batches with as many samples of each class never show most of the common one."""
    inputs, labels = points(200, 1)
    sides = [
        *by_hand(rows(inputs[:100], labels[:100])),
        *by_hand(rows(inputs, labels, grad=False, size=200), 10),
    ]
    fresh = by_hand(rows(*points(60, 2), grad=False, size=60), 5)
    drawn = {"k": "pool", "i": 1, "n": pool}
    trace = make_trace(rows=[eval_row(4), eval_row(9), drawn, *sides, *fresh])
    assert isinstance(run("train_val_leakage", trace), Finding) is leak


def test_a_whole_training_set_of_hand_made_batches_under_the_name_of_validation_is_found() -> None:
    train = points(200, 1)
    sides = [*by_hand(rows(*train)), *by_hand(rows(*train, grad=False), 10)]
    finding = expect("train_val_leakage", make_trace(rows=[eval_row(9), print_row(9, val_acc=1.0), *sides]))
    assert finding.confidence == 0.7
    assert finding.evidence[0].value == 1.0
    told = make_trace(rows=[eval_row(9), print_row(9, train_acc=1.0), *sides])
    assert run("train_val_leakage", told) is None


def test_monitoring_training_by_hand_beside_a_held_out_set_is_silent() -> None:
    train, other = points(200, 1), points(100, 2)
    monitored = by_hand(rows(*train, grad=False, size=200), 10)
    held_out = by_hand(rows(*other, grad=False, size=100), 10)
    printed = print_row(9, train_acc=1.0, val_acc=0.9)
    sides = [*by_hand(rows(*train)), *monitored, *held_out]
    assert run("train_val_leakage", make_trace(rows=[eval_row(9), printed, *sides])) is None


@pytest.mark.parametrize(
    ("scores", "silent"),
    [
        ({"train_acc": 0.97, "val_acc": 0.9}, True),
        ({"train_acc": 97.0, "val_acc": 90.0}, True),
        ({"train_acc": 0.97, "val_acc": 0.97}, False),  # which of the two was measured is not known
        ({"train_acc": 0.8, "val_acc": 0.9}, False),
    ],
)
def test_an_accuracy_that_is_told_as_that_of_training_is_no_leak(
    scores: dict[str, float], silent: bool
) -> None:
    inputs, labels = points(200, 1)
    known = [*inputs[:190], *points(10, 3)[0]]  # ten of them have never been drawn
    sides = [*by_hand(rows(inputs, labels)), *by_hand(rows(known, labels, grad=False, size=200), 10)]
    measured = eval_row(9, loss=[], acc=[0.97], n=[200])
    found = run("train_val_leakage", make_trace(rows=[measured, print_row(9, **scores), *sides]))
    assert (found is None) is silent


def test_a_loss_of_training_samples_that_is_told_by_its_root_is_no_leak() -> None:
    inputs, labels = points(200, 1)
    known = [*inputs[:190], *points(10, 3)[0]]
    sides = [*by_hand(rows(inputs, labels)), *by_hand(rows(known, labels, grad=False, size=200), 10)]
    measured = eval_row(9, loss=[0.49], loss_of=[[200, 1]], acc=[], n=[200])
    for name, silent in (("rmse train", True), ("rmse val", False)):
        trace = make_trace(rows=[measured, print_row(9, **{name: 0.7}), *sides])
        assert (run("train_val_leakage", trace) is None) is silent


def test_the_whole_training_set_beside_held_out_samples_is_monitored_though_equal_inputs_differ() -> None:
    inputs, labels = points(200, 1)
    twice, others = [*inputs, *inputs[:20]], [*labels, *((y + 1) % 4 for y in labels[:20])]
    monitored = by_hand(rows(twice, others, grad=False, size=220), 10)
    held_out = by_hand(rows(*points(100, 2), grad=False, size=100), 10)
    sides = [*by_hand(rows(twice, others)), *monitored, *held_out]
    assert run("train_val_leakage", make_trace(rows=[eval_row(9), *sides])) is None


def test_training_samples_at_a_few_evaluations_of_many_are_silent() -> None:
    train, other = points(200, 1), points(100, 2)
    sides = [*by_hand(rows(*train)), *by_hand(rows(*train, grad=False, size=200), 10)]
    for step in (20, 30, 40):
        sides += by_hand(rows(*other, grad=False, size=100), step)
    printed = [print_row(step - 1, val_acc=0.9) for step in (10, 20, 30, 40)]
    assert run("train_val_leakage", make_trace(rows=[eval_row(9), *printed, *sides])) is None


def test_hand_made_batches_that_share_a_part_of_their_samples_are_found() -> None:
    train, labels = points(200, 1)
    other, truth = points(200, 2)
    mixed = rows(train[:60] + other[60:], labels[:60] + truth[60:], grad=False, size=200)
    sides = [*by_hand(rows(train, labels)), *by_hand(mixed, 10)]
    assert expect("train_val_leakage", make_trace(rows=[eval_row(9), *sides])).evidence[0].value == 0.3


def test_a_teacher_that_looks_at_the_batch_of_the_step_is_no_evaluation() -> None:
    inputs, labels = points(200, 1)
    student = rows(inputs, labels)
    teacher = [{**r, "grad": False, "known": 1.0, "loader": None} for r in student]
    later = [{**r, "i": r["i"] + 10} for r in teacher]  # training batches are no longer fingerprinted there
    told = print_row(1, v={"test accuracy": 0.9}, line="test accuracy 0.9")
    assert run("train_val_leakage", make_trace(rows=[eval_row(), told, *student, *teacher, *later])) is None


def cells(numbers: range, **more: Any) -> list[Row]:
    """Cells of a table of 60 users and 50 items: every one has its own rating."""
    pairs = [[float(n * 7 % 60), float(n * 11 % 50)] for n in numbers]
    made = rows(pairs, [n % 5 for n in numbers], **more)
    batches = [[100 * u + i for u, i in pairs[k : k + 20]] for k in range(0, len(pairs), 20)]
    prints = iter(batches)
    return [{**row, "h": next(prints)} if row["k"] == "ids" else row for row in made]


def test_cells_of_a_table_that_come_once_are_held_out_or_not() -> None:
    leaking = [*cells(range(300)), *cells(range(200, 260), grad=False, loader=1)]
    said = print_row(3, val_rmse=0.5)
    assert "60 of 60" in expect("train_val_leakage", make_trace(rows=[eval_row(), said, *leaking])).why
    disjoint = [*cells(range(300)), *cells(range(300, 360), grad=False, loader=1)]
    assert run("train_val_leakage", make_trace(rows=[eval_row(), said, *disjoint])) is None


def test_cells_that_recur_in_training_say_nothing() -> None:
    second = [{**r, "y": [y + 1 for y in r["y"]]} for r in cells(range(60))]
    again = [*cells(range(60)), *second, *cells(range(40), grad=False, loader=1)]
    assert isinstance(run("train_val_leakage", make_trace(rows=[eval_row(), *again])), Missing)


def test_a_model_that_answers_with_its_input_may_be_judged_on_other_parts_of_it() -> None:
    train = points(200, 1)
    sides = [
        *by_hand(rows(*train)),
        *by_hand(rows(*train, grad=False), 10),
        eval_row(9),
        print_row(9, val_acc=1.0),
    ]
    expect("train_val_leakage", make_trace(rows=sides))
    wide = {"path": "", "shape": [32, 6]}
    assert (
        run("train_val_leakage", make_trace(rows=[*sides, forward_row(1, **{"in": [wide], "out": [wide]})]))
        is None
    )


def test_the_training_pool_that_held_out_samples_are_compared_with_is_no_leak() -> None:
    pool, other = points(200, 1), points(50, 2)
    drawn = by_hand(rows(pool[0][:150], pool[1][:150]))  # the rest has not come up yet
    gallery = by_hand(rows(*pool, grad=False, size=200), 10)
    asked = by_hand(rows(*other, grad=False, size=50), 10)
    whole = {"k": "pool", "i": 3, "n": 200}
    alone = [eval_row(9), whole, *drawn, *gallery]
    assert run("train_val_leakage", make_trace(rows=[*alone, *asked])) is None
    assert expect("train_val_leakage", make_trace(rows=alone)).evidence[0].value == 0.75
    unknown = [r for r in alone if r["k"] != "pool"]
    expect("train_val_leakage", make_trace(rows=[*unknown, *asked]))


def test_windows_of_tokens_that_repeat_in_training_meet_in_evaluation_too() -> None:
    train, labels = points(200, 1)
    other, truth = points(200, 2)
    phrases = [*train[:160], *train[10:50]], [*labels[:160], *labels[10:50]]  # a fifth comes again
    held_out = rows(train[:60] + other[60:], labels[:60] + truth[60:], grad=False)
    tokens, numbers = (forward_row(1, **{"in": [tensor_row(dtype=d)]}) for d in ("int64", "float32"))
    sides = [eval_row(), *rows(*phrases), *held_out]
    assert run("train_val_leakage", make_trace(rows=[*sides, tokens])) is None
    expect("train_val_leakage", make_trace(rows=[*sides, numbers]))


def test_samples_that_are_compared_with_a_training_set_that_holds_them_leak() -> None:
    pool = points(200, 1)
    drawn = by_hand(rows(*pool))
    gallery = by_hand(rows(*pool, grad=False, size=200), 10)
    asked = by_hand(rows(pool[0][:50], pool[1][:50], grad=False, size=50), 10)
    whole = {"k": "pool", "i": 3, "n": 200}
    sides = [eval_row(9), whole, *drawn, *gallery]
    expect("train_val_leakage", make_trace(rows=[*sides, *asked]))
    assert run("train_val_leakage", make_trace(rows=sides)) is None, "training samples that are looked at"


def test_the_pool_that_hard_samples_are_chosen_from_is_no_evaluation() -> None:
    pool, labels = points(600, 1)
    drawn = by_hand(rows(pool[::3], labels[::3]))
    scores = by_hand(rows(pool, labels, grad=False, size=300), 10)
    held_out = by_hand(rows(*points(100, 2), grad=False, size=100), 10)
    seen = [eval_row(9), *drawn, *scores, *held_out]
    known, other = {"k": "pool", "i": 1, "n": 600}, {"k": "pool", "i": 1, "n": 330}
    assert run("train_val_leakage", make_trace(rows=[known, *seen])) is None
    expect("train_val_leakage", make_trace(rows=[other, *seen]))


def test_calls_on_training_samples_are_known_by_what_training_showed_later() -> None:
    (train, labels), (other, truth) = points(200, 1), points(100, 2)
    first = by_hand(rows(train, labels, grad=False, size=20), 10)
    sides = [*by_hand(rows(train, labels)), *first, *by_hand(rows(other, truth, grad=False, size=20), 10)]
    assert (
        run("train_val_leakage", make_trace(rows=[eval_row(9), print_row(9, train_ndcg=1.0), *sides])) is None
    )


def test_episodes_that_a_policy_walks_through_and_learns_from_afterwards_are_no_evaluation() -> None:
    inputs, labels = points(200, 1)
    other, truth = points(200, 2)
    walked = rows(inputs[:60] + other[60:], labels[:60] + truth[60:], grad=False)
    both = [*rows(inputs, labels), *walked]
    both.append(loader_row(id=1, sampler="SequentialSampler"))
    expect("train_val_leakage", make_trace(rows=[eval_row(), *both]))
    acting = make_trace(rows=[eval_row(), *both, {"k": "acts", "steps": 90}])
    assert isinstance(run("train_val_leakage", acting), Missing)


def test_answers_to_all_samples_may_be_selected_afterwards() -> None:
    pool, labels = points(200, 1)
    parts = [by_hand(rows(pool[:150], labels[:150], size=150), i) for i in range(1, 5)]
    everything = by_hand(rows(pool, labels, grad=False, size=200), 10)
    seen = [eval_row(9), {"k": "pool", "i": 1, "n": 200}, *(r for p in parts for r in p), *everything]
    assert isinstance(run("train_val_leakage", make_trace(rows=seen)), Missing)
    split = [r | {"n": 150} if r["k"] == "pool" else r for r in seen]
    assert expect("train_val_leakage", make_trace(rows=split)).evidence[0].value == 0.75


def test_a_gallery_that_augmented_samples_meet_by_and_by_is_no_leak() -> None:
    pool, other = points(200, 1), points(50, 2)
    drawn = by_hand(rows(pool[0][:150], pool[1][:150]))  # unchanged by their augmentation

    def evaluated(shares: list[float]) -> Any:
        calls = [by_hand([r | {"known": k} for r in rows(*pool, grad=False, size=200)], 10 * i)
                 + by_hand([r | {"known": 0.0} for r in rows(*other, grad=False, size=50)], 10 * i)
                 for i, k in enumerate(shares, 1)]  # fmt: skip
        return make_trace(rows=[eval_row(9), *drawn, *(r for c in calls for r in c)])

    assert run("train_val_leakage", evaluated([0.0, 0.2, 0.3, 0.4])) is None
    assert expect("train_val_leakage", evaluated([0.4, 0.4, 0.4, 0.4])).evidence[0].value == 0.75


def test_training_samples_whose_loss_is_printed_as_that_of_training_are_looked_at_on_purpose() -> None:
    train, labels = points(200, 1)
    augmented = [[v + 0.01 * (k % 3) for v in p] for k, p in enumerate(train)]  # a third is shown as it is
    sides = [*by_hand(rows(augmented, labels)), *by_hand(rows(train, labels, grad=False, size=200), 10)]
    both = eval_row(9, loss=[0.31, 0.52], loss_of=[[200, None], [90, None]])
    expect("train_val_leakage", make_trace(rows=[both, print_row(9, val_loss=0.31), *sides]))
    said = print_row(9, train=0.3101, test=0.52)
    assert run("train_val_leakage", make_trace(rows=[both, said, *sides])) is None


def test_users_alone_are_no_copies_of_users_with_their_items() -> None:
    pairs = [[float(k % 20), 50.0 * (k // 20)] for k in range(400)]
    train = rows(pairs, [0.0] * 400)
    alone = rows([[float(k)] for k in range(40)], [0.0] * 40, grad=False)
    for row in alone:
        if row["k"] == "ids":
            row["h"] = train[1]["h"]
    found = run("train_val_leakage", make_trace(rows=[eval_row(), *train, *alone]))
    assert found == Missing("evaluations that are shown the same indexes as training")


def test_held_out_rows_that_another_table_holds_are_found_by_their_names() -> None:
    def shared(share: float, again: float = 0.0) -> Any:
        row = {
            "k": "shared",
            "i": 3,
            "name": "held",
            "other": "loans",
            "rows": 700,
            "share": share,
            "again": again,
        }
        return run("train_val_leakage", make_trace(rows=[eval_row(), row]))

    without = {
        "k": "shared",
        "i": 3,
        "name": "check",
        "other": "train",
        "rows": 90,
        "share": 1.0,
        "again": 0.0,
    }
    assert isinstance(run("train_val_leakage", make_trace(rows=[without])), Finding), (
        "functions of the script's own"
    )
    assert isinstance(run("train_val_leakage", make_trace()), Missing)
    seen = shared(0.94)
    assert isinstance(seen, Finding)
    assert "658 of the 700 rows of 'held'" in seen.why
    assert not isinstance(shared(0.01), Finding)
    assert not isinstance(shared(0.3, again=0.2), Finding), "rows that come again by nature"


def test_one_of_many_draws_on_the_way_is_part_of_training() -> None:
    (train, labels), (other, truth) = points(200, 1), points(400, 2)
    search = by_hand(rows(train[:24] + other[:16], labels[:24] + truth[:16], grad=False, size=40), 20)
    draws = by_hand(rows(other[40:240], truth[40:240], grad=False, size=40), 10)
    sides = [eval_row(9), *by_hand(rows(train, labels))]
    expect("train_val_leakage", make_trace(rows=[*sides, *search]))
    assert run("train_val_leakage", make_trace(rows=[*sides, *draws, *search])) is None
    repeated = [r | {"i": 30} for r in search]
    expect("train_val_leakage", make_trace(rows=[*sides, *draws, *search, *repeated]))


def test_the_training_set_that_is_scored_in_calls_and_told_as_such_is_no_held_out_set() -> None:
    inputs, labels = points(160, 1)
    known = [k for k in range(150) if k % 5]
    shown = by_hand(rows([inputs[k] for k in known], [labels[k] for k in known]))
    calls = by_hand(rows(inputs[:150], labels[:150], grad=False, size=50), 10)
    whole = eval_row(9, loss=[0.25, 0.9], loss_of=[[170, None], [60, None]], seen=[0.1, 0.0])

    def seen(name: str) -> Trace:
        return make_trace(rows=[whole, print_row(9, None, **{name: 0.25}), *shown, *calls])

    assert run("train_val_leakage", seen("train_loss")) is None
    expect("train_val_leakage", seen("valid_loss"))


def windows(shared: int, loader: int | None = 2, i: int = 10) -> Row:
    return {"k": "windows", "i": i, "loader": loader, "n": 100, "shared": shared}


def test_windows_of_one_recording_on_both_sides_are_found() -> None:
    both = [*rows(*points(200, 1)), *rows(*points(200, 2), grad=False)]
    made = make_trace(rows=[eval_row(), *both, windows(60), windows(98)])
    finding = expect("train_val_leakage", made)
    assert "158 of 200 evaluation windows" in finding.why
    assert interventions("train_val_leakage", made) == (), "nothing would be left to learn from"
    at_the_cut = make_trace(rows=[eval_row(), *both, windows(30), windows(2)])
    assert run("train_val_leakage", at_the_cut) is None


def test_windows_that_all_reach_over_a_cut_are_sound() -> None:
    both = [*rows(*points(200, 1)), *rows(*points(200, 2), grad=False)]

    def found(begins: list[int], ends: list[int]) -> bool:
        row = {**windows(98), "begins": begins, "ends": ends}
        return run("train_val_leakage", make_trace(rows=[eval_row(), *both, row])) is not None

    assert found([40, 50], [35, 50])
    assert not found([40, 50], [8, 50]), "behind the cut"
    assert not found([8, 50], [40, 50]), "before it"
    assert found([40, 50], [0, 1]), "too few to tell"


def test_windows_whose_loss_is_told_as_that_of_training_are_looked_at_on_purpose() -> None:
    told = eval_row(i=9, loss=[0.25, 0.5], loss_of=[[100, None], [100, None]])
    line = print_row(i=9, train_loss=0.25, val_loss=0.5)
    both = [*rows(*points(200, 1)), *rows(*points(200, 2), grad=False)]
    assert run("train_val_leakage", make_trace(rows=[told, line, *both, windows(98, None)])) is None


def test_near_copies_of_training_inputs_are_found_and_left_out_for_a_test() -> None:
    both = [*rows(*points(200, 1)), *rows(*points(200, 2), grad=False)]
    few = [{"k": "near", "i": 10, "loader": 2, "n": 100, "related": 12, "prints": [5]}]
    copies = [{"k": "near", "i": 10, "loader": 2, "n": 100, "related": 88, "prints": [7, 3]}]
    assert run("train_val_leakage", make_trace(rows=[eval_row(), *both, *few])) is None
    made = make_trace(rows=[eval_row(), *both, *copies])
    assert "88 of 100 evaluation inputs are near copies" in expect("train_val_leakage", made).why
    assert interventions("train_val_leakage", made) == ({"name": "ignore_samples", "prints": [3, 7]},)


def test_a_training_set_in_calls_of_the_size_of_the_held_out_ones_is_met_by_and_by() -> None:
    pool, other = points(160, 1), points(80, 2)
    drawn = by_hand(rows(pool[0][:60], pool[1][:60]))

    def evaluated(shares: list[float]) -> Any:
        calls: list[Row] = []
        for i, k in enumerate(shares, 1):
            calls += by_hand([r | {"known": k} for r in rows(*pool, grad=False, size=40)], 10 * i)
            calls += by_hand([r | {"known": 0.0} for r in rows(*other, grad=False, size=40)], 10 * i)
        return make_trace(rows=[eval_row(9), *drawn, *calls])

    assert run("train_val_leakage", evaluated([0.1, 0.15, 0.25, 0.3])) is None
    expect("train_val_leakage", evaluated([0.3, 0.3, 0.3, 0.3]))


def test_answers_that_are_picked_for_both_sides_are_left_out_for_a_test() -> None:
    row = {"k": "shared", "i": 3, "name": "split.valid", "other": "what is trained on", "rows": 60, "share": 0.5,
           "again": 0.0, "both": [3, 5]}  # fmt: skip
    trace = make_trace(rows=[eval_row(), row])
    assert (
        "30 of the 60 rows of 'split.valid' are rows of what is trained on"
        in expect("train_val_leakage", trace).why
    )
    assert interventions("train_val_leakage", trace) == ({"name": "ignore_samples", "rows": [3, 5]},)
