from __future__ import annotations

import random
from typing import Any

import pytest
from tests.detectors.build import SITES, expect, forward_row, make_trace, run, tensor_row

from lossdoctor.detectors.base import TENTATIVE, Missing
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Site

FAULT = "hidden_state_misuse"


def call(i: int, **more: Any) -> dict[str, Any]:
    row = {"k": "rnn", "class": "LSTM", "batch_first": True, "cell": False, "shape": [16, 12, 1], "grad": True,
           "calls": 1, "given": 0, "carried": 0, "site": 1, "made": 0, "i": i, "batch": 16, "jump": 0.2,
           "inner": 0.2, "apart": 0.9}  # fmt: skip
    return row | more


def calls(**more: Any) -> list[dict[str, Any]]:
    return [call(i, **more) for i in range(1, 9)]


CARRIED_IN_EVALUATION = call(9, grad=False, calls=5, given=4, carried=4)


def test_one_moment_at_a_time_without_state_is_found_at_the_call() -> None:
    assert expect(FAULT, make_trace(rows=calls(calls=12, shape=[16, 1, 1]))).where.line == 20


def test_one_moment_at_a_time_with_its_state_is_healthy() -> None:
    assert run(FAULT, make_trace(rows=calls(calls=12, shape=[16, 1, 1], given=11, carried=11))) is None


def test_a_whole_sequence_in_one_call_is_healthy() -> None:
    assert run(FAULT, make_trace(rows=calls(jump=0.9))) is None


def test_windows_that_begin_where_their_row_ended_are_worth_a_test_without_state() -> None:
    finding = expect(FAULT, make_trace(rows=calls()))
    assert finding.confidence == TENTATIVE
    assert "evaluation" not in finding.why
    assert run(FAULT, make_trace(rows=calls(apart=0.5))) is None, "all rows are near each other"
    assert run(FAULT, make_trace(rows=calls(calls=2))) is None, "some of it may be carried within a pass"


def test_state_carried_between_windows_that_do_not_continue_is_found() -> None:
    finding = expect(FAULT, make_trace(rows=calls(given=1, carried=1, jump=0.9)))
    assert "do not continue" in finding.why


@pytest.mark.parametrize(("back", "line"), [([1, 16, 8], 40), ([1, 16, 9], 20)])
def test_state_that_the_script_hands_over_is_blamed_where_it_does(back: list[int], line: int) -> None:
    given = [tensor_row("0", shape=[16, 12, 1]), tensor_row("1", shape=[1, 16, 8])]
    asked = forward_row(**{"in": given, "out": [tensor_row("0"), tensor_row("1", shape=back)]})
    sites = (*SITES, Site(id=9, what="forward", file="/project/train.py", line=40, code="out, h = net(x, h)"))
    trace = make_trace(rows=[*calls(given=1, carried=1, jump=0.9), asked], sites=sites)
    assert expect(FAULT, trace).where.line == line


def test_state_carried_between_windows_that_continue_is_healthy() -> None:
    assert run(FAULT, make_trace(rows=calls(given=1, carried=1))) is None


def test_state_thrown_away_in_training_but_carried_in_evaluation_is_found() -> None:
    assert "empty state" in expect(FAULT, make_trace(rows=[*calls(), CARRIED_IN_EVALUATION])).why


def test_windows_in_order_without_state_are_suspected_where_evaluation_is_one_long_sequence() -> None:
    long = forward_row(20, grad=False, **{"in": [tensor_row(shape=[4, 120, 1])]})
    finding = expect(FAULT, make_trace(rows=[*calls(), *in_order(epochs=6), long]))
    assert finding.confidence == TENTATIVE
    assert interventions(FAULT, make_trace(rows=calls())) == ({"name": "carry_state"},)
    same = forward_row(20, grad=False, **{"in": [tensor_row(shape=[4, 12, 1])]})
    assert run(FAULT, make_trace(rows=[*calls(apart=0.3), *in_order(epochs=6), same])) is None
    assert run(FAULT, make_trace(rows=[*calls(apart=0.3), *shuffled(epochs=6), long])) is None


def test_independent_windows_may_start_from_an_empty_state() -> None:
    assert run(FAULT, make_trace(rows=[*calls(jump=0.9), CARRIED_IN_EVALUATION])) is None


def test_a_model_without_recurrence_is_not_checked() -> None:
    assert run(FAULT, make_trace()) == Missing("a recurrent layer")
    assert run(FAULT, make_trace(rows=calls(**{"class": "MultiheadAttention"}))) == Missing(
        "a recurrent layer"
    )


WINDOWS = 8  # per sequence
SEQUENCES = 4


def window(sequence: int, number: int) -> float:
    return float(100 * sequence + number)


def ids(batches: list[list[float]]) -> list[dict[str, Any]]:
    return [
        {"k": "ids", "i": i, "grad": True, "loader": 0, "epoch": 1, "h": h, "y": None}
        for i, h in enumerate(batches, 1)
    ]


def in_order(epochs: int) -> list[dict[str, Any]]:
    """Each batch holds the next window of every sequence."""
    epoch = [[window(s, n) for s in range(SEQUENCES)] for n in range(WINDOWS)]
    return ids(epoch * epochs)


def shuffled(epochs: int) -> list[dict[str, Any]]:
    draw, batches = random.Random(0), []
    everything = [window(s, n) for s in range(SEQUENCES) for n in range(WINDOWS)]
    for _ in range(epochs):
        drawn = draw.sample(everything, len(everything))
        batches += [drawn[k : k + SEQUENCES] for k in range(0, len(drawn), SEQUENCES)]
    return ids(batches)


def test_state_carried_into_shuffled_batches_is_found_at_the_call() -> None:
    finding = expect(FAULT, make_trace(rows=[*calls(given=1, carried=1), *shuffled(epochs=4)]))
    assert "drawn anew" in finding.why
    assert finding.where.line == 20


def test_shuffled_batches_need_no_measured_border() -> None:
    rows = calls(given=1, carried=1, inner=None, jump=None)
    assert "drawn anew" in expect(FAULT, make_trace(rows=[*rows, *shuffled(epochs=4)])).why


def test_state_carried_into_windows_that_come_in_the_same_order_each_epoch_is_healthy() -> None:
    assert run(FAULT, make_trace(rows=[*calls(given=1, carried=1), *in_order(epochs=4)])) is None


def test_shuffled_batches_that_start_from_an_empty_state_are_healthy() -> None:
    assert run(FAULT, make_trace(rows=[*calls(apart=0.3), *shuffled(epochs=4)])) is None


def test_one_epoch_does_not_tell_whether_batches_are_shuffled() -> None:
    assert run(FAULT, make_trace(rows=[*calls(given=1, carried=1), *shuffled(epochs=1)])) is None


def test_state_carried_inside_a_pass_only_is_no_state_of_the_batch_before() -> None:
    """Moment by moment, the first one from an empty state: all calls but one carry it."""
    moments = calls(calls=12, given=11, carried=11, shape=[16, 1, 1], jump=0.9)
    assert run(FAULT, make_trace(rows=[*moments, *shuffled(epochs=4)])) is None
    throughout = calls(calls=12, given=12, carried=12, shape=[16, 1, 1])
    assert "drawn anew" in expect(FAULT, make_trace(rows=[*throughout, *shuffled(epochs=4)])).why


def test_short_windows_that_are_equal_by_chance_do_not_tell_an_order() -> None:
    draw = random.Random(3)
    rows = [{"k": "ids", "i": i, "grad": True, "loader": None, "epoch": None, "y": None,
             "h": [draw.randrange(300) for _ in range(16)]} for i in range(1, 120)]  # fmt: skip
    assert run(FAULT, make_trace(rows=[*calls(given=1, carried=1), *rows])) is None


def test_windows_that_adjoin_in_memory_continue_each_other() -> None:
    rows = calls(adjacent=True, jump=None, inner=None)
    finding = expect(FAULT, make_trace(rows=rows))
    assert (finding.confidence, "evaluation" in finding.why) == (TENTATIVE, False)
    assert expect(FAULT, make_trace(rows=[*rows, CARRIED_IN_EVALUATION])).confidence > TENTATIVE
    assert (
        run(FAULT, make_trace(rows=calls(adjacent=True, given=1, carried=1, jump=None, inner=None))) is None
    )
    assert run(FAULT, make_trace(rows=calls(adjacent=False, jump=None, inner=None))) is None
