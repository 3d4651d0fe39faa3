from __future__ import annotations

import random
from statistics import fmean, pvariance
from typing import Any

import pytest
from tests.detectors.build import forward_row, make_trace, tensor_row

from lossdoctor.traces.streams import (
    called_at_every_step,
    clustering,
    evaluated,
    followers,
    known_shares,
    overlaps,
    repeated_phrases,
)


def shown(*batches: list[float], grad: bool = True, step: int | None = None, loader: int | None = 0) -> Any:
    return [
        {"k": "ids", "i": step or i, "grad": grad, "loader": loader, "epoch": 1, "h": h, "y": None}
        for i, h in enumerate(batches, 1)
    ]


def test_windows_that_continue_each_other_keep_their_followers() -> None:
    epoch = [[1.0, 11.0], [2.0, 12.0], [3.0, 13.0]]
    assert followers(make_trace(rows=shown(*epoch, *epoch, *epoch))) == (1.0, 10)


def test_samples_that_meet_others_each_time_have_none() -> None:
    batches = [[1.0], [2.0], [3.0], [1.0], [3.0], [2.0], [1.0], [4.0]]
    share, count = followers(make_trace(rows=shown(*batches)))
    assert (share, count) == (0.0, 4)


def test_the_place_in_the_batch_matters() -> None:
    turned = [[1.0, 11.0], [2.0, 12.0], [1.0, 11.0], [12.0, 2.0]]
    assert followers(make_trace(rows=shown(*turned))) == (0.0, 2)


def test_samples_that_never_come_again_say_nothing() -> None:
    assert followers(make_trace(rows=shown([1.0], [2.0], [3.0]))) == (0.0, 0)


def test_a_shorter_last_batch_and_evaluations_in_between_do_not_matter() -> None:
    first, held_out = [[1.0, 11.0], [2.0, 12.0], [3.0]], shown([7.0, 8.0], grad=False, loader=1)
    rows = [*shown(*first), *held_out, *shown(*first), *held_out]
    share, count = followers(make_trace(rows=rows))
    assert (share, count) == (1.0, 3)


def test_the_share_of_known_inputs_is_over_all_streams_of_a_step() -> None:
    training = shown([1.0, 2.0], [3.0, 4.0])
    monitored = shown([1.0, 2.0], [3.0, 4.0], grad=False, step=10, loader=None)
    other = shown([5.0, 6.0, 7.0, 8.0], grad=False, step=10, loader=1)
    later = shown([1.0, 5.0, 6.0, 7.0], grad=False, step=20, loader=1)
    shares = known_shares(make_trace(rows=[*training, *monitored, *other, *later]))
    assert shares == {10: pytest.approx(0.5), 20: pytest.approx(0.25)}


def test_samples_that_training_meets_only_later_are_known_too() -> None:
    rows = [*shown([2.0], grad=False, step=1, loader=1), *shown([1.0], [2.0])]
    assert known_shares(make_trace(rows=rows)) == {1: 1.0}


def test_without_evaluations_there_are_no_shares() -> None:
    assert known_shares(make_trace(rows=shown([1.0], [2.0]))) == {}


def test_calls_at_every_step_of_changing_batches_are_no_evaluations() -> None:
    steps = range(1, 41)
    training = [r for i in steps for r in shown([100.0 + i, 200.0 + i], step=i)]
    calls = [r for i in steps for r in shown([500.0 + i], grad=False, step=i, loader=None)]
    assert evaluated(make_trace(rows=[*training, *calls])) == []
    assert len(evaluated(make_trace(rows=[*training, *calls[::5]]))) == 8


def test_full_batch_training_may_be_evaluated_at_every_step() -> None:
    steps = range(1, 41)
    training = [r for i in steps for r in shown([1.0, 2.0], step=i)]
    calls = [r for i in steps for r in shown([5.0, 6.0], grad=False, step=i, loader=None)]
    assert len(evaluated(make_trace(rows=[*training, *calls]))) == 40


def test_evaluations_after_the_last_fingerprint_are_kept() -> None:
    late = shown([1.0, 2.0], grad=False, step=90, loader=None)
    late[0]["known"] = 1.0
    assert len(evaluated(make_trace(rows=[*shown([1.0, 2.0], [3.0, 4.0]), *late]))) == 1


def tokens(dtype: str = "int64") -> list[dict[str, Any]]:
    return [forward_row(1, **{"in": [tensor_row(dtype=dtype)]})]


def test_windows_that_repeat_within_the_first_pass_are_phrases() -> None:
    batches = shown([1.0, 2.0], [3.0, 1.0], [4.0, 5.0], [6.0, 7.0])
    assert repeated_phrases(make_trace(rows=[*tokens(), *batches])) == pytest.approx(2 / 8)
    assert repeated_phrases(make_trace(rows=[*tokens("float32"), *batches])) == 0.0
    assert repeated_phrases(make_trace(rows=batches)) == 0.0


def test_windows_that_come_again_in_the_next_pass_are_none() -> None:
    first = [[1.0, 2.0], [3.0, 4.0]]
    by_hand = shown(*first, *first, *first, loader=None)
    assert repeated_phrases(make_trace(rows=[*tokens(), *by_hand])) == 0.0


def called(step: int, *prints: float) -> Any:
    return shown(list(prints), grad=False, step=step, loader=None)


def test_a_call_on_the_whole_training_pool_beside_another_one_is_a_gallery() -> None:
    training, pool = shown([1.0, 2.0], [3.0], loader=None), {"k": "pool", "i": 1, "n": 4}
    gallery, held_out = called(10, 1.0, 2.0, 3.0, 4.0), called(10, 5.0, 6.0)
    beside = overlaps(make_trace(rows=[*training, pool, *gallery, *held_out]))
    assert [(o.share, o.distinct) for o in beside] == [(0.0, 2)]
    alone = overlaps(make_trace(rows=[*training, pool, *gallery, *called(20, 5.0, 6.0)]))
    assert [(o.share, o.distinct) for o in alone] == [(0.75, 4), (0.0, 2)]


def test_calls_at_every_step_are_counted_beyond_the_kept_fingerprints() -> None:
    steps = range(1, 101)
    training = [r for i in steps for r in shown([100.0 + i, 300.0 + i], step=i)]
    asked = [r for i in (*steps[::3], 100) for r in shown([500.0 + i], grad=False, step=i, loader=None)]
    known = make_trace(rows=[*training, *asked])
    assert not called_at_every_step(known)
    counted = {"k": "end", "stop": "script_end", "counters": {"steps_with_calls_without_gradient": 100}}
    assert called_at_every_step(known.model_copy(update={"end": counted}))


def test_what_comes_again_in_the_next_epoch_of_a_loop_without_a_loader_is_no_phrase() -> None:
    def row(i: int, first: int) -> dict[str, Any]:
        prints = [(first + k) % 40 for k in range(10)]
        return {"k": "ids", "i": i, "grad": True, "loader": None, "epoch": None, "h": prints, "y": None}

    tokens = forward_row(**{"in": [tensor_row(dtype="int64")]})
    shown = [row(k, 7 * k) for k in range(12)]
    assert repeated_phrases(make_trace(rows=[tokens, *shown])) > 0.5
    pool = {"k": "pool", "i": 3, "n": 10}
    assert repeated_phrases(make_trace(rows=[tokens, *shown, pool])) == 0.0


def test_a_few_kept_fingerprints_do_beside_a_count_of_the_whole_run() -> None:
    training = [r for i in range(1, 5) for r in shown([100.0 + i, 300.0 + i], step=i)]
    chains = [called(i, *(500.0 + i + k for k in range(40))) for i in range(1, 5)]
    known = make_trace(rows=[r for rows in (training, *chains) for r in rows])
    counted = {"k": "end", "stop": "script_end", "counters": {"steps_with_calls_without_gradient": 100}}
    assert called_at_every_step(known.model_copy(update={"end": counted}))
    assert not called_at_every_step(known)


def test_equal_inputs_with_other_labels_are_no_copies() -> None:
    def told(grad: bool, labels: list[float]) -> Any:
        return {"k": "ids", "i": 10, "grad": grad, "loader": None if grad else 1, "epoch": 1,
                "h": [1.0, 2.0, 3.0, 4.0, 9.0 if grad else 10.0], "y": [*labels, 0.0]}  # fmt: skip

    training = told(True, [5.0, 6.0, 7.0, 8.0])
    (met,) = overlaps(make_trace(rows=[training, told(False, [5.0, 0.0, 0.0, 0.0])]))
    assert met.count == 1
    (copied,) = overlaps(make_trace(rows=[training, told(False, [5.0, 6.0, 7.0, 8.0])]))
    assert copied.count == 4
    (other_unit,) = overlaps(make_trace(rows=[training, told(False, [0.5, 0.6, 0.7, 0.8])]))
    assert other_unit.count == 4


def test_what_the_recorder_knew_of_a_training_set_counts_beyond_the_kept_fingerprints() -> None:
    training = shown([1.0, 2.0], [3.0])
    looked_at = [{**r, "known": 1.0} for r in called(10, 1.0, 2.0, 3.0, 4.0, 5.0)]
    assert [o.share for o in overlaps(make_trace(rows=[*training, *looked_at]))] == [1.0]
    unknown = [{**r, "known": 0.0} for r in called(10, 1.0, 2.0, 3.0, 4.0, 5.0)]
    assert [o.share for o in overlaps(make_trace(rows=[*training, *unknown]))] == [0.6]


@pytest.mark.parametrize("ordered", [False, True])
def test_likeness_of_labels_is_the_intraclass_correlation_over_the_indicators_of_all_classes(
    ordered: bool,
) -> None:
    draw, size = random.Random(3), 20
    labels = [float(draw.randrange(6)) for _ in range(300)]
    labels = sorted(labels) if ordered else labels
    between = within = 0.0
    for name in set(labels):
        column = [float(y == name) for y in labels]
        groups = [column[k : k + size] for k in range(0, 300, size)]
        between += size * pvariance([fmean(g) for g in groups]) * 15 / 14
        within += fmean(pvariance(g) for g in groups) * size / (size - 1)
    expected = (between - within) / (between + (size - 1) * within)
    assert clustering(labels, size) == pytest.approx(expected)
    assert (clustering(labels, size) > 0.5) is ordered


def test_of_single_samples_none_is_a_stream_of_its_own_for_being_known() -> None:
    """Evaluated one by one, a third of the held-out windows come in training too."""
    train = shown(*[[float(k)] * 1 for k in range(300)])
    held = shown(
        *[[float(3 * k if k % 3 == 0 else 1000 + k)] for k in range(60)], grad=False, step=301, loader=None
    )
    rows = [{**r, "known": float(r["h"][0] < 300)} for r in held]
    (one,) = overlaps(make_trace(rows=[*train, *rows]))
    assert one.share == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("trained", "evaluated_", "leaks"),
    [
        (40, [*range(40), *range(100, 120)], False),  # all queries of training, then all that are held out
        (40, [*range(100, 120), *range(40)], False),
        (40, [*range(36), *range(100, 104)], True),  # too few for a side of its own
        (40, [k for pair in zip(range(20), range(100, 120), strict=True) for k in pair], True),
        (90, [*range(20), *range(100, 120)], True),  # copies in front: a small part of training
    ],
)
def test_queries_of_training_that_are_scored_before_the_held_out_ones_are_no_copies(
    trained: int, evaluated_: list[int], leaks: bool
) -> None:
    """One call per query, of three documents: below the size at which a call is told by itself."""

    def queries(numbers: Any, **settings: Any) -> Any:
        return shown(*[[10.0 * q + d for d in range(3)] for q in numbers], **settings)

    trace = make_trace(
        rows=[*queries(range(trained)), *queries(evaluated_, grad=False, step=trained + 1, loader=None)]
    )
    assert any(0.02 < o.share < 0.98 for o in overlaps(trace)) is leaks
