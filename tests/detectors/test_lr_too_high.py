from __future__ import annotations

import math
from itertools import cycle, islice

import pytest
from tests.detectors.build import eval_row, expect, falling, flat, loss_row, make_trace, optimizer, run, step

from lossdoctor.detectors.base import TENTATIVE, Missing
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Finding, Step, Trace

FAULT = "lr_too_high"


def moved(losses: list[float], ratio: float, **more: object) -> list[Step]:
    return [step(i, v, updates={0: (ratio, 1.0, 1.0)}, **more) for i, v in enumerate(losses, 1)]


def test_a_loss_that_grew_to_infinity_is_found_at_the_optimizer() -> None:
    losses = [*(2.0 * 4**k for k in range(12)), math.inf]
    finding = expect(FAULT, make_trace(steps=moved(losses, 0.5)))
    assert (finding.where.line, finding.symptom) == (10, "instability")


def test_a_loss_that_rose_far_above_its_start_is_found() -> None:
    assert "rose" in expect(FAULT, make_trace(steps=moved(falling(start=2.0, end=40.0), 0.1))).why


def test_large_updates_that_end_at_chance_are_found() -> None:
    finding = expect(FAULT, make_trace(steps=moved(flat(level=1.4), 0.1), rows=[loss_row()]))
    assert "no better" in finding.why


def test_large_updates_with_a_jumping_loss_are_found() -> None:
    jumping = list(islice(cycle([0.4, 1.6, 0.5, 0.7, 1.5]), 100))
    finding = expect(FAULT, make_trace(steps=moved([1.5, 1.4, *jumping], 0.2), rows=[loss_row()]))
    assert finding.confidence >= 0.6


def test_a_run_at_rest_near_chance_with_elevated_updates_is_only_worth_a_test() -> None:
    losses = [*falling(20, 1.6, 1.2), *flat(80, level=1.2)]
    finding = expect(FAULT, make_trace(steps=moved(losses, 0.01), rows=[loss_row()]))
    assert finding.confidence == TENTATIVE


def test_small_updates_of_a_flat_run_are_not_too_high() -> None:
    assert run(FAULT, make_trace(steps=moved(flat(level=1.4), 1e-4), rows=[loss_row()])) is None


def test_large_updates_of_a_run_that_learns_are_healthy() -> None:
    assert run(FAULT, make_trace(steps=moved(falling(), 0.1))) is None


def test_nan_without_growth_is_the_work_of_an_operation() -> None:
    assert run(FAULT, make_trace(steps=moved([2.0] * 12 + [math.nan], 0.1))) is None


def test_adversarial_losses_are_not_judged() -> None:
    steps = [step(i, 40.0 if i > 50 else 1.0, optimizer=i % 2) for i in range(1, 101)]
    assert run(FAULT, make_trace(steps=steps)) is None


def test_a_few_steps_are_not_checked() -> None:
    assert run(FAULT, make_trace(flat(5))) == Missing("ten or more optimizer steps")


def test_weights_that_were_thrown_away_show_in_the_evaluation() -> None:
    losses = [1.1, 1.2, *[800.0] * 3, *[0.01] * 95]
    rows = [loss_row(), *(eval_row(i, loss=[900.0]) for i in (50, 100))]
    assert "threw the weights" in expect(FAULT, make_trace(steps=moved(losses, 1e-3), rows=rows)).why


def test_a_slow_language_model_well_below_chance_is_not_tested() -> None:
    losses = [*falling(20, 1.6, 1.0), *flat(80, level=1.0)]
    assert run(FAULT, make_trace(steps=moved(losses, 0.01), rows=[loss_row()])) is None


def thrown(end: float) -> list[Step]:
    """The first step leaves the start upwards; what falls afterwards ends at ``end``."""
    return moved([1.4, *falling(99, 90.0, end)], 1e-3)


def test_a_start_that_was_thrown_away_and_never_won_back_is_found() -> None:
    finding = expect(FAULT, make_trace(steps=thrown(5.0), rows=[loss_row()]))
    assert "first steps threw" in finding.why
    assert "1.4 at the first step" in finding.why


def test_a_thrown_start_that_was_won_back_is_healthy() -> None:
    assert run(FAULT, make_trace(steps=thrown(0.3), rows=[loss_row()])) is None


def test_a_first_step_larger_than_the_weights_is_found_whatever_the_loss_does_later() -> None:
    losses = [0.13, 6.6, 1163.0, 36.5, *[0.01] * 96]
    assert "larger than the weights" in expect(FAULT, make_trace(steps=moved(losses, 9.0))).why
    assert run(FAULT, make_trace(steps=moved(losses, 0.02))) is None
    small = [step(1, 2.3, updates={0: (9.0, 1.0, 1.0)}), *moved(falling(), 1e-3)[1:]]
    assert run(FAULT, make_trace(steps=small)) is None, "tiny weights may well be replaced by the first step"


def test_a_high_first_loss_is_no_thrown_start() -> None:
    high = moved(falling(100, 90.0, 5.0), 1e-3)
    assert run(FAULT, make_trace(steps=high, rows=[loss_row()])) is None


def test_the_rates_to_test_are_the_powers_of_ten_that_the_updates_ask_for() -> None:
    def factors(ratio: float) -> list[object]:
        return [i["factor"] for i in interventions(FAULT, make_trace(steps=moved(flat(), ratio)))]

    assert factors(3.0) == [1e-3, 1e-2]
    assert factors(0.03) == [1e-1, 1e-2]
    assert factors(1e-4) == [1e-1, 1e-2]


@pytest.mark.parametrize(("last", "told"), [(0.1, True), (0.6, False)])
def test_a_schedule_that_ends_at_a_tenth_has_brought_the_rate_down(last: float, told: bool) -> None:
    losses = falling(100, 3.3, 2.2)
    steps = moved(losses, 0.15)
    rates = [0.1 * (1 - (1 - last) * k / len(steps)) for k in range(len(steps))]
    decayed = tuple(s.model_copy(update={"lr": (rate,)}) for s, rate in zip(steps, rates, strict=True))
    finding = run(FAULT, make_trace(steps=decayed, rows=[]))
    assert isinstance(finding, Finding)
    assert finding.confidence == TENTATIVE
    assert ("decayed" in finding.why) is told


@pytest.mark.parametrize(
    ("ratio", "end", "told"), [(0.05, 1.2, True), (0.05, 0.2, False), (0.15, 0.2, True), (0.01, 1.2, False)]
)
def test_large_updates_of_a_run_that_does_not_fit_well_are_worth_a_test(
    ratio: float, end: float, told: bool
) -> None:
    trace = make_trace(steps=moved(falling(100, 2.3, end), ratio), rows=[loss_row()])
    finding = run(FAULT, trace)
    assert (isinstance(finding, Finding) and finding.confidence == TENTATIVE) is told


def test_a_loss_that_stands_above_its_start_for_a_third_of_the_run_is_worth_a_test() -> None:
    losses = [*flat(30, level=1.4), *flat(40, level=3.0), *falling(60, 2.0, 0.4)]
    finding = expect(FAULT, make_trace(steps=moved(losses, 0.02), rows=[loss_row()]))
    assert finding.confidence == TENTATIVE
    assert "middle" in finding.why
    spike = [*flat(60, level=1.4), 9.0, *falling(69, 1.4, 0.4)]
    assert run(FAULT, make_trace(steps=moved(spike, 0.02), rows=[loss_row()])) is None


def test_gradients_that_the_script_adds_to_do_not_follow_the_loss() -> None:
    steps = moved(flat(level=1.4), 0.1)
    expect(
        FAULT, make_trace(steps=[s.model_copy(update={"grad_made": 0.9}) for s in steps], rows=[loss_row()])
    )
    added = [s.model_copy(update={"grad_made": 0.01}) for s in steps]
    assert run(FAULT, make_trace(steps=added, rows=[loss_row()])) is None


def test_steps_whose_length_a_line_search_chooses_are_none_of_the_rate() -> None:
    steps = moved(flat(level=1.4), 0.1)
    searching = [optimizer(cls="LBFGS", groups=({"lr": 1.0, "line_search_fn": "strong_wolfe"},))]
    assert run(FAULT, make_trace(steps=steps, optimizers=searching, rows=[loss_row()])) is None
    expect(FAULT, make_trace(steps=steps, optimizers=[optimizer(groups=({"lr": 1.0, "line_search_fn": None},))],
                             rows=[loss_row()]))  # fmt: skip


def test_weights_that_begin_at_zero_are_measured_against_what_they_become() -> None:
    """Ratings of clubs: the first updates of what is zero are as large as itself, whatever the rate."""

    def rated(first: float) -> Trace:
        sizes = [first, *(0.01 * k for k in range(1, 200))]
        each = enumerate(zip(flat(200, level=1.4), sizes, strict=True), 1)
        return make_trace(
            steps=[step(i, loss, updates={0: (0.01, size, 1.0)}) for i, (loss, size) in each],
            rows=[loss_row()],
        )

    assert run(FAULT, rated(0.0)) is None
    assert run(FAULT, rated(0.01))
