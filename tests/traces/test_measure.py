from __future__ import annotations

import math
from typing import Any

import pytest
from tests.detectors.build import loss_row, make_trace, optimizer, step

from lossdoctor.model import Step, Trace
from lossdoctor.traces.measure import (
    chance_loss,
    loss_calls,
    main_steps,
    need_not_fall,
    objective,
    plain_chance,
    training_chance,
)


def targets(std: float, mean: float = 0.0) -> dict[str, Any]:
    return {"shape": [32, 1], "dtype": "float32", "min": -9.0, "max": 9.0, "mean": mean, "std": std}


@pytest.mark.parametrize(
    ("fn", "std", "knee", "expected"),
    [
        ("mse_loss", 2.0, None, 4.0),
        ("l1_loss", 2.0, None, 2.0),
        ("smooth_l1_loss", 0.5, None, 0.125),
        ("smooth_l1_loss", 100.0, None, 100.0),
        ("smooth_l1_loss", 0.5, 0.1, 0.5),
        ("huber_loss", 0.5, None, 0.125),
        ("huber_loss", 100.0, 2.0, 200.0),
    ],
)
def test_a_constant_answer_costs_what_the_spread_of_the_targets_says(
    fn: str, std: float, knee: float | None, expected: float
) -> None:
    trace = make_trace(rows=[loss_row(fn=fn, target=targets(std), knee=knee)])
    assert chance_loss(trace) == pytest.approx(expected)


def test_the_level_of_classes_is_the_entropy_of_their_shares_not_of_their_number() -> None:
    lopsided = {"shape": [32], "dtype": "int64", "min": 0, "max": 1, "hist": {"0": 28, "1": 4}}
    trace = make_trace(rows=[loss_row(target=lopsided)])
    expected = -(0.875 * math.log(0.875) + 0.125 * math.log(0.125))
    assert chance_loss(trace) == pytest.approx(expected)


@pytest.mark.parametrize("more", [{"weighted": True}, {"smoothing": 0.1}, {"reduction": "sum"}])
def test_a_weighted_smoothed_or_summed_loss_has_no_plain_level(more: dict[str, Any]) -> None:
    assert plain_chance(make_trace(rows=[loss_row()])) is not None
    assert plain_chance(make_trace(rows=[loss_row(**more)])) is None


def test_the_level_of_a_summed_loss_grows_with_the_number_of_its_terms() -> None:
    summed = make_trace(rows=[loss_row(reduction="sum"), loss_row(2, reduction="sum")])
    assert training_chance(summed) == pytest.approx(32 * math.log(4))
    assert training_chance(make_trace(rows=[loss_row()])) == pytest.approx(math.log(4))
    assert training_chance(make_trace(rows=[loss_row(reduction="sum", weighted=True)])) is None
    assert training_chance(make_trace(rows=[loss_row(), loss_row(2, reduction="sum")])) is None


def test_two_loss_functions_have_no_common_level() -> None:
    rows = [loss_row(), loss_row(fn="mse_loss", target=targets(1.0))]
    assert plain_chance(make_trace(rows=rows)) is None


def test_a_constant_per_output_is_the_level_to_beat() -> None:
    rows = [loss_row(fn="mse_loss", target=targets(9.0), constant=c) for c in (1.0, 3.0)]
    assert chance_loss(make_trace(rows=rows)) == pytest.approx(2.0)


def test_calls_without_a_known_constant_do_not_change_the_level_of_the_others() -> None:
    rows = [loss_row(fn="mse_loss", target=targets(9.0), constant=c) for c in (2.0, None)]
    assert chance_loss(make_trace(rows=rows)) == pytest.approx(2.0)
    unknown = loss_row(fn="mse_loss", target=targets(3.0), constant=None)
    assert chance_loss(make_trace(rows=[unknown])) == pytest.approx(9.0)


def test_the_constant_of_another_loss_function_is_not_the_level() -> None:
    usual = [loss_row(fn="mse_loss", target=targets(2.0)) for _ in range(3)]
    other = loss_row(fn="l1_loss", target=targets(2.0), constant=50.0)
    assert chance_loss(make_trace(rows=[*usual, other])) == pytest.approx(4.0)


def test_classes_have_the_entropy_of_their_shares_whatever_constant_was_noted() -> None:
    assert chance_loss(make_trace(rows=[loss_row(constant=50.0)])) == pytest.approx(math.log(4))


def phases(first: int, second: int) -> tuple[Step, ...]:
    """Steps of a pre-training optimizer, then those of the one that trains."""
    return tuple(step(i, 1.0, optimizer=int(i > first)) for i in range(1, first + second + 1))


PRE_TRAINING = [loss_row(i, fn="mse_loss", target=targets(7.0)) for i in (5, 10)]
MAIN = [loss_row(i) for i in (25, 60)]


def test_loss_calls_are_those_of_the_main_phase() -> None:
    trace = make_trace(steps=phases(20, 80), rows=[*PRE_TRAINING, *MAIN])
    assert [r["i"] for r in loss_calls(trace)] == [25, 60]
    assert plain_chance(trace) == pytest.approx(math.log(4))


def test_a_run_of_one_phase_keeps_all_its_loss_calls() -> None:
    trace = make_trace(steps=phases(0, 80), rows=[*PRE_TRAINING, *MAIN])
    assert [r["i"] for r in loss_calls(trace)] == [5, 10, 25, 60]
    assert plain_chance(trace) is None


def test_optimizers_in_turn_share_their_loss_calls() -> None:
    steps = [step(i, 1.0, optimizer=i % 2) for i in range(1, 101)]
    trace = make_trace(steps=steps, rows=[*PRE_TRAINING, *MAIN])
    assert [r["i"] for r in loss_calls(trace)] == [5, 10, 25, 60]


def test_calls_of_another_phase_only_are_better_than_none() -> None:
    trace = make_trace(steps=phases(20, 80), rows=PRE_TRAINING)
    assert [r["i"] for r in loss_calls(trace)] == [5, 10]


def _by(optimizers: list[int], sizes: tuple[int, ...] = (4, 4, 4)) -> Trace:
    made = [optimizer(n, sizes=(size,)) for n, size in enumerate(sizes)]
    return make_trace(steps=[step(i, 1.0, optimizer=o) for i, o in enumerate(optimizers, 1)], optimizers=made)


def test_an_optimizer_that_is_made_anew_is_one() -> None:
    assert len(main_steps(_by([0] * 4 + [1] * 4 + [2] * 4))) == 12
    assert len(main_steps(_by([0, 1, 2] * 4))) == 4, "in turn: several"
    assert len(main_steps(_by([0] * 4 + [1] * 4 + [2] * 4, sizes=(4, 2, 4)))) == 4, (
        "phases: parts of the model"
    )
    assert len(main_steps(_by([0] * 4 + [1] * 8, sizes=(4, 4)))) == 8, "two phases"


def test_targets_that_a_network_gives_at_every_step_make_no_falling_loss() -> None:
    def shown(i: int, grad: bool) -> dict[str, Any]:
        return {
            "k": "ids",
            "i": i,
            "grad": grad,
            "loader": None,
            "epoch": None,
            "h": [100.0 * grad + i],
            "y": None,
        }

    both = [shown(i, grad) for i in range(1, 41) for grad in (True, False)]
    assert need_not_fall(make_trace(rows=[loss_row(fn="smooth_l1_loss"), *both]))
    assert not need_not_fall(make_trace(rows=[loss_row(fn="cross_entropy"), *both]))
    assert not need_not_fall(make_trace(rows=[loss_row(fn="smooth_l1_loss"), *both[:20], *both[20::2]]))


def test_actions_of_a_policy_make_no_falling_loss() -> None:
    assert need_not_fall(make_trace(rows=[{"k": "acts", "steps": 40}]))


def test_one_label_for_all_is_a_place_among_the_scores_and_no_prior() -> None:
    same = loss_row(
        target={"shape": [32], "dtype": "int64", "min": 0, "max": 0, "distinct": 1, "hist": {"0": 32}}
    )
    assert chance_loss(make_trace(rows=[same])) is None
    assert chance_loss(make_trace(rows=[loss_row()])) == pytest.approx(math.log(4))


def test_values_that_are_weighed_anew_at_each_step_follow_what_backward_got() -> None:
    """Mixup: two values of the loss function, of which backward gets a mixture that differs from step to step."""
    shares = [0.5 if k < 5 else (0.99, 0.75)[k % 2] for k in range(40)]
    values = [(2.0, 2.0) if k < 5 else (0.2, 4.0) for k in range(40)]
    mixed = [step(k + 1, s * a + (1 - s) * b, loss_values=(a, b))
             for k, (s, (a, b)) in enumerate(zip(shares, values, strict=True))]  # fmt: skip
    assert objective(make_trace(steps=mixed, rows=[loss_row()]))[-1][1] < 1.3
    fixed = [step(k + 1, (a + b) / 8, loss_values=(a, b)) for k, (a, b) in enumerate(values)]
    assert objective(make_trace(steps=fixed, rows=[loss_row()]))[-1][1] == 2.1


def test_optimizers_that_step_after_one_backward_pass_share_its_loss() -> None:
    """Tables and layers of one model are no adversaries; two networks whose losses are theirs are."""

    def turns(*backwards: int) -> Trace:
        steps = [
            step(2 * k + j + 1, 1.0 if passes else None, optimizer=j, backwards=passes)
            for k in range(20)
            for j, passes in enumerate(backwards)
        ]
        return make_trace(steps=steps, optimizers=[optimizer(0), optimizer(1)])

    assert not need_not_fall(turns(1, 0))
    assert need_not_fall(turns(1, 1))
    assert need_not_fall(turns(2, 0)), "both losses come before both steps"
