"""label_misalignment: labels that say nothing about their inputs."""

from __future__ import annotations

import random
from typing import Any

import pytest

from lossdoctor.detectors.base import TENTATIVE, Missing
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.detectors.label_misalignment import nothing_foretells
from lossdoctor.model import Finding, Trace

from .build import batch_row, eval_row, expect, falling, flat, loss_row, make_trace, run, tensor_row
from .sampled import Row, both_sides, moved, points, rows, scored, wrong


def test_labels_moved_by_one_in_training_are_misaligned() -> None:
    finding = expect("label_misalignment", make_trace(rows=[batch_row(), *both_sides(moved)]))
    assert finding.confidence >= 0.9


def test_numbers_moved_by_one_are_misaligned() -> None:
    def side(seed: int, shift: int, grad: bool) -> list[dict[str, object]]:
        inputs, _ = points(200, seed)
        targets = [sum(p) for p in inputs]
        return rows(inputs, [[t] for t in targets[shift:] + targets[:shift]], grad=grad)

    expect("label_misalignment", make_trace(rows=[batch_row(), *side(1, 1, True), *side(2, 0, False)]))


def test_a_rare_class_that_training_hardly_has_is_not_misaligned() -> None:
    (known, _), (other, truth) = points(300, 1), points(200, 2)
    rare = [1 if k % 60 == 0 else 0 for k in range(300)]
    sides = [*rows(known, rare), *rows(other, [int(y == 1) for y in truth], grad=False)]
    assert run("label_misalignment", make_trace(rows=[batch_row(), *sides])) is None


def test_noisy_labels_are_not_misaligned() -> None:
    trace = make_trace(rows=[batch_row(), *both_sides(wrong(0.4))])
    assert run("label_misalignment", trace) is None


def test_labels_drawn_anew_in_each_epoch_are_misaligned() -> None:
    inputs, labels = points(200, 1)
    mixed = [random.Random(seed).sample(labels, len(labels)) for seed in (5, 6)]
    both = [*rows(inputs, mixed[0]), *rows(inputs, mixed[1], epoch=2)]
    assert "each time" in expect("label_misalignment", make_trace(rows=[batch_row(), *both])).why


def test_samples_learned_by_heart_with_held_out_answers_at_chance_are_misaligned() -> None:
    held_out = scored([k % 4 for k in range(200)], [(k // 4) % 4 for k in range(200)], [1.0] * 200)
    both = both_sides(moved, moved)
    assert (
        "fitted"
        in expect("label_misalignment", make_trace(rows=[batch_row(), loss_row(), *both, held_out])).why
    )


def test_random_labels_prove_something_only_where_the_real_ones_are_fitted() -> None:
    both = both_sides(moved, moved)
    known = [batch_row(), loss_row(), *both]
    fitted, flat_run = (make_trace(losses, rows=known) for losses in (falling(end=0.05), flat()))
    assert {c["name"] for c in interventions("label_misalignment", fitted)} == {"shuffle_labels"}
    assert interventions("label_misalignment", flat_run) == ()
    paired = make_trace(flat(), rows=[batch_row(), loss_row(), *both_sides(moved, lambda y: y)])
    assert {c["name"] for c in interventions("label_misalignment", paired)} == {"vote_labels"}


def test_labels_that_the_model_foretells_are_not_misaligned() -> None:
    labels = [k % 4 for k in range(200)]
    held_out = scored(labels, labels[:150] + [0] * 50, [1.0] * 200)
    both = both_sides(moved, moved)
    assert run("label_misalignment", make_trace(rows=[batch_row(), loss_row(), *both, held_out])) is None


def test_a_run_that_does_not_learn_from_sound_pairs_is_silent() -> None:
    trace = make_trace(flat(), rows=[batch_row(), loss_row(), *both_sides()])
    assert run("label_misalignment", trace) is None


def test_without_batches_nothing_is_checked() -> None:
    assert isinstance(run("label_misalignment", make_trace()), Missing)


def masks(seed: int, shift: int, grad: bool) -> list[Row]:
    """Inputs with three target numbers each, which depend on them; ``shift`` gives each the mask of another."""
    inputs, _ = points(120, seed)
    targets = [[sum(p), p[0] - p[1], max(p)] for p in inputs]
    pairs = rows(inputs, targets[shift:] + targets[:shift], grad=grad)
    return [r | {"y": None} if r["k"] == "ids" else r for r in pairs]


def test_masks_moved_by_one_in_training_are_misaligned() -> None:
    trace = make_trace(rows=[batch_row(), *masks(1, 1, True), *masks(2, 0, False)])
    finding = expect("label_misalignment", trace)
    assert "unrelated targets" in finding.why
    assert finding.where.line == 5


def test_masks_of_their_own_inputs_are_not_misaligned() -> None:
    trace = make_trace(rows=[batch_row(), *masks(1, 0, True), *masks(2, 0, False)])
    assert run("label_misalignment", trace) is None


def test_masks_that_near_inputs_foretell_nowhere_are_not_judged() -> None:
    trace = make_trace(rows=[batch_row(), *masks(1, 1, True), *masks(2, 1, False)])
    assert run("label_misalignment", trace) is None


def evaluated(loss: float) -> list[Row]:
    return [eval_row(i, loss=[loss] * 4, acc=[], n=[]) for i in (50, 100)]


def test_a_held_out_loss_well_below_that_of_a_constant_clears_the_labels() -> None:
    seen = [batch_row(), loss_row(), *both_sides(moved)]
    expect("label_misalignment", make_trace(rows=[*seen, *evaluated(1.3)]))
    assert run("label_misalignment", make_trace(rows=[*seen, *evaluated(0.4)])) is None


def test_held_out_answers_well_above_chance_clear_the_labels() -> None:
    labels = [k % 4 for k in range(200)]
    answers = [y if k % 2 else (y + 1) % 4 for k, y in enumerate(labels)]
    seen = [batch_row(), loss_row(), *both_sides(moved)]
    assert run("label_misalignment", make_trace(rows=[*seen, scored(labels, answers, [1.0] * 200)])) is None
    wrong_ones = [(y + 1) % 4 if k % 5 else y for k, y in enumerate(labels)]
    expect("label_misalignment", make_trace(rows=[*seen, scored(labels, wrong_ones, [1.0] * 200)]))


def weighted(scale: float) -> list[Row]:
    """Numbers moved by one and scaled in training, right and unscaled in evaluation."""
    sides = []
    for seed, shift, size, grad in ((1, 1, scale, True), (2, 0, 1.0, False)):
        inputs, _ = points(200, seed)
        targets = [[size * sum(p)] for p in inputs]
        sides += rows(inputs, targets[shift:] + targets[:shift], grad=grad)
    return sides


def test_numbers_of_another_size_are_not_the_same_targets() -> None:
    assert run("label_misalignment", make_trace(rows=[batch_row(), *weighted(50.0)])) is None
    expect("label_misalignment", make_trace(rows=[batch_row(), *weighted(10.0)]))


def test_what_a_critic_is_taught_depends_on_the_action_that_was_drawn() -> None:
    known = [batch_row(), *both_sides(moved)]
    expect("label_misalignment", make_trace(rows=known))
    assert run("label_misalignment", make_trace(rows=[*known, {"k": "acts", "steps": 100}])) is None


def test_labels_that_number_the_places_of_an_episode_are_not_misaligned() -> None:
    def episodes(labels: list[int]) -> list[Row]:
        return [batch_row(), *rows(points(200, 1)[0], labels), *rows(*points(200, 2), grad=False)]

    places = [k % 20 // 5 for k in range(200)]
    turned = [(k + k // 20) % 20 // 5 for k in range(200)]  # in another order in each batch
    assert run("label_misalignment", make_trace(rows=episodes(places))) is None
    expect("label_misalignment", make_trace(rows=episodes(turned)))


def unrelated(held_out: float, end: float = 0.9) -> Trace:
    """Numbers that belong to other inputs on both sides; the loss of a constant answer is 1."""
    sides = []
    for seed, grad in ((1, True), (2, False)):
        inputs, _ = points(200, seed)
        sides += rows(inputs, [[random.Random(7 * seed + k).gauss(0, 1)] for k in range(200)], grad=grad)
    called = loss_row(fn="mse_loss", target=tensor_row(mean=0.0, std=1.0))
    tests = [eval_row(i, loss=[held_out] * 4, acc=[], n=[]) for i in (50, 100)]
    return make_trace(falling(start=1.1, end=end), rows=[batch_row(), called, *sides, *tests])


def test_numbers_that_belong_to_other_inputs_make_held_out_answers_worse_than_a_constant() -> None:
    assert expect("label_misalignment", unrelated(1.4)).confidence == 0.6
    assert run("label_misalignment", unrelated(1.0)) is None
    assert run("label_misalignment", unrelated(0.6)) is None


def test_what_may_be_mere_overfitting_of_numbers_is_left_to_the_proof() -> None:
    fitted = unrelated(1.4, end=0.05)
    assert expect("label_misalignment", fitted).confidence == TENTATIVE
    assert {"name": "shuffle_labels"} in interventions("label_misalignment", fitted)


def test_numbers_of_which_held_out_answers_show_nothing_are_tested_once_some_were_learned_by_heart() -> None:
    """Held-out answers are as good as a constant; only labels at random can tell that from a hard task."""
    some = unrelated(0.97, end=0.6)
    found = expect("label_misalignment", some)
    assert (found.confidence, "no better" in found.why) == (TENTATIVE, True)
    assert {"name": "shuffle_labels"} in interventions("label_misalignment", some)
    assert run("label_misalignment", unrelated(0.97, end=0.95)) is None
    assert run("label_misalignment", unrelated(0.8, end=0.6)) is None


def test_numbers_of_which_little_was_learned_are_tested_where_held_out_answers_are_the_worse_for_it() -> None:
    little = unrelated(1.08, end=0.9)
    assert expect("label_misalignment", little).confidence == TENTATIVE
    assert {"name": "shuffle_labels"} in interventions("label_misalignment", little)
    assert run("label_misalignment", unrelated(1.02, end=0.9)) is None
    assert run("label_misalignment", unrelated(1.08, end=0.98)) is None


def couples(train_shift: int, evaluation_shift: int = 0) -> list[Row]:
    """Two inputs of each sample, the second one of a sample so many places further on."""
    found = []
    for seed, shift, grad in ((1, train_shift, True), (2, evaluation_shift, False)):
        a, _ = points(200, seed)
        b = [[p[0] + p[1], p[2] - p[3], p[4]] for p in a]
        found.append({"k": "couple", "i": 1, "grad": grad, "a": a, "b": b[shift:] + b[:shift]})
    return found


def test_second_inputs_of_other_samples_are_misaligned() -> None:
    assert "two inputs" in expect("label_misalignment", make_trace(rows=[batch_row(), *couples(1)])).why


def test_in_batch_contrasts_are_looked_at_too() -> None:
    """Labels that number the places of a batch say nothing of one input, but of the other one of its pair."""
    inputs, _ = points(200, 3)
    placed = rows(inputs, [float(k % 20) for k in range(200)])
    contrast = make_trace(rows=[batch_row(), *couples(1), *placed])
    assert "two inputs" in expect("label_misalignment", contrast).why
    assert run("label_misalignment", make_trace(rows=[batch_row(), *couples(0), *placed])) is None


def test_inputs_that_belong_together_or_have_no_relation_anywhere_are_not_misaligned() -> None:
    for shifts in ((0, 0), (1, 1), (0, 1)):
        assert run("label_misalignment", make_trace(rows=[batch_row(), *couples(*shifts)])) is None


def test_pairs_that_do_not_belong_together_on_purpose_are_not_misaligned() -> None:
    """Drawn negatives, told by a label or by a call of their own."""
    told = rows(points(40, 3)[0], [k % 2 for k in range(40)])
    labelled = make_trace(rows=[batch_row(), *couples(1), *[r for r in told if r["k"] == "ids"]])
    assert run("label_misalignment", labelled) is None
    calls = [s.model_copy(update={"sequence": "ZFFFBS"}) for s in make_trace().steps]
    assert run("label_misalignment", make_trace(steps=calls, rows=[batch_row(), *couples(1)])) is None


def pairing(
    start: int, end: int, *, drift: float = 1.0, echo: float = 0.2, classes: bool = False, **scores: float
) -> Any:
    moved = {name.replace("minus", "-"): value for name, value in scores.items()}
    part = {"from": start, "to": end, "scores": {"0": 0.0, **moved}}
    whole = {"from": 0, "to": 800, "scores": {"0": 0.4, "-1": 0.2}}
    return {
        "k": "pairing",
        "n": 800,
        "classes": classes,
        "drift": drift,
        "echo": echo,
        "parts": [whole, part],
    }


def test_rows_as_they_were_read_count_beside_those_of_a_split() -> None:
    split = {**pairing(0, 800, minus1=0.0), "placed": True, "n": 640}
    read = {**pairing(0, 800, minus1=0.7), "mark": 12.0}
    trace = make_trace(rows=[batch_row(), split, read])
    assert "of 800" in expect("label_misalignment", trace).why
    again = {"name": "pair_again", "order": "-1", "start": 0, "end": 800, "mark": 12.0, "count": 800}
    assert interventions("label_misalignment", trace) == (again,)


def test_labels_that_go_with_the_row_before_are_misaligned_where_they_do() -> None:
    trace = make_trace(rows=[batch_row(), pairing(600, 800, minus1=0.7)])
    finding = expect("label_misalignment", trace)
    assert "rows 600 to 800 of 800" in finding.why
    again = {"name": "pair_again", "order": "-1", "start": 600, "end": 800}
    assert interventions("label_misalignment", trace) == (again,)


@pytest.mark.parametrize(
    "row",
    [
        pairing(600, 800, minus1=0.3),  # of so few rows it may be chance
        pairing(400, 800, minus1=0.24),
        pairing(600, 800, minus1=0.7, drift=0.5),  # in time what is next is alike
        pairing(600, 800, minus1=0.7, echo=0.995),  # a forecast: the label of the row before is an input
        pairing(600, 800, minus1=0.7, echo=0.8, classes=True),
    ],
)
def test_orders_that_may_be_chance_or_time_are_not_named(row: Any) -> None:
    assert not isinstance(run("label_misalignment", make_trace(rows=[batch_row(), row])), Finding)


def test_labels_of_rows_known_by_their_place_are_put_back_by_place() -> None:
    trace = make_trace(rows=[batch_row(), {**pairing(600, 800, minus1=0.7), "placed": True}])
    rolled = {"name": "roll_labels", "by": -1, "start": 600, "end": 800}
    assert interventions("label_misalignment", trace) == (rolled,)


def asked(*shares: float, times: int = 4) -> Any:
    """Symbols to be foretold, of which these shares stand in the input at the same place, one, two, three on."""
    told = ({"k": "ahead", "i": k + 1, "shares": list(shares)} for k in range(times))
    return make_trace(rows=[batch_row(), *told])


def test_symbols_that_were_shifted_twice_are_told() -> None:
    finding = expect("label_misalignment", asked(0.1, 0.3, 1.0, 0.3))
    assert "2 places on" in finding.why
    assert interventions("label_misalignment", asked(0.1, 0.3, 1.0, 0.3)) == ()
    for shares in ((0.1, 1.0, 0.3, 0.1), (1.0, 0.1, 0.1, 0.1), (0.1, 1.0, 1.0, 1.0), (0.1, 0.3, 0.8, 0.3)):
        assert run("label_misalignment", asked(*shares)) is None
    assert run("label_misalignment", asked(0.1, 0.3, 1.0, 0.3, times=2)) is None


def test_users_and_items_are_near_to_none_so_near_ones_rule_nothing_out() -> None:
    draw = random.Random(0)

    def side(grad: bool, whole: bool) -> list[Row]:
        pairs = [[draw.uniform(0, 90), draw.uniform(0, 90)] for _ in range(200)]
        inputs = [[float(int(v)) for v in p] for p in dict.fromkeys(map(tuple, pairs))] if whole else pairs
        return rows(inputs, [[draw.gauss(0, 1)] for _ in inputs], grad=grad)

    def foretold(whole: bool) -> bool:
        losses = [eval_row(i=i, loss=[1.1]) for i in (50, 100)]
        target = {"shape": [20], "dtype": "float32", "mean": 0.0, "std": 1.0}
        sides = [*side(True, whole), *side(False, whole)]
        return nothing_foretells(make_trace(rows=[loss_row(fn="mse_loss", target=target), *losses, *sides]))

    assert foretold(whole=False)
    assert not foretold(whole=True)
