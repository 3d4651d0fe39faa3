from __future__ import annotations

from typing import Any

import pytest
from tests.detectors.build import (
    eval_row,
    expect,
    falling,
    flat,
    loss_row,
    make_trace,
    optimizer,
    parameter,
    run,
    step,
)

from lossdoctor.detectors.base import MERE, TENTATIVE, Missing
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Finding, Step

FAULT = "lr_too_low"


def moved(losses: list[float], ratio: float, norm: float = 1.0, **more: object) -> list[Step]:
    return [
        step(i, v, updates={0: (ratio, 1.0, 1.0)}, grads={0: norm}, grad_norm=norm, **more)
        for i, v in enumerate(losses, 1)
    ]


def test_a_living_gradient_that_moves_nothing_is_found_at_the_optimizer() -> None:
    finding = expect(FAULT, make_trace(steps=moved(flat(), 1e-7)))
    assert (finding.where.line, finding.confidence) == (10, 0.85)


def test_a_rate_that_a_loaded_state_brought_is_held_against_the_one_asked_for() -> None:
    trace = make_trace(steps=moved(falling(end=1.9), 1e-4, lr=(1e-4,)))
    assert "made with a rate of 0.001" in expect(FAULT, trace).why
    assert interventions(FAULT, trace)[0]["name"] == "constant_lr"
    assert interventions(FAULT, trace)[0]["lr"] == 1e-3
    asked_for = make_trace(steps=moved(falling(end=1.9), 1e-4, lr=(1e-3,)))
    assert expect(FAULT, asked_for).confidence == TENTATIVE
    well = make_trace(steps=moved(falling(end=0.1), 1e-4, lr=(1e-4,)))
    assert expect(FAULT, well).confidence == TENTATIVE, "it learns well: only the proof tells"


def test_weights_that_move_are_healthy_whatever_the_loss_does() -> None:
    assert run(FAULT, make_trace(steps=moved(flat(), 5e-3))) is None


def test_weights_that_move_less_than_usual_are_worth_a_test_while_much_of_the_loss_is_left() -> None:
    assert expect(FAULT, make_trace(steps=moved(flat(), 1e-3))).confidence == MERE
    assert expect(FAULT, make_trace(steps=moved(falling(end=0.6), 1e-3))).confidence == MERE
    assert run(FAULT, make_trace(steps=moved(falling(end=0.1), 1e-3))) is None
    assert run(FAULT, make_trace(steps=moved(falling(1200, end=0.6), 1e-3))) is None, (
        "as far as sound ones go"
    )


def test_a_loss_that_falls_is_healthy_however_small_the_steps() -> None:
    assert run(FAULT, make_trace(steps=moved(falling(), 1e-6))) is None


def test_a_vanished_gradient_is_another_fault() -> None:
    assert run(FAULT, make_trace(steps=moved(flat(), 0.0, norm=0.0))) is None


def test_matrices_whose_gradient_is_exactly_zero_are_cut_off_not_slow() -> None:
    steps = [step(i, v, updates={0: (1e-9, 1.0, 1.0)}, grads={0: 0.0}) for i, v in enumerate(flat(), 1)]
    assert run(FAULT, make_trace(steps=steps)) is None


def test_fine_tuning_of_a_model_that_already_fits_is_on_purpose() -> None:
    steps = moved(flat(level=0.3, noise=0.01), 1e-7)
    assert run(FAULT, make_trace(steps=steps, rows=[loss_row()])) is None


def test_a_loss_that_rises_is_not_too_slow() -> None:
    assert run(FAULT, make_trace(steps=moved(falling(start=2.0, end=2.6), 1e-7))) is None


def test_without_update_sizes_it_is_not_checked() -> None:
    assert run(FAULT, make_trace(flat())) == Missing("parameter updates")


def test_small_steps_that_end_while_the_loss_falls_are_tried_with_a_larger_rate() -> None:
    finding = expect(FAULT, make_trace(steps=moved(falling(start=2.3, end=1.2), 1e-4)))
    assert finding.confidence == TENTATIVE
    assert run(FAULT, make_trace(steps=moved(falling(start=2.3, end=1.2), 1e-2))) is None


def test_small_steps_that_were_cut_off_by_us_say_nothing() -> None:
    assert run(FAULT, make_trace(steps=moved(falling(start=2.3, end=1.2), 1e-4), stop="max_steps")) is None


@pytest.mark.parametrize(("end", "last", "told"), [(1.9, 0.0, True), (1.9, 1.0, False), (0.4, 0.0, False)])
def test_small_steps_of_a_schedule_that_ends_at_nothing_are_tried_where_little_was_learned(
    end: float, last: float, told: bool
) -> None:
    """Such a schedule flattens any curve, so that nothing falls any more."""
    losses = [*falling(150, 2.3, end), *flat(150, level=end, noise=0.001)]
    rates = [1e-4 * (1 - (1 - last) * k / 299) for k in range(300)]
    steps = [s.model_copy(update={"lr": (r,)}) for s, r in zip(moved(losses, 2e-4), rates, strict=True)]
    finding = run(FAULT, make_trace(steps=tuple(steps), rows=[loss_row()]))
    assert (isinstance(finding, Finding) and finding.confidence == TENTATIVE) is told


def test_small_steps_whose_noise_hides_a_steady_fall_of_the_held_out_loss_are_tried_too() -> None:
    noisy = [0.9 - 0.00025 * i + 0.3 * (i % 3 == 1) for i in range(400)]

    def held_out(values: list[float]) -> list[dict[str, Any]]:
        return [eval_row(40 * k + 40, loss=[v] * 4) for k, v in enumerate(values)]

    rows = [loss_row(fn="mse_loss"), *held_out([0.9 - 0.015 * k for k in range(10)])]
    assert expect(FAULT, make_trace(steps=moved(noisy, 2.5e-4), rows=rows)).confidence == TENTATIVE
    slower = [loss_row(fn="mse_loss"), *held_out([0.9 - 0.2 * (1 - 0.92**k) for k in range(10)])]
    assert expect(FAULT, make_trace(steps=moved(noisy, 2.5e-4), rows=slower)).confidence == TENTATIVE
    assert expect(FAULT, make_trace(steps=moved(noisy, 6e-4), rows=slower)).confidence == MERE
    assert run(FAULT, make_trace(steps=moved(noisy, 5e-3), rows=slower)) is None
    rested = [loss_row(fn="mse_loss"), *held_out([0.9, 0.8, 0.77, *[0.765] * 7])]
    assert expect(FAULT, make_trace(steps=moved(noisy, 2.5e-4), rows=rested)).confidence == MERE


def test_a_loaded_rate_that_goes_on_from_a_fit_is_left_to_the_proof() -> None:
    start = {"rows": [loss_row()]}
    given = make_trace(steps=moved(falling(start=0.3, end=0.28), 1e-6, lr=(1e-6,)), **start)
    assert expect(FAULT, given).confidence == TENTATIVE
    asked_for = make_trace(steps=moved(falling(start=0.3, end=0.28), 1e-6, lr=(1e-3,)), **start)
    assert run(FAULT, asked_for) is None


@pytest.mark.parametrize(
    ("rate", "ratio", "told"), [(3e-7, 1e-6, True), (3e-4, 1e-6, False), (3e-7, 1e-3, False)]
)
def test_weights_of_a_rate_of_their_own_that_stand_still_are_tried(
    rate: float, ratio: float, told: bool
) -> None:
    """Tables that learn at 0.01 beside layers whose rate is orders of magnitude smaller."""
    both = {0: (0.01, 1.0, 1.0), 1: (ratio, 1.0, 1.0)}
    steps = [
        step(i, v, updates=both, grads={0: 1.0, 1: 1.0}, lr=(0.01,))
        for i, v in enumerate(falling(end=1.6), 1)
    ]
    trace = make_trace(
        steps=steps,
        parameters=[parameter(0), parameter(1, "1.weight")],
        optimizers=[optimizer(0, groups=({"lr": 0.01},)), optimizer(1, groups=({"lr": rate},), site=0)],
    )
    finding = run(FAULT, trace)
    assert isinstance(finding, Finding) is told
    if isinstance(finding, Finding):
        assert finding.confidence == MERE
        (change,) = interventions(FAULT, trace)
        assert change["factor"] == 1000.0
        assert rate < change["below"] < 0.01
