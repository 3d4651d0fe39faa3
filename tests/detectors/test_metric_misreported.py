from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.detectors.build import (
    eval_row,
    expect,
    falling,
    forward_row,
    loader_row,
    loss_row,
    make_trace,
    print_row,
    run,
    step,
    steps_of,
)

from lossdoctor.detectors.base import Missing
from lossdoctor.model import Finding

FAULT = "metric_misreported"
COUNTS = [32, 32, 8]
BATCHES = ([0.5, 0.6, 0.25], [0.6, 0.7, 0.375], [0.7, 0.9, 0.375])
Shown = Callable[[list[float], int], float]


def evaluations(shown: Shown, name: str = "test_accuracy", loader: int = 1) -> list[dict[str, Any]]:
    rows = []
    for k, values in enumerate(BATCHES):
        i = 10 * (k + 1)
        rows.append(eval_row(i, acc=values, n=COUNTS, acc_of=[loader] * 3, loss=[], loss_of=[]))
        rows.append(
            print_row(i, f"epoch {k} {name} {shown(values, k):.4f}", **{name: round(shown(values, k), 4)})
        )
    return rows


def mean(values: list[float], k: int) -> float:
    return sum(v * n for v, n in zip(values, COUNTS, strict=True)) / sum(COUNTS)


def cumulative(values: list[float], k: int) -> float:
    return sum(mean(v, 0) for v in BATCHES[: k + 1]) / (k + 1)


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        (lambda v, k: v[-1], "last batch"),
        (lambda v, k: v[0], "first batch"),
        (lambda v, k: sum(v) / 72, "divided by the number of samples"),
        (lambda v, k: mean(v, k) * 72 / 3, "number of batches"),
    ],
)
def test_a_wrong_formula_is_named(shown: Shown, told: str) -> None:
    assert told in expect(FAULT, make_trace(rows=evaluations(shown))).why


def test_sums_that_are_never_cleared_are_named() -> None:
    rows = evaluations(cumulative)
    first = expect(FAULT, make_trace(rows=[*rows, *_later(rows)]))
    assert "since the first evaluation" in first.why


def _later(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Further evaluations, so that the first one (which is right either way) is one of many."""
    later = []
    total = [mean(v, 0) for v in BATCHES]
    for k in range(4, 14):
        values = [0.3 * v + 0.05 * k for v in BATCHES[2]]
        total.append(mean(values, 0))
        later.append(eval_row(10 * k, acc=values, n=COUNTS, acc_of=[1] * 3, loss=[], loss_of=[]))
        later.append(print_row(10 * k, test_accuracy=round(sum(total) / len(total), 4)))
    return later


@pytest.mark.parametrize(
    "shown", [mean, lambda v, k: 100 * mean(v, k), lambda v, k: sum(v) / 3, lambda v, k: 72 * mean(v, k)]
)
def test_usual_definitions_are_right(shown: Shown) -> None:
    assert run(FAULT, make_trace(rows=evaluations(shown))) is None


def test_a_metric_of_another_kind_fits_no_formula() -> None:
    assert run(FAULT, make_trace(rows=evaluations(lambda v, k: 0.123 + 0.01 * k))) is None


def test_validation_over_the_training_loader_is_found() -> None:
    rows = [forward_row(loader=0), *evaluations(mean, "val_acc", loader=0)]
    assert "training data" in expect(FAULT, make_trace(rows=rows)).why


def test_training_accuracy_over_the_training_loader_is_what_it_says() -> None:
    outcome = run(FAULT, make_trace(rows=[forward_row(loader=0), *evaluations(mean, "train_acc", loader=0)]))
    assert isinstance(outcome, Missing)


def test_a_teacher_that_answers_each_training_batch_is_no_validation() -> None:
    told = evaluations(mean, "teacher test acc", loader=0)
    steps = steps_of(falling(len(told) // 2))
    taught = [r | {"i": k + 1} for k, r in enumerate(r for r in told if r["k"] == "eval")]
    rows = [forward_row(loader=0), *(r for r in told if r["k"] != "eval"), *taught]
    assert not isinstance(run(FAULT, make_trace(steps=steps, rows=rows)), Finding)
    more = steps_of(falling(10 * len(told)))
    assert isinstance(run(FAULT, make_trace(steps=more, rows=rows)), Finding)


def test_a_tensor_that_comes_from_no_loader_is_not_the_training_data() -> None:
    rows = [forward_row(loader=0), *evaluations(mean, "val_acc", loader=None)]  # type: ignore[arg-type]
    assert run(FAULT, make_trace(rows=rows)) is None


def test_a_denominator_of_batches_times_the_first_batch_size_is_named() -> None:
    rows = evaluations(lambda v, k: mean(v, k) * sum(COUNTS) / (len(COUNTS) * COUNTS[0]))
    assert "times the size of the first" in expect(FAULT, make_trace(rows=rows)).why


def test_that_denominator_is_right_where_all_batches_are_of_one_size() -> None:
    rows = evaluations(lambda v, k: sum(v) * 32 / (3 * 32))
    assert run(FAULT, make_trace(rows=[r | {"n": [32] * 3} if r["k"] == "eval" else r for r in rows])) is None


LEVELS = (0.31, 0.38, 0.47, 0.58, 0.67)


def factored(factor: float, levels: tuple[float, ...] = LEVELS) -> list[dict[str, Any]]:
    """Evaluations whose right accuracy goes through ``levels``, each printed ``factor`` times as large."""
    rows = []
    for k, level in enumerate(levels, 1):
        values = [level, level + 0.01, level - 0.02]
        rows.append(eval_row(10 * k, acc=values, n=COUNTS, acc_of=[1] * 3, loss=[], loss_of=[]))
        rows.append(print_row(10 * k, test_accuracy=round(factor * mean(values, k), 4)))
    return rows


@pytest.mark.parametrize("factor", [0.8, 0.5, 1.25])
def test_a_constant_factor_over_changing_evaluations_is_found(factor: float) -> None:
    finding = expect(FAULT, make_trace(rows=factored(factor)))
    assert f"always {factor} times" in finding.why
    assert finding.evidence[2].value == len(LEVELS)


def test_four_evaluations_show_a_factor_and_three_do_not() -> None:
    assert "always 0.8" in expect(FAULT, make_trace(rows=factored(0.8, LEVELS[:4]))).why
    assert run(FAULT, make_trace(rows=factored(0.8, LEVELS[:3]))) is None


def test_a_factor_of_numbers_that_do_not_change_proves_nothing() -> None:
    assert run(FAULT, make_trace(rows=factored(0.8, (0.5, 0.51, 0.5, 0.52, 0.51)))) is None


NEAR = (0.93, 0.95, 0.96, 0.97, 0.955)


def test_numbers_that_change_little_show_a_factor_where_it_holds_to_the_last_digit() -> None:
    assert "always 0.3 times" in expect(FAULT, make_trace(rows=factored(0.3, NEAR))).why
    other = [r if r["k"] == "eval" else r | {"v": {"test_accuracy": 0.286}} for r in factored(0.3, NEAR)]
    assert run(FAULT, make_trace(rows=other)) is None, "which stays where it is"


@pytest.mark.parametrize(("length", "found"), [(240, True), (72, False), (144, False)])
def test_the_length_of_a_dataset_is_no_denominator_for_a_part_of_it(length: int, found: bool) -> None:
    rows = [loader_row(id=1, len=length), *evaluations(lambda v, k: mean(v, k) * 0.3)]
    result = run(FAULT, make_trace(rows=rows))
    assert (isinstance(result, Finding) and "only a part" in result.why) == found


@pytest.mark.parametrize("factor", [1.0, 100.0])
def test_shares_and_per_cent_are_no_factor(factor: float) -> None:
    assert run(FAULT, make_trace(rows=factored(factor))) is None


def test_without_a_printed_evaluation_it_is_not_checked() -> None:
    rows = [r for r in factored(0.8) if r["k"] == "eval"]
    assert isinstance(run(FAULT, make_trace(rows=rows)), Missing)


def test_a_count_of_right_answers_is_no_factor() -> None:
    """Each printed number is the sum over 720 samples."""
    rows = [r | {"n": [320, 320, 80]} if r["k"] == "eval" else r for r in factored(720)]
    assert run(FAULT, make_trace(rows=rows)) is None


def test_a_sum_over_a_few_batches_is_no_factor() -> None:
    rows = []
    for k, level in enumerate(LEVELS, 1):
        values = [level, level + 0.01, level - 0.02]
        rows.append(eval_row(10 * k, loss=values, loss_of=[[32, 1]] * 3, acc=[], n=[]))
        rows.append(print_row(10 * k, val_loss=round(sum(values), 4)))
    assert run(FAULT, make_trace(rows=rows)) is None


def test_samples_of_their_own_clear_an_evaluation_that_shares_its_loader() -> None:
    rows = [forward_row(loader=0), *evaluations(mean, "val_acc", loader=0)]

    def evaluated(seen: list[float | None]) -> Any:
        return make_trace(rows=[r | {"seen": seen} if r["k"] == "eval" else r for r in rows])

    assert not isinstance(run(FAULT, evaluated([1.0, 0.0, 0.0])), Finding)
    assert "training data" in expect(FAULT, evaluated([1.0, 1.0, None])).why


def test_two_splits_that_are_printed_one_by_one_are_no_batches_of_one_pass() -> None:
    rows = []
    for i, (train, valid) in enumerate(((0.5, 0.6), (0.4, 0.5), (0.3, 0.4))):
        rows.append(
            eval_row(10 * i, loss=[train, valid], loss_of=[[900, None], [400, None]], acc=[], n=[], acc_of=[])
        )
        told = {"train loss": train, "valid loss": valid}
        rows.append(print_row(10 * i, f"valid {valid}", **told))
    assert isinstance(run(FAULT, make_trace(rows=rows)), Missing)
    for row in rows:
        row.get("v", {}).pop("train loss", None)
    assert "last batch only" in expect(FAULT, make_trace(rows=rows)).why


def guessed(printed: list[float], right: float = 0.9, name: str = "val_acc", late: int = 0) -> Any:
    """Evaluations of ten classes in three batches, with the accuracies that were printed for them; the model's answers
    are those of a guess in the first ``late``.
    """
    labels = {
        "k": "ids",
        "i": 1,
        "grad": True,
        "loader": 0,
        "epoch": 1,
        "h": [],
        "y": [k % 10 for k in range(100)],
    }
    rows = [loss_row(), labels]
    for k, value in enumerate(printed):
        i = 10 * (k + 1)
        own = 0.1 if k < late else right
        rows.append(eval_row(i, acc=[own] * 3, n=[32, 32, 32], acc_of=[1] * 3, loss=[], loss_of=[]))
        line = f"{k}: acc 0.950 | {name} {value:.3f}"
        rows.append(print_row(i, line, **{"acc": 0.95, name: value}))
    return make_trace(rows=rows)


def test_accuracies_of_a_guess_beside_right_answers_are_found() -> None:
    finding = expect(FAULT, guessed([0.18, 0.14, 0.21]))
    assert "no better than a guess" in finding.why
    assert finding.evidence[0].value == 0.21
    assert expect(FAULT, guessed([18.0, 14.0, 21.0])), "in per cent"
    assert expect(FAULT, guessed([0.1, 0.1, 0.18, 0.14, 0.21], late=2)), "not before something is learned"
    assert run(FAULT, guessed([0.1, 0.1, 0.18, 0.14], late=2)) is None


def test_other_scores_and_models_that_guess_are_no_wrong_metric() -> None:
    assert run(FAULT, guessed([0.7, 0.75, 0.72])) is None, "a balanced accuracy, say"
    assert run(FAULT, guessed([0.18, 0.14, 0.21], right=0.2)) is None
    assert run(FAULT, guessed([0.18, 0.91, 0.21])) is None


FALLING = [2.0 - 0.01 * k + (0.1 if k % 3 else 0.0) for k in range(60)]


def left_over(shown: Callable[[int], float], name: str = "val") -> Any:
    """Five evaluations with a loss of their own, each beside one printed number."""
    rows = []
    for i in range(10, 60, 10):
        rows.append(eval_row(i, loss=[0.4 - 0.001 * i] * 4, loss_of=[(32, 1)] * 4))
        rows.append(print_row(i, f"epoch {i} {name} {shown(i):.4f}", **{name: round(shown(i), 4)}))
    return make_trace(FALLING, rows=rows)


def test_a_training_loss_that_is_left_over_is_named() -> None:
    found = expect(FAULT, left_over(lambda i: FALLING[i - 1]))
    assert "last training batch" in found.why


def test_one_of_two_losses_that_an_evaluation_has_itself_is_right() -> None:
    rows = []
    for i in range(10, 60, 10):
        rows.append(eval_row(i, loss=[9.0, FALLING[i - 1]], loss_of=[(32, None)] * 2))
        rows.append(print_row(i, f"epoch {i} val {FALLING[i - 1]:.4f}", val=round(FALLING[i - 1], 4)))
    assert not isinstance(run(FAULT, make_trace(FALLING, rows=rows)), Finding)


def test_the_sum_of_the_terms_of_an_evaluation_is_its_loss() -> None:
    """Two terms, one of them learned, and a total that no longer moves: both sides rest at the same sum."""
    rows = []
    for i in range(10, 60, 10):
        rows.append(eval_row(i, loss=[1.61, 0.01] * 4, loss_of=[(32, 1)] * 8))
        rows.append(print_row(i, f"epoch {i} val 1.6200", val=1.62))
    steps = [step(i, 1.62, loss_values=(1.61, 0.01)) for i in range(1, 61)]
    assert not isinstance(run(FAULT, make_trace(steps=steps, rows=rows)), Finding)
    single = [step(i, 1.62, loss_values=(1.62,)) for i in range(1, 61)]
    assert isinstance(run(FAULT, make_trace(steps=single, rows=rows)), Finding)


def test_the_loss_of_the_evaluation_and_that_of_training_by_name_are_right() -> None:
    assert not isinstance(run(FAULT, left_over(lambda i: 0.4 - 0.001 * i)), Finding)
    assert not isinstance(run(FAULT, left_over(lambda i: FALLING[i - 1], name="train")), Finding)
    assert not isinstance(run(FAULT, left_over(lambda i: FALLING[i - 3])), Finding)


def tokens(
    shown: Callable[[list[float], int], float], counts: list[int], positions: list[int]
) -> list[dict[str, Any]]:
    """Evaluations of a tagger in batches cut by hand: right answers are counted where there is a tag."""
    found = []
    for k, values in enumerate(([0.5, 0.6, 0.55], [0.7, 0.6, 0.8], [0.9, 0.95, 0.85])):
        told = shown(values, sum(positions))
        row = eval_row(10 * k + 10, acc=values, n=counts, acc_of=[None] * 3, loss=[0.5] * 3)
        found += [
            {**row, "loss_of": [[n, None] for n in positions]},
            print_row(10 * k + 10, dev_acc=round(told, 4)),
        ]
    return found


def test_right_answers_over_all_positions_padding_included_are_found() -> None:
    counts = [535, 594, 393]

    def over_all(values: list[float], positions: int) -> float:
        return sum(v * n for v, n in zip(values, counts, strict=True)) / positions

    finding = expect(FAULT, make_trace(rows=tokens(over_all, counts, [1664, 1984, 1232])))
    assert "padding included" in finding.why
    right = tokens(lambda v, _: over_all(v, sum(counts)), counts, [1664, 1984, 1232])
    assert run(FAULT, make_trace(rows=right)) is None
    splits = tokens(over_all, [200, 900, 393], [1664, 1984, 1232])
    assert not isinstance(run(FAULT, make_trace(rows=splits)), Finding)


@pytest.mark.parametrize(
    ("epochs", "scores", "seen"),
    [
        ((1, 1), [0.51, 0.48, 0.53], True),
        ((1, 2), [0.51, 0.48, 0.53], False),
        ((1, 1), [0.61, 0.68, 0.73], False),
    ],
)
def test_answers_and_labels_of_different_passes_over_a_loader_that_shuffles(
    epochs: tuple[int, int], scores: list[float], seen: bool
) -> None:
    """The model is asked in one pass (or in both: two draws of an augmentation), labels come from the other."""
    passes = [
        {
            "k": "order",
            "i": 9,
            "loader": 1,
            "epoch": k,
            "n": 80,
            "distinct": 80,
            "print": k,
            "set": 1,
            "sorted": False,
        }
        for k in (1, 2)
    ]
    asked = [
        {"k": "ids", "i": 10, "grad": False, "loader": 1, "epoch": e, "h": [1.0], "y": None, "known": 0.0}
        for e in epochs
    ]
    told = [print_row(10 * k, **{"c-index": v}) for k, v in enumerate(scores, 1)]
    outcome = run(FAULT, make_trace(rows=[*passes, *asked, *told, eval_row(9, acc=[])]))
    assert isinstance(outcome, Finding) is seen


def test_an_overlap_score_that_is_summed_up_over_training_too_is_named() -> None:
    rows: list[dict[str, Any]] = []
    right = given = true = 0
    for k in range(4):
        trained, held = [[100 + 90 * k, 400, 500]], [[[20 + 12 * k, 60, 70]], [[5 + 4 * k, 20, 30]]]
        for (a, b, c), *_ in (trained, *held):
            right, given, true = right + a, given + b, true + c
        shown = round(2 * right / (given + true), 3)
        rows.append(eval_row(10 + 10 * k, overlap=held, overlap_trained=trained))
        rows.append(print_row(10 + 10 * k, f"val dice {shown}", **{"val dice": shown}))
    finding = expect(FAULT, make_trace(rows=rows))
    assert "over training and evaluation since the beginning" in finding.why
