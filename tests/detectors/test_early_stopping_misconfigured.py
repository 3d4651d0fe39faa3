from __future__ import annotations

from typing import Any

import pytest
from tests.detectors.build import (
    SITES,
    eval_row,
    expect,
    falling,
    loss_row,
    make_trace,
    print_row,
    run,
    steps_of,
)

from lossdoctor.detectors.base import Missing
from lossdoctor.detectors.early_stopping_misconfigured import interventions
from lossdoctor.model import Finding, Site

FAULT = "early_stopping_misconfigured"
STOPPER = Site(
    id=9, what="stopper", file="/project/train.py", line=47, code="stop = EarlyStopping(patience=3)"
)
STOP = print_row(100, "early stop after epoch 3")


def evaluations(losses: list[float], accuracies: list[float]) -> list[dict[str, Any]]:
    pairs = zip(losses, accuracies, strict=True)
    return [eval_row(10 * (k + 1), loss=[v] * 4, acc=[a] * 4) for k, (v, a) in enumerate(pairs)]


IMPROVING = evaluations([2.0, 1.6, 1.1], [0.6, 0.75, 0.85])
RESTED = evaluations([2.0, 0.5, 0.51, 0.52], [0.6, 0.85, 0.85, 0.84])


def test_a_stop_in_the_middle_of_improvement_is_found_at_the_stopper() -> None:
    assert expect(FAULT, make_trace(rows=[*IMPROVING, STOP], sites=(*SITES, STOPPER))).where.line == 47


def test_a_framework_that_tells_of_the_length_it_was_given_did_not_stop_early() -> None:
    for line in ("`Trainer.fit` stopped: `max_epochs=12` reached.", "stopped after max steps (max_steps=90)"):
        assert run(FAULT, make_trace(rows=[*IMPROVING, print_row(100, line)])) is None


def test_a_stop_after_the_curve_came_to_rest_is_healthy() -> None:
    assert run(FAULT, make_trace(rows=[*RESTED, STOP])) is None


def test_a_loss_that_rises_while_accuracy_creeps_up_is_a_good_reason_to_stop() -> None:
    rows = evaluations([0.5, 0.6, 0.7], [0.80, 0.83, 0.86])
    assert run(FAULT, make_trace(rows=[*rows, STOP])) is None


def test_a_run_that_says_nothing_of_stopping_used_all_its_epochs() -> None:
    assert run(FAULT, make_trace(rows=IMPROVING)) is None


def test_a_patience_that_was_never_exhausted_is_healthy() -> None:
    assert run(FAULT, make_trace(rows=IMPROVING, sites=(*SITES, STOPPER))) is None


def test_weights_put_back_that_are_not_the_best_are_found() -> None:
    again = eval_row(40, loss=[2.0] * 4, acc=[0.6] * 4)
    finding = expect(FAULT, make_trace(rows=[*RESTED, again], sites=(*SITES, STOPPER)))
    assert "not the best" in finding.why


def test_the_best_weights_put_back_are_healthy() -> None:
    again = eval_row(40, loss=[0.5] * 4, acc=[0.85] * 4)
    assert run(FAULT, make_trace(rows=[*RESTED, again], sites=(*SITES, STOPPER))) is None


def test_two_evaluations_or_a_cut_off_recording_are_not_checked() -> None:
    assert isinstance(run(FAULT, make_trace(rows=[*IMPROVING[:2], STOP])), Missing)
    assert isinstance(run(FAULT, make_trace(rows=[*IMPROVING, STOP], stop="max_seconds")), Missing)


def restored(samples: float | None) -> Any:
    """RESTED on samples with fingerprint 1, and a worse evaluation after the last step."""
    curve = [row | {"print": 1.0} for row in RESTED]
    last = eval_row(40, loss=[2.0] * 4, acc=[0.6] * 4, print=samples)
    return make_trace(rows=[*curve, last], sites=(*SITES, STOPPER))


def test_a_final_test_on_other_samples_is_no_restore() -> None:
    assert run(FAULT, restored(2.0)) is None


def test_a_worse_evaluation_of_the_same_samples_after_the_last_step_is_a_restore() -> None:
    finding = expect(FAULT, restored(1.0))
    assert "not the best" in finding.why
    assert finding.where.line == 47


def returns(*values: float) -> list[dict[str, Any]]:
    return [print_row(10 * (k + 1), **{"mean return": v}) for k, v in enumerate(values)]


def test_a_printed_return_that_still_rose_is_no_reason_to_stop() -> None:
    finding = expect(FAULT, make_trace(rows=[*returns(20, 38, 67, 91), STOP], sites=(*SITES, STOPPER)))
    assert finding.where.line == 47
    assert "mean return" in finding.why


def test_a_printed_return_at_rest_or_a_solved_task_is() -> None:
    resting = run(FAULT, make_trace(rows=[*returns(20, 91, 90, 89), STOP]))
    solved = run(FAULT, make_trace(rows=[*returns(20, 38, 67, 91), print_row(100, "solved, stopping")]))
    assert isinstance(resting, Missing)
    assert isinstance(solved, Missing)


def test_a_printed_score_of_held_out_samples_counts_like_a_return() -> None:
    def told(**series: list[float]) -> list[dict[str, Any]]:
        names = {name.replace("_", " "): values for name, values in series.items()}
        return [print_row(10 * (k + 1), **{n: v[k] for n, v in names.items()}) for k in range(6)]

    rising, fallen = [0.2, 0.25, 0.3, 0.4, 0.5, 0.6], [0.9, 0.8, 0.9, 1.0, 1.1, 1.2]
    found = expect(FAULT, make_trace(rows=[*told(val_acc=rising), STOP]))
    assert "val acc" in found.why
    assert (
        "'val'"
        in expect(FAULT, make_trace(rows=[*told(train=[0.2, 0.3, 0.4, 0.5, 0.6, 0.7], val=rising), STOP])).why
    )
    for silent in (
        told(train_acc=rising),
        told(val_acc=rising, val_loss=fallen),  # the loss may be what is watched
        told(val=rising),  # a number of unknown kind
        told(train=[0.9, 0.7, 0.5, 0.4, 0.3, 0.2], val=rising),  # losses
    ):
        assert isinstance(run(FAULT, make_trace(rows=[*silent, STOP])), Missing)


def load_row(state: float, step: int = 100) -> dict[str, Any]:
    return {"k": "load", "i": step, "module": "Net", "site": 1, "keys": 4, "own": 4, "missing": 0, "unexpected": 0,
            "examples": [], "failed": None, "state": state}  # fmt: skip


def kept(*loads: dict[str, Any]) -> Any:
    """Three evaluations of other weights each, and then weights that are loaded."""
    curve = [
        {**row, "state": float(n)} for n, row in enumerate(evaluations([2.0, 0.5, 0.51], [0.6, 0.85, 0.85]))
    ]
    return make_trace(rows=[*curve, *loads], sites=(*SITES, STOPPER))


def test_the_weights_of_a_poor_evaluation_that_are_loaded_at_the_end_are_found() -> None:
    finding = expect(FAULT, kept(load_row(0.0)))
    assert "put back" in finding.why
    assert finding.evidence[1].step == 10


def test_the_best_weights_or_those_of_a_whole_ensemble_are_put_back_rightly() -> None:
    assert run(FAULT, kept(load_row(1.0))) is None
    assert run(FAULT, kept(load_row(0.0), load_row(1.0))) is None
    assert run(FAULT, kept(load_row(0.0, step=40))) is None
    assert run(FAULT, kept(load_row(7.0))) is None


@pytest.mark.parametrize(("restored", "poor"), [(0.52, True), (0.6, False)])
def test_weights_put_back_are_judged_by_a_printed_measure_where_nothing_else_is_known(
    restored: float, poor: bool
) -> None:
    told = [print_row(20 * (k + 1), valid_cindex=v) for k, v in enumerate([0.53, 0.55, 0.58, 0.6, 0.61])]
    rows = [*told, print_row(100, valid_cindex=restored), load_row(3.0)]
    outcome = run(FAULT, make_trace(rows=rows, sites=(*SITES, STOPPER)))
    assert isinstance(outcome, Finding if poor else Missing)
    assert isinstance(run(FAULT, make_trace(rows=rows[:-1], sites=(*SITES, STOPPER))), Missing)


def test_a_loss_that_still_falls_with_an_accuracy_that_creeps_is_a_stop_too_early() -> None:
    rows = evaluations([0.6, 0.5, 0.4, 0.3], [0.81, 0.81, 0.812, 0.814])
    assert "stopped itself early" in expect(FAULT, make_trace(rows=[*rows, STOP])).why
    rested = evaluations([0.6, 0.5, 0.4, 0.3], [0.81, 0.84, 0.84, 0.84])
    assert run(FAULT, make_trace(rows=[*rested, STOP])) is None  # the accuracy may be what is watched


def test_weights_that_later_ones_outdo_in_both_measures_are_not_the_best() -> None:
    rows = evaluations([0.6, 0.5, 0.4, 0.38, 0.39], [0.81, 0.80, 0.82, 0.83, 0.83])
    again = eval_row(50, loss=[0.6] * 4, acc=[0.81] * 4)
    finding = expect(FAULT, make_trace(rows=[*rows, again], sites=(*SITES, STOPPER)))
    assert "not the best" in finding.why
    near = eval_row(50, loss=[0.4] * 4, acc=[0.82] * 4)
    assert run(FAULT, make_trace(rows=[*rows, near], sites=(*SITES, STOPPER))) is None


@pytest.mark.parametrize(("put_back", "found"), [(0, True), (2, False)])
def test_the_worst_weights_of_all_are_not_the_best_however_near_the_others_lie(
    put_back: int, found: bool
) -> None:
    losses, accuracies = [0.53, 0.51, 0.49, 0.48, 0.47, 0.46], [0.73, 0.74, 0.75, 0.76, 0.77, 0.78]
    curve = [{**row, "state": float(n)} for n, row in enumerate(evaluations(losses, accuracies))]
    trace = make_trace(rows=[*curve, load_row(float(put_back))], sites=(*SITES, STOPPER))
    assert isinstance(run(FAULT, trace), Finding) is found


def test_a_script_that_prints_a_loss_at_rest_sees_another_one_than_was_measured() -> None:
    falls = [2.0, 1.9, 1.7, 1.5, 1.3, 1.1]
    rested = [1.3, 1.2, 1.25, 1.27, 1.3, 1.31]
    rows = [
        eval_row(10 * k, loss=[v], acc=[], n=[], loss_of=[[100, 1]], seen=[0.0])
        for k, v in enumerate(falls, 1)
    ]

    def told(values: list[float]) -> Any:
        return make_trace(
            rows=[*rows, *(print_row(10 * k, val_mse=v) for k, v in enumerate(values, 1)), STOP]
        )

    assert run(FAULT, told(rested)) is None
    expect(FAULT, told(falls))


def told(ranks: list[float], losses: list[float]) -> list[dict[str, Any]]:
    pairs = enumerate(zip(ranks, losses, strict=True))
    return [print_row(10 * k + 10, **{"valid loss": v, "ndcg": a}) for k, (a, v) in pairs]


def test_a_stop_at_the_best_of_all_that_is_printed_while_the_loss_falls_steeply_is_found() -> None:
    losses, steep = [2.46, 2.44, 2.42, 2.39, 2.37, 2.34, 2.32, 2.30], steps_of(falling(start=2.5, end=1.2))
    chance = loss_row()
    crept = told([0.50, 0.57, 0.58, 0.600, 0.601, 0.605, 0.601, 0.613], losses)
    finding = expect(FAULT, make_trace(steps=steep, rows=[chance, *crept, STOP]))
    assert "was ever better" in finding.why
    rested = told([0.50, 0.57, 0.62, 0.61, 0.60, 0.605, 0.601, 0.613], losses)
    assert not isinstance(run(FAULT, make_trace(steps=steep, rows=[chance, *rested, STOP])), Finding)
    flat_end = steps_of(falling(20, start=2.5, end=1.2) + [1.2] * 80)
    assert not isinstance(run(FAULT, make_trace(steps=flat_end, rows=[chance, *crept, STOP])), Finding)


@pytest.mark.parametrize(
    ("scores", "seen"),
    [
        ([0.67, 0.69, 0.705, 0.716, 0.725, 0.734], True),
        ([0.67, 0.69, 0.705, 0.716, 0.714, 0.734], False),
        ([0.67, 0.672, 0.674, 0.676, 0.678, 0.68], False),
    ],
)
def test_a_stop_while_every_printed_held_out_number_got_better_each_time(
    scores: list[float], seen: bool
) -> None:
    losses = [4.8, 4.75, 4.7, 4.68, 4.65, 4.62]
    flat_end = steps_of(falling(20, start=2.5, end=1.2) + [1.2] * 80)
    trace = make_trace(steps=flat_end, rows=[loss_row(), *told(scores, losses), STOP])
    assert isinstance(run(FAULT, trace), Finding) is seen


def test_only_a_stop_that_came_too_early_is_tested_by_training_on() -> None:
    assert interventions(make_trace(rows=[*IMPROVING, STOP])) == ({"name": "train_on"},)
    again = eval_row(40, loss=[2.0] * 4, acc=[0.6] * 4)
    assert interventions(make_trace(rows=[*RESTED, again], sites=(*SITES, STOPPER))) == ()


@pytest.mark.parametrize(("restored", "poor"), [(0.48, True), (0.55, False)])
def test_weights_put_back_may_be_judged_by_the_same_measure_of_another_held_out_set(
    restored: float, poor: bool
) -> None:
    told = [print_row(20 * (k + 1), val_cindex=v) for k, v in enumerate([0.53, 0.58, 0.61, 0.63, 0.64])]
    rows = [*told, print_row(100, **{"test c-index": restored}), load_row(3.0)]
    assert isinstance(
        run(FAULT, make_trace(rows=rows, sites=(*SITES, STOPPER))), Finding if poor else Missing
    )


@pytest.mark.parametrize(
    ("monitor", "mode", "stopped", "wrong"),
    [
        ("val_auc", "min", True, True),
        ("val_loss", "max", True, True),
        ("val_auc", "max", True, False),
        ("val_loss", "min", True, False),
        ("val_auc", "min", False, False),
        ("val_score", "min", True, False),  # nobody knows which way it should go
    ],
)
def test_a_stop_that_waits_for_a_score_to_fall_is_told(
    monitor: str, mode: str, stopped: bool, wrong: bool
) -> None:
    row = {"k": "stopper", "i": 50, "monitor": monitor, "mode": mode, "patience": 4, "stopped": stopped}
    prints = [print_row(10 * k, f"{monitor} {v}", **{monitor: v}) for k, v in enumerate((0.7, 0.8, 0.85), 1)]
    finding = run(FAULT, make_trace(rows=[row, *prints]))
    told = isinstance(finding, Finding) and "wrong direction" in finding.why
    assert told is wrong
    if isinstance(finding, Finding) and wrong:
        assert finding.evidence[1].value == pytest.approx(0.15)
