"""What counts as proof, change by change, on runs made by hand."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from tests.detectors.build import (
    falling,
    flat,
    forward_row,
    loss_row,
    make_trace,
    print_row,
    steps_of,
    tensor_row,
)

from lossdoctor.detectors.base import MERE, TENTATIVE, found
from lossdoctor.detectors.catalogue import rule
from lossdoctor.model import Trace
from lossdoctor.tools.code.changing import CHANGE
from lossdoctor.tools.confirm import CRITERIA, described, judge
from lossdoctor.tools.criteria import Runs, lower
from lossdoctor.tools.evaluation_criteria import in_known_units, missed, missed_by_size
from lossdoctor.tools.term_criteria import term_learned, terms_lower


def run(losses: list[float], held: float | None = None, right: float | None = None, **more: Any) -> Trace:
    row: dict[str, Any] = {"k": "eval", "i": 99, "modes": ["eval"], "loss": [], "acc": [], "n": []}
    if held is not None:
        row |= {"loss": [held], "n": [50], "seen": [0.0]}
    if right is not None:
        row |= {"acc": [right], "n": [50]}
    rows = [
        *more.pop("rows", ()),
        *([{**row, "i": 49}, row] if held is not None or right is not None else []),
    ]
    return make_trace(losses, rows=rows, **more)


def proven(name: str, before: Trace, after: Trace) -> bool | None:
    return CRITERIA[name](Runs(before, after, {"name": name}))[0]


@pytest.mark.parametrize(
    ("now", "proves"),
    [
        ([0.61, 0.66, 0.55, 0.53, 0.55], True),  # overfits later, and never comes near what it was
        ([0.08, 0.66, 0.55, 0.53, 0.55], True),  # rises
        ([0.66, 0.55, 0.4, 0.35, 0.3], False),  # falls, and is nearer to what it was
        ([0.66, 0.5, 0.3, 0.1, 0.06], False),  # falls to where it was
    ],
)
def test_a_printed_score_that_ends_nearer_to_its_best_than_to_what_it_was_is_higher(
    now: list[float], proves: bool
) -> None:
    def told(values: list[float]) -> Trace:
        rows = [print_row(20 * (k + 1), recall_at_1=v) for k, v in enumerate(values)]
        return run([0.3 + 0.01 * (i % 3) for i in range(100)], rows=rows)

    runs = Runs(told([0.04, 0.054, 0.07, 0.048, 0.05]), told(now), {"name": "flip_gradient"})
    assert lower(runs)[0] is proves


@pytest.mark.parametrize(
    ("was", "now", "proves"),
    [
        ([0.14, 0.142, 0.145, 0.15], [0.15, 0.17, 0.19, 0.195], False),  # near chance, and still there
        ([0.14, 0.142, 0.145, 0.15], [0.15, 0.2, 0.24, 0.25], True),
        ([0.02, 0.021, 0.02, 0.02], [0.02, 0.03, 0.04, 0.045], True),  # twice as much of what is hard to find
        ([2.0, 2.1, 2.0, 2.0], [2.1, 2.5, 2.6, 2.7], True),  # no share
    ],
)
def test_a_share_must_gain_a_tenth_of_what_was_missing_or_as_much_again(
    was: list[float], now: list[float], proves: bool
) -> None:
    def told(values: list[float]) -> Trace:
        rows = [print_row(20 * (k + 1), win_rate=v) for k, v in enumerate(values)]
        return run([0.3 + 0.01 * (i % 3) for i in range(100)], rows=rows)

    assert lower(Runs(told(was), told(now), {"name": "flip_gradient"}))[0] is proves


@pytest.mark.parametrize(
    ("held", "proves"),
    [((3e3, 0.02), True), ((3e3, 0.25), False), ((150.0, 0.01), False)],
)
def test_losses_in_two_units_are_compared_relative_to_that_of_a_constant(
    held: tuple[float, float], proves: bool
) -> None:
    """A held-out loss of 3,000 in units of a variance of 10,000 is no more than one of 0.25 in units of one."""
    change = {"name": "standardise_targets"}
    raw = loss_row(fn="mse_loss", target={"shape": [8], "mean": 400.0, "std": 100.0})
    unit = loss_row(fn="mse_loss", target={"shape": [8], "mean": 0.0, "std": 1.0})
    before = run(falling(start=1.7e5, end=held[0]), held=held[0], rows=[raw])
    after = run(falling(start=1.0, end=held[1]), held=held[1], rows=[unit])
    runs = Runs(before, after, change)
    assert runs.held_back() == pytest.approx((held[0] / 1e4, held[1]))
    assert missed(runs)[0] is proves


@pytest.mark.parametrize(("was", "now", "proves"), [(1.2, 0.1, True), (0.4, 0.1, True), (0.15, 0.1, False)])
def test_losses_without_a_constant_level_are_compared_by_what_answers_leave(
    was: float, now: float, proves: bool
) -> None:
    """Of a loss of unknown form no other unit can be worked out: its fall by a factor of 1e5 says nothing."""
    change = {"name": "standardise_targets"}

    def told(left: float, unit: float) -> Trace:
        draw = random.Random(1)
        targets = [draw.gauss(0, unit) for _ in range(400)]
        row = {"k": "answered", "i": 100, "grad": True, "loader": 0, "epoch": 1, "y": targets,
               "p": [[y + left**0.5 * draw.gauss(0, unit)] for y in targets]}  # fmt: skip
        return run(falling(start=unit, end=unit / 2), rows=[row])

    runs = Runs(told(was, 1e5), told(now, 1.0), change)
    assert in_known_units(missed)(runs)[0] is proves


def test_a_printed_r2_is_a_held_out_loss_where_none_was_measured() -> None:
    def told(end: float, **settings: Any) -> Trace:
        return run(
            falling(),
            rows=[{**print_row(i), "v": {"held-out r2": v}} for i, v in ((9, 0.1), (99, end))],
            **settings,
        )

    assert Runs(told(0.9), told(0.96), {"name": "mask_padding"}).held_back() == pytest.approx((0.1, 0.04))
    assert proven("mask_padding", told(0.9), told(0.96))
    assert proven("mask_padding", told(0.9), told(0.91)) is False
    assert proven("mask_padding", told(0.9, held=0.5), told(0.96, held=0.5)) is False, (
        "the loss itself is known"
    )


@pytest.mark.parametrize(("name", "much"), [("standardise_inputs", True), ("scale_lr", False)])
def test_what_large_inputs_cost_at_first_was_not_won(name: str, much: bool) -> None:
    """Of the 1.0 that a constant answer costs 0.4 were missed; of the 40 that the first answers cost, hardly any."""
    loss = loss_row(fn="mse_loss", target={"shape": [32], "mean": 0.0, "std": 1.0})
    before, after = (run(falling(start=40.0, end=v), held=v, rows=[loss]) for v in (0.5, 0.1))
    assert missed(Runs(before, after, {"name": name, "factor": 10.0}))[0] is much


def test_better_data_show_in_evaluation_only() -> None:
    for name in ("vote_labels", "align_evaluation"):
        assert proven(name, run(flat(), right=0.5), run(flat(), right=0.7))
        assert proven(name, run(flat(), held=2.0), run(flat(), held=0.9))
        assert proven(name, run(flat(), held=2.0), run(falling(), held=1.9)) is False
        assert proven(name, run(flat()), run(falling())) is None, "no evaluation: nothing is decided"


@pytest.mark.parametrize(("error", "proof"), [(0.1, True), (0.9, False)])
def test_where_held_out_amounts_are_as_wrong_their_typical_error_tells(error: float, proof: bool) -> None:
    def told(size: float) -> Trace:
        """A tenth of the targets is far from any answer, which the mean of the squares is made of."""
        targets = [float(k) for k in range(100)]
        answered = [[y + (500 if k % 10 == 0 else size)] for k, y in enumerate(targets)]
        row = {"k": "scored", "i": 100, "grad": False, "loader": 1, "y": targets, "p": answered}
        return run(flat(), held=2.0, rows=[row])

    assert proven("trim_errors", told(1.0), told(error)) is proof
    assert proven("vote_labels", told(1.0), told(error)) is False


@pytest.mark.parametrize(
    ("was", "now", "much"),
    [
        (1.6, 1.2, True),  # of 1.1 that can be won from 2.3, 0.4 were missed
        (1.3, 1.1, False),
        (0.5, 0.2, True),  # less, but more than half of what was left
        (0.2, 0.08, False),
    ],
)
def test_where_nothing_else_speaks_for_a_fault_the_change_must_bring_much(
    was: float, now: float, much: bool
) -> None:
    change = {"name": "scale_lr", "factor": 10.0}
    before, after = (run(falling(end=end, start=2.3), held=end) for end in (was, now))
    assert missed(Runs(before, after, change))[0] is much
    bare, better = (run(falling(end=end, start=2.3)) for end in (was, now))
    assert missed(Runs(bare, better, change))[0] is much
    heart = run(falling(end=now, start=2.3), held=was)
    assert missed(Runs(before, heart, change))[0] is False


def test_a_larger_model_must_answer_much_better() -> None:
    def told(**ends: tuple[float, float]) -> bool | None:
        before, after = (
            run(falling(end=0.5, start=2.3), **{k: v[n] for k, v in ends.items()}) for n in (0, 1)
        )
        return missed_by_size(Runs(before, after, {"name": CHANGE}))[0]

    assert told(held=(1.6, 1.2))
    assert told(held=(0.5, 0.2)) is False, "a matter of taste, although more than half of what was left"
    assert told(held=(0.4, 0.04)), "a tenth of what was left"
    assert told(held=(0.15, 0.01)) is False, "nearly all was won before"
    assert told(right=(0.5, 0.8))
    assert told(right=(0.8, 0.95)) is False
    assert told() is None, "training alone may be learned by heart"


def test_fewer_calls_in_a_row_are_judged_by_held_out_answers_alone() -> None:
    def told(before: float | None, after: float | None) -> str:
        runs = (run(flat(level=3.0), held=before), run(falling(), held=after), {"name": CHANGE})
        return judge(found(rule("exploding_gradient"), TENTATIVE, "why"), *runs).finding.status

    assert told(1.2, 0.1) == "confirmed"
    assert told(1.2, 1.2) != "confirmed", "fewer are easier to fit"
    assert told(None, None) == "suspected"


def test_a_mere_suspicion_is_judged_by_what_was_missed() -> None:
    change = {"name": "scale_lr", "factor": 10.0}
    before, after = run(falling(end=1.3, start=2.3), held=1.3), run(falling(end=1.1, start=2.3), held=1.1)
    said = [
        judge(found(rule("lr_too_low"), sure, "why"), before, after, change).finding.status
        for sure in (TENTATIVE, MERE)
    ]
    assert said[0] == "confirmed"
    assert said[1] != "confirmed"


def test_training_that_stops_at_its_best_must_end_with_a_lower_evaluation_loss() -> None:
    assert proven("stop_updates", run(falling(), held=1.0), run(flat(), held=0.6))
    assert proven("stop_updates", run(falling(), held=1.0), run(flat(), held=0.95)) is False


def test_what_the_model_lived_on_is_missed_when_it_is_gone() -> None:
    for name in ("without_feature", "ignore_padding"):
        assert proven(name, run(falling()), run(flat()))
        assert proven(name, run(falling()), run(falling())) is False
        assert proven(name, run(falling()), run([float("nan")] * 100)) is False
    assert proven("without_feature", run(flat()), run(falling())) is False
    assert proven("ignore_padding", run(flat()), run(falling())), "what was left out had its part in the loss"


@pytest.mark.parametrize("name", ["held-out r@1", "map", "map@10", "top-5", "miou", "nmi", "val ap"])
def test_a_printed_score_at_rest_speaks_against_a_longer_run(name: str) -> None:
    was, now = (
        run(falling(60, *ends), rows=[{**print_row(i), "v": {name: v}} for i, v in ((50, 0.95), (99, 0.96))])
        for ends in ((2.3, 1.2), (1.2, 0.3))
    )
    assert proven("train_on", was, now) is None
    assert proven("train_on", run(falling(60, 2.3, 1.2)), run(falling(60, 1.2, 0.3)))


def test_as_many_steps_again_must_bring_much_to_held_out_answers() -> None:
    def again(was: Trace, now: Trace) -> bool | None:
        return proven("train_on", was, now)

    first, second = falling(60, 2.3, 1.2), falling(60, 1.2, 0.7)
    assert again(run(first, held=1.3), run(second, held=0.8))
    assert again(run(first, held=1.3), run(second, held=1.3)) is False, "only training gains"
    assert again(run(first, held=1.3), run(second, held=1.1)) is None, "something, not much"
    assert again(run(first, held=0.05), run(second, held=0.01)) is None, "little is left to gain"
    assert again(run(first, right=0.6), run(second, right=0.8))
    assert again(run(first, right=0.97), run(second, right=0.97, held=0.1)) is False
    assert again(run(first), run(falling(60, 1.2, 0.5))), (
        "no held-out answers: training, of which more is asked"
    )
    assert again(run(first), run(second)) is None
    assert again(run(first, held=1.3), run(first, held=0.8)) is None, "it did not begin where the other ended"
    scored = [run(f, held=h, rows=[print_row(50, iou=0.9), print_row(99, iou=v)]) for f, h, v in
              ((first, 1.3, 0.9), (second, 0.8, 0.95), (second, 0.8, 1.05))]  # fmt: skip
    assert again(scored[0], scored[1]) is None, "a printed score gains little"
    assert again(scored[0], scored[2])
    assert again(run(first, held=-1.3), run(second, held=-2.0)) is None, (
        "shares of negative losses say nothing"
    )


def test_what_flattered_evaluation_is_missed_there() -> None:
    assert proven("ignore_samples", run(flat(), right=0.99), run(flat(), right=0.9))
    assert proven("ignore_samples", run(flat(), held=0.1), run(flat(), held=0.4))
    assert proven("ignore_samples", run(flat(), right=0.9), run(flat(), right=0.95, held=0.1)) is None
    assert proven("ignore_samples", run(flat(), held=0.4), run(flat(), held=0.4)) is False


@pytest.mark.parametrize(("before", "after", "expected"), [
    (run(falling(), right=0.1), run(flat(), right=0.1), True),
    (run(falling(), right=0.8), run(flat(), right=0.1), False),
    (run(flat(), held=2.5), run(flat(), held=2.4), True),
    (run(flat(), held=1.0), run(flat(), held=2.4), False),
    (run(flat()), run(flat()), True),
    (run(falling()), run(flat()), False),
])  # fmt: skip
def test_random_targets_are_as_good_as_real_ones_only_if_those_say_nothing(
    before: Trace, after: Trace, expected: bool
) -> None:
    assert proven("shuffle_labels", before, after) is expected


def test_rare_classes_are_found_or_not() -> None:
    def judged(right: int, wrong: int = 0) -> Trace:
        labels = [0] * 90 + [1] * 10
        ids = {"k": "ids", "i": 1, "grad": True, "loader": 0, "epoch": 0, "h": list(range(100)), "y": labels}
        answers = [1] * wrong + [0] * (90 - wrong) + [1] * right + [0] * (10 - right)
        scored = {"k": "scored", "i": 99, "grad": False, "loader": 1, "epoch": 0, "y": labels, "p": answers,
                  "m": [1.0] * 100, "known": 0.0}  # fmt: skip
        return run(flat(), right=0.9, rows=[ids, scored])

    assert proven("balance_classes", judged(0), judged(7))
    assert proven("balance_classes", judged(0), judged(1)) is False
    suspect = found(rule("class_imbalance"), 0.8, "why")
    one = judge(suspect, judged(0), judged(1), {"name": "balance_classes"}).finding
    assert one.status == "suspected", "the change did not reach the run"
    other = judged(1).model_copy(update={"steps": run([v + 0.01 for v in flat()]).steps})
    assert judge(suspect, judged(0), other, {"name": "balance_classes"}).finding.status == "refuted"
    apart, alike = (
        judge(suspect, judged(0), judged(6, n), {"name": "balance_classes"}).finding for n in (18, 40)
    )
    assert apart.status == "confirmed"
    assert (alike.status, "44 % of the others" in (alike.proof or "")) == ("refuted", True)
    found_before = judged(5).model_copy(update={"steps": other.steps})
    assert judge(suspect, judged(5), found_before, {"name": "balance_classes"}).finding.status == "suspected"
    short = other.model_copy(update={"steps": other.steps[:5]})
    assert judge(suspect, judged(0), short, {"name": "balance_classes"}).finding.status == "suspected"


def test_what_is_apart_without_exception_counts_however_wild_the_steps_are() -> None:
    wild = [8.0 if k % 2 else 40.0 for k in range(130)]
    suspect = found(rule("lr_too_high"), 0.8, "why")
    change = {"name": "scale_lr", "factor": 0.01}
    assert judge(suspect, run(wild), run(flat(130, level=0.1)), change).finding.status == "confirmed"
    mixed = [6.0 if k % 2 else 30.0 for k in range(130)]
    assert judge(suspect, run(wild), run(mixed), change).finding.status == "refuted"


def test_runs_with_other_batches_are_compared_by_means_of_equally_many_samples() -> None:
    skewed = [0.0, 0.0, 0.0, 4.0] * 40  # a median of 0 and a mean of 1
    suspect = found(rule("batch_size_too_small"), 0.3, "why")
    change = {"name": "split_batch", "factor": 4}
    joined = run([1.0] * 40)
    assert Runs(joined, run(skewed), change).losses()[1][-1][1] == 1.0
    assert judge(suspect, joined, run(skewed), change).finding.status != "confirmed"


def test_updates_that_a_loss_scaler_withheld_count_as_passes() -> None:
    """The losses are the same at the same update; after as many batches they are not."""
    skips = [{"k": "skip", "i": 10, "scale": 1e9, "loss": [1.0]} for _ in range(90)]
    few, all_of_them = run(falling(10, 2.0, 1.8), rows=skips), run(falling(100, 2.0, 0.7))
    change = {"name": "no_autocast"}
    assert lower(Runs(few, all_of_them, change))[0] is True
    assert lower(Runs(run(falling(10, 2.0, 1.8)), all_of_them, change))[0] is False


def test_a_mere_suspicion_is_not_proven_by_what_is_learned_by_heart() -> None:
    suspect, change = found(rule("lr_too_low"), TENTATIVE, "why"), {"name": "scale_lr", "factor": 100.0}
    before = run(flat(), right=0.5)
    assert judge(suspect, before, run(falling(), right=0.4), change).finding.status == "suspected"
    assert judge(suspect, before, run(falling(), right=0.6), change).finding.status == "confirmed"
    sure = suspect.model_copy(update={"confidence": 0.8})
    assert judge(sure, before, run(falling(), right=0.4), change).finding.status == "confirmed"


def test_a_run_that_fits_well_must_gain_on_held_out_samples_too() -> None:
    suspect, change = found(rule("grad_clip_too_tight"), TENTATIVE, "why"), {"name": "no_clip"}
    classes = [loss_row()]  # four balanced classes: a constant answer costs 1.386

    def judged(held: float) -> str:
        before = run(falling(end=0.2), held=0.3, rows=classes)
        after = run(falling(end=0.02), held=held, rows=classes)
        return judge(suspect, before, after, change).finding.status

    assert [judged(held) for held in (0.3, 0.1)] == ["suspected", "confirmed"]


def test_a_mere_suspicion_is_not_proven_while_held_out_answers_stay_those_of_a_constant() -> None:
    suspect, change = found(rule("bad_initialization"), TENTATIVE, "why"), {"name": "reinitialise"}
    classes = [loss_row()]  # four balanced classes: a constant answer costs 1.386
    before = run(flat(), held=1.42, rows=classes)
    judged = [
        judge(suspect, before, run(falling(), held=h, rows=classes), change).finding.status
        for h in (1.38, 0.6)
    ]
    assert judged == ["suspected", "confirmed"]
    far = run(flat(), held=5.6, rows=classes)
    gained = judge(suspect, far, run(falling(), held=1.4, rows=classes), change).finding
    assert gained.status == "confirmed", "held-out answers come far nearer"


def test_a_run_that_gets_worse_when_it_goes_on_was_not_stopped_too_early() -> None:
    suspect, change = found(rule("early_stopping_misconfigured"), 0.8, "why"), {"name": "train_on"}
    first, second = falling(60, 2.3, 1.2), falling(60, 1.2, 0.7)
    worse, same = (
        judge(suspect, run(first, held=1.3), run(second, held=h), change).finding.status for h in (2.0, 1.3)
    )
    assert (worse, same) == ("refuted", "suspected")


def test_recorded_samples_are_not_printed_in_a_proof() -> None:
    assert (
        described({"name": "vote_labels", "x": [[1.0]], "y": [1.0], "classes": True})
        == "vote_labels classes=True"
    )


def test_a_printed_return_speaks_where_losses_say_little() -> None:
    def played(values: list[float]) -> Trace:
        printed = [
            {"k": "print", "i": 20 * k, "v": {"return": v}, "line": ""} for k, v in enumerate(values, 1)
        ]
        return run(flat(), rows=printed)

    suspect, change = found(rule("lr_too_high"), 0.7, "why"), {"name": "scale_lr", "factor": 0.01}
    poor = played([-0.6, -0.6, -0.6, -0.6])
    assert judge(suspect, poor, played([-0.2, 0.4, 0.8, 0.84]), change).finding.status == "confirmed"
    assert judge(suspect, poor, played([-0.6, -0.5, -0.6, -0.58]), change).finding.status == "refuted"
    assert judge(suspect, poor, played([0.9, -0.9, 0.8, -0.1]), change).finding.status == "refuted", (
        "it jumps"
    )


def test_a_return_that_only_falls_more_slowly_is_no_cure() -> None:
    def played(values: list[float]) -> Trace:
        printed = [
            {"k": "print", "i": 20 * k, "v": {"return": v}, "line": ""} for k, v in enumerate(values, 1)
        ]
        return run(flat(), rows=printed)

    suspect, change = found(rule("lr_too_high"), 0.7, "why"), {"name": "scale_lr", "factor": 0.1}
    sinking = played([0.05, 0.0, 0.01, 0.01])
    assert judge(suspect, sinking, played([0.3, 0.2, 0.16, 0.15]), change).finding.status == "refuted"
    assert judge(suspect, sinking, played([0.88, 0.89, 0.86, 0.84]), change).finding.status == "confirmed", (
        "high at once"
    )


def test_actions_count_by_what_they_earn_and_not_by_the_loss() -> None:
    suspect, change = found(rule("loss_sign_flipped"), 0.3, "why"), {"name": "flip_actions"}
    earned = [[0.05, 0.0, 0.01, 0.0], [0.4, 0.8, 0.95, 0.97], [0.05, 0.0, 0.02, 0.0]]
    before, better, same = (
        run(
            losses,
            rows=[{"k": "print", "i": 20 * k, "v": {"return": v}, "line": ""} for k, v in enumerate(e, 1)],
        )
        for losses, e in zip([flat(), flat(), falling()], earned, strict=True)
    )
    assert judge(suspect, before, better, change).finding.status == "confirmed"
    assert judge(suspect, before, same, change).finding.status != "confirmed"


def terms(*values: float) -> Trace:
    rows = [loss_row(i * 10, fn="mse_loss", value=v) for i, v in enumerate(values, 1)]
    return make_trace(steps=steps_of(flat(level=1.0)), rows=rows)


def test_leaving_out_other_terms_proves_nothing_by_the_total_alone() -> None:
    change = {"name": "loss_function_only"}
    stuck = terms_lower(Runs(terms(0.5, 0.5, 0.5, 0.5), terms(0.5, 0.5, 0.49, 0.49), change))
    mended = terms_lower(Runs(terms(0.5, 0.5, 0.5, 0.5), terms(0.5, 0.3, 0.1, 0.1), change))
    assert stuck == (False, "mse_loss term 0.5 -> 0.49")
    assert mended[0] is True


def test_without_values_of_terms_nothing_is_decided() -> None:
    bare = make_trace(steps=steps_of(flat(level=1.0)), rows=[loss_row(value=None)])
    assert terms_lower(Runs(bare, bare, {"name": "loss_function_only"})) == (None, "")


def test_a_boosted_term_is_learned_only_if_the_others_are_not_given_up() -> None:
    def run_(term: float, others: float) -> Trace:
        rows = [
            {"k": "terms", "i": i, "w": [1.0, 1.0], "v": [v, w], "site": 0}
            for i, (v, w) in enumerate([(0.9, 100.0), (0.9, 40.0), (0.9, 10.0), *[(term, others)] * 3], 1)
        ]
        return make_trace(rows=rows)

    change = {"name": "boost_term", "term": 0, "factor": 100.0}
    before = run_(0.9, 2.0)
    assert term_learned(Runs(before, run_(0.02, 0.5), change))[0] is True
    assert term_learned(Runs(before, run_(0.02, 30.0), change))[0] is False
    assert term_learned(Runs(run_(0.9, 0.01), run_(0.02, 0.1), change))[0] is True
    assert term_learned(Runs(run_(0.9, 0.01), run_(0.02, 0.6), change))[0] is False, "the sum is hardly lower"
    assert term_learned(Runs(before, run_(0.8, 0.01), change))[0] is False
    assert term_learned(Runs(make_trace(), make_trace(), change))[0] is None


def test_a_likelihood_of_the_inputs_in_another_unit_proves_nothing() -> None:
    change = {"name": "standardise_inputs"}
    before, after = make_trace(falling(start=10.0, end=8.0)), make_trace(falling(start=4.0, end=2.0))
    assert lower(Runs(before, after, change)) == (None, "")
    was, now = (make_trace(falling(start=10.0, end=v), rows=[loss_row()]) for v in (8.0, 2.0))
    assert lower(Runs(was, now, change))[0] is True


def test_a_fall_beyond_what_a_unit_can_bring_proves_its_harm() -> None:
    change = {"name": "standardise_inputs"}
    inputs: dict[str, Any] = {"in": [tensor_row(shape=[10, 8], mean=0.0, std=1e6)]}
    call = forward_row(**inputs)
    most = 8 * math.log(1e6)  # nats
    far, near = (make_trace(falling(start=9000.0, end=e), rows=[call]) for e in (3 * most, most))
    after = make_trace(falling(start=0.7, end=0.1))
    assert lower(Runs(far, after, change))[0] is True
    assert lower(Runs(near, after, change)) == (None, "")
    scored = [
        make_trace(t, rows=[call, *(print_row(10 * k, ndcg=v) for k, v in enumerate(values, 1))])
        for t, values in (
            (falling(start=9000.0, end=most), [0.2] * 8),
            (falling(start=0.7, end=0.1), [0.2, 0.4, 0.6, 0.8, 0.9, 0.9, 0.9, 0.9]),
        )
    ]
    assert lower(Runs(scored[0], scored[1], change))[0] is True


def test_history_that_was_kept_for_nothing_is_held_no_longer_at_the_same_loss() -> None:
    def held(steps: int) -> list[dict[str, Any]]:
        return [{"k": "held", "i": i, "steps": min(i, steps), "nodes": 9} for i in (5, 10, 40, 80)]

    before, after = run(falling(), rows=held(80)), run(falling(), rows=held(4))
    assert proven("drop_graphs", before, after)
    assert not proven("drop_graphs", before, run(falling(), rows=held(70)))
    assert proven("drop_graphs", before, run(flat(), rows=held(4))) is None, "it was needed"


def test_losses_that_were_lost_to_missing_values_are_found_again() -> None:
    lost = [0.5 if k % 10 == 0 else math.nan for k in range(100)]
    sick = make_trace(steps=steps_of([0.5, 0.5], loss_values=tuple(lost)))
    well = make_trace(steps=steps_of(falling(20)))
    assert proven("impute", sick, well)
    assert not proven("impute", sick, sick)
    assert not proven("impute", make_trace(flat()), make_trace(flat()))


def test_a_printed_error_that_is_more_than_halved_is_a_gain_where_losses_are_not_of_one_kind() -> None:
    def told(ends: tuple[float, float], name: str = "emd") -> Trace:
        rows = [{**print_row(i), "v": {name: end}} for i, end in zip((49, 99), ends, strict=True)]
        return run(flat(), rows=rows)

    def gained(was: Trace, now: Trace) -> bool | None:
        return lower(Runs(was, now, {"name": "undo_activation"}))[0]

    assert gained(told((0.7, 0.65)), told((0.3, 0.18)))
    assert not gained(told((0.7, 0.65)), told((0.6, 0.5)))
    assert not gained(told((0.7, 0.65), "train mae"), told((0.3, 0.18), "train mae"))
