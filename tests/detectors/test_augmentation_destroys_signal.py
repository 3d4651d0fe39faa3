"""augmentation_destroys_signal: training inputs no longer tell their labels."""

from __future__ import annotations

import random

import pytest

from lossdoctor.detectors.base import TENTATIVE, Missing
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Finding

from .build import batch_row, eval_row, expect, falling, flat, loader_row, loss_row, make_trace, run
from .sampled import Row, both_sides, moved, points, rows, scored


def augmented(strength: float) -> list[Row]:
    """Two epochs of noisy training inputs, and plain evaluation inputs."""
    inputs, labels = points(200, 1)
    draw = random.Random(7)
    epochs = [
        rows([[v + draw.gauss(0, strength) for v in p] for p in inputs], labels, epoch=e) for e in (1, 2)
    ]
    return [*epochs[0], *epochs[1], *rows(*points(200, 2), grad=False)]


def test_noise_that_buries_the_classes_is_found() -> None:
    expect("augmentation_destroys_signal", make_trace(rows=[batch_row(), *augmented(8.0)]))


def test_a_little_noise_is_silent() -> None:
    assert run("augmentation_destroys_signal", make_trace(rows=[batch_row(), *augmented(0.2)])) is None


def test_labels_moved_by_one_are_not_augmentation() -> None:
    assert run("augmentation_destroys_signal", make_trace(rows=[batch_row(), *both_sides(moved)])) is None


def test_erasing_nearly_everything_is_found() -> None:
    inputs, labels = points(200, 1)
    erased = [[0.0] * 6 if k % 10 else p for k, p in enumerate(inputs)]
    both = [*rows(erased, labels), *rows(*points(200, 2), grad=False)]
    assert (
        "one and the same"
        in expect("augmentation_destroys_signal", make_trace(rows=[batch_row(), *both])).why
    )


def test_without_batches_nothing_is_checked() -> None:
    assert isinstance(run("augmentation_destroys_signal", make_trace()), Missing)


RESTED = [*falling(20, 2.3, 1.2), *flat(80, 1.2)]


def test_ever_new_inputs_with_a_loss_at_rest_far_from_a_fit_are_worth_a_test() -> None:
    finding = expect("augmentation_destroys_signal", make_trace(RESTED, rows=[batch_row(), *augmented(0.2)]))
    assert finding.confidence == TENTATIVE
    assert "come to rest" in finding.why


def test_augmentation_is_the_task_where_the_answer_is_a_place_among_the_scores() -> None:
    unlabelled = [{**row, "y": None} for row in augmented(0.2) if row["k"] == "ids"]
    places = {"shape": [32], "dtype": "int64", "min": 0, "max": 31, "distinct": 32}
    for hist in ({str(k): 1 for k in range(32)}, {"0": 32}):
        answer = loss_row(target={**places, "hist": hist})
        contrastive = make_trace(RESTED, rows=[batch_row(), answer, *unlabelled])
        assert run("augmentation_destroys_signal", contrastive) is None
    episode = make_trace(RESTED, rows=[batch_row(), loss_row(), *unlabelled])
    assert expect("augmentation_destroys_signal", episode).confidence == TENTATIVE, (
        "several ask for each place"
    )
    labelled = make_trace(RESTED, rows=[batch_row(), loss_row(), *augmented(0.2)])
    assert expect("augmentation_destroys_signal", labelled).confidence == TENTATIVE


def test_ever_new_inputs_that_are_fitted_are_healthy() -> None:
    fitted = [*falling(20, 2.3, 0.1), *flat(80, 0.1)]
    assert (
        run("augmentation_destroys_signal", make_trace(fitted, rows=[batch_row(), *augmented(0.2)])) is None
    )


def test_ever_new_inputs_with_a_loss_that_still_falls_are_healthy() -> None:
    still = make_trace(falling(100, 2.3, 1.2), rows=[batch_row(), *augmented(0.2)])
    assert run("augmentation_destroys_signal", still) is None


def test_a_loss_at_rest_without_new_inputs_is_not_the_work_of_augmentation() -> None:
    inputs, labels = points(200, 1)
    same = [*rows(inputs, labels), *rows(inputs, labels, epoch=2), *rows(*points(200, 2), grad=False)]
    assert run("augmentation_destroys_signal", make_trace(RESTED, rows=[batch_row(), *same])) is None


def test_ever_new_inputs_with_poor_held_out_answers_are_worth_a_test_while_the_loss_falls() -> None:
    labels = [k % 4 for k in range(200)]
    poor = [y if k < 90 else (y + 1) % 4 for k, y in enumerate(labels)]
    none = [y if k % 4 == 0 else (y + 1) % 4 for k, y in enumerate(labels)]  # as good as the commonest class
    for answers, tested in ((poor, True), (none, True), (labels, False)):
        judged = scored(labels, answers, [1.0] * 200)
        still = make_trace(falling(100, 1.38, 0.8), rows=[batch_row(), loss_row(), *augmented(0.2), judged])
        assert (run("augmentation_destroys_signal", still) is not None) is tested


def test_what_was_learned_from_changed_inputs_and_holds_for_plain_ones_was_not_destroyed() -> None:
    truth = points(200, 2)[1]
    for answers, found in ((truth, False), ([(y + 1) % 4 for y in truth], True)):
        rows_ = [batch_row(), *augmented(8.0), scored(truth, answers, [1.0] * len(truth))]
        assert isinstance(run("augmentation_destroys_signal", make_trace(rows=rows_)), Finding) is found


def test_two_views_of_a_sample_that_is_to_be_told_from_the_others_are_meant_to_differ() -> None:
    places = {"shape": [32], "dtype": "int64", "min": 0, "max": 31, "distinct": 32}
    scores = loss_row()["in"] | {"shape": [32, 32]}
    contrast = loss_row(**{"in": scores, "target": places})
    assert (
        run("augmentation_destroys_signal", make_trace(rows=[batch_row(), contrast, *augmented(8.0)])) is None
    )


def test_changes_that_are_written_out_in_a_data_set_are_left_out_first() -> None:
    def names(draws: bool, fn: str = "cross_entropy") -> list[str]:
        trace = make_trace(rows=[loss_row(fn=fn), loader_row(draws=draws)])
        return [change["name"] for change in interventions("augmentation_destroys_signal", trace)]

    assert names(True) == ["settle_draws", "no_augmentation"]
    assert names(False) == names(True, "mse_loss") == ["no_augmentation"]


def test_harder_training_that_leaves_held_out_answers_right_is_healthy() -> None:
    labels = [k % 4 for k in range(200)]
    for wrong, silent in ((10, True), (60, False)):
        answers = [(y + 1) % 4 if k < wrong else y for k, y in enumerate(labels)]
        held_out = scored(labels, answers, [1.0] * 200)
        found = run("augmentation_destroys_signal",
                    make_trace(RESTED, rows=[batch_row(), *augmented(0.2), held_out]))  # fmt: skip
        assert (found is None) == silent


def forward_row(given: list[int], answered: list[int]) -> Row:
    return {"k": "forward", "i": 1, "grad": True, "training": True, "in": [{"shape": given}],
            "out": [{"shape": answered}]}  # fmt: skip


@pytest.mark.parametrize(
    ("answered", "prints", "drawn"),
    [
        ([32, 1], [5.0, 5.0, 5.0, 7.0], True),  # the last on a test set
        ([32, 1], [5.0, 6.0, 7.0, 8.0], False),  # evaluation draws too: noise may be the task
        ([32, 1], [5.0], False),
        ([32, 1, 16, 32], [5.0, 5.0, 5.0, 5.0], False),  # answers of the size of the input: it may be cleaned
    ],
)
def test_drawn_changes_are_left_out_where_noise_cannot_be_the_task(
    answered: list[int], prints: list[float], drawn: bool
) -> None:
    evaluations = [eval_row(10 * (k + 1), print=p) for k, p in enumerate(prints)]
    calls = [forward_row([32, 1, 16, 32], answered), loss_row(fn="mse_loss")]
    trace = make_trace(RESTED, rows=[batch_row(), *augmented(0.2), *evaluations, *calls])
    (change,) = interventions("augmentation_destroys_signal", trace)
    assert change == {"name": "no_augmentation", "drawn": drawn}
