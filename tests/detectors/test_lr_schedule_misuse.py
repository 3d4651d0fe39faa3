from __future__ import annotations

from typing import Any

import pytest
from tests.detectors.build import batch_row, eval_row, expect, falling, flat, make_trace, optimizer, run, step

from lossdoctor.detectors.base import TENTATIVE, Missing
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Site, Step, Trace

FAULT = "lr_schedule_misuse"


def scheduled(rates: list[float], losses: list[float] | None = None) -> list[Step]:
    return [
        step(i, v, lr=(r,)) for i, (r, v) in enumerate(zip(rates, losses or flat(len(rates)), strict=True), 1)
    ]


def test_a_rate_that_is_gone_after_a_fifth_of_the_run_is_found_at_that_step() -> None:
    finding = expect(FAULT, make_trace(steps=scheduled([1e-3] * 20 + [1e-9] * 80)))
    assert finding.evidence[0].step == 21


MADE, STEPPED = 41, 60


def placed(rates: list[float], cls: str, epochs: int = 4) -> int | None:
    sites = (
        Site(id=0, what="scheduler", file="/project/train.py", line=MADE, code="sched = make()"),
        Site(id=1, what="schedule_step", file="/project/train.py", line=STEPPED, code="sched.step()"),
    )
    row = {"k": "scheduler", "class": cls, "site": 0, "i": 0, "values": {}, "peak": 1e-3}
    batches = [batch_row(i, epoch=1 + (i - 1) * epochs // 100) for i in range(1, 101)]
    return expect(FAULT, make_trace(steps=scheduled(rates), sites=sites, rows=[row, *batches])).where.line


@pytest.mark.parametrize(
    ("gone", "cls", "epochs", "line"),
    [
        # as many steps as there are epochs: it was meant to be stepped once in each
        (5, "LambdaLR", 4, STEPPED),
        (40, "LambdaLR", 4, MADE),  # its own length ended it
        (40, "StepLR", 4, STEPPED),  # has no length
        (40, "LambdaLR", 25, STEPPED),
    ],
)
def test_a_schedule_that_is_over_is_laid_at_what_ended_it(
    gone: int, cls: str, epochs: int, line: int
) -> None:
    assert placed([1e-3] * gone + [0.0] * (100 - gone), cls, epochs) == line


def test_a_warm_up_that_is_stepped_by_epochs_is_laid_at_the_step() -> None:
    assert placed([1e-6 * (1 + k // 25) for k in range(100)], "LambdaLR") == STEPPED
    assert placed([1e-7 * (1 + k) for k in range(100)], "LambdaLR") == MADE


def test_a_warm_up_that_never_ends_is_found() -> None:
    rows = [{"k": "scheduler", "class": "LambdaLR", "site": 0, "i": 0, "values": {}, "peak": 1e-3}]
    finding = expect(FAULT, make_trace(steps=scheduled([1e-7 * k for k in range(1, 101)]), rows=rows))
    assert "never came above" in finding.why


def test_a_warm_up_that_was_cut_short_by_the_recording_is_not_judged() -> None:
    trace = make_trace(steps=scheduled([1e-7 * k for k in range(1, 101)]), stop="max_steps")
    assert run(FAULT, trace) is None


def test_a_cosine_that_is_driven_past_its_end_is_found() -> None:
    rows = [{"k": "scheduler", "class": "CosineAnnealingLR", "site": 0, "i": 0, "values": {}, "peak": 1e-3}]
    swing = [1e-3 * (1 - (k % 20) / 10 if k % 20 < 10 else (k % 20 - 10) / 10) + 1e-5 for k in range(100)]
    assert "turned" in expect(FAULT, make_trace(steps=scheduled(swing), rows=rows)).why


def test_a_rate_that_ends_near_zero_late_in_the_run_is_healthy() -> None:
    assert run(FAULT, make_trace(steps=scheduled([1e-3] * 80 + [1e-9] * 20))) is None


def test_a_low_rate_under_which_the_loss_still_falls_is_only_worth_a_test() -> None:
    finding = expect(FAULT, make_trace(steps=scheduled([1e-3] * 20 + [1e-9] * 80, falling(end=0.05))))
    assert finding.confidence == TENTATIVE
    assert "5 %" in finding.why
    assert run(FAULT, make_trace(steps=scheduled([1e-3] * 40 + [1e-9] * 60, falling(end=0.05)))) is None


LEARNED_EARLY = [*falling(20, end=0.05), *flat(80, level=0.05, noise=0.001)]


def test_a_rate_that_is_gone_early_in_a_run_that_learned_well_is_only_worth_a_test() -> None:
    finding = expect(FAULT, make_trace(steps=scheduled([1e-3] * 20 + [1e-9] * 80, LEARNED_EARLY)))
    assert finding.confidence == TENTATIVE
    assert finding.evidence[0].step == 21


def test_a_rate_that_is_gone_for_half_of_a_run_that_learned_well_is_healthy() -> None:
    assert run(FAULT, make_trace(steps=scheduled([1e-3] * 50 + [1e-9] * 50, LEARNED_EARLY))) is None
    poorly = make_trace(steps=scheduled([1e-3] * 50 + [1e-9] * 50))
    assert expect(FAULT, poorly).confidence > TENTATIVE


def test_a_run_of_a_few_steps_is_not_checked() -> None:
    assert isinstance(run(FAULT, make_trace(steps=scheduled([1e-3] * 9))), Missing)


def rising(to: float, steps: int = 100, **more: Any) -> Any:
    """A linear warm-up towards 1e-3 that is at this share of it when the run ends."""
    rows = [{"k": "scheduler", "class": "LambdaLR", "site": 0, "i": 0, "values": {}, "peak": 1e-3}]
    rates = [to * 1e-3 * k / steps for k in range(1, steps + 1)]
    return make_trace(steps=scheduled(rates, more.pop("losses", None)), rows=rows, **more)


def test_a_rate_that_rises_to_the_end_of_a_whole_run_never_came_to_its_peak() -> None:
    assert "never came above" in expect(FAULT, rising(0.4)).why
    assert run(FAULT, rising(0.6)) is None
    assert run(FAULT, rising(0.4, stop="max_steps")) is None


def test_in_a_run_that_learned_well_it_is_worth_a_test() -> None:
    assert expect(FAULT, rising(0.4, losses=falling(end=0.05))).confidence == TENTATIVE


def test_the_rate_of_another_phase_is_not_what_this_one_declares() -> None:
    main, other = optimizer(0, groups=({"lr": 1e-3},)), optimizer(1, "LBFGS", groups=({"lr": 1.0},))
    steps = [*scheduled([1e-3] * 100), step(101, 2.3, optimizer=1, lr=(1.0,))]
    assert run(FAULT, make_trace(steps=steps, optimizers=[main, other])) is None
    falls = scheduled([1e-3] * 50 + [5e-4] * 50)
    expect(FAULT, make_trace(steps=falls, optimizers=[optimizer(0, groups=({"lr": 1.0},))]))


def watching(mode: str, watched: list[float], held_out: list[float]) -> Trace:
    """A rate that is cut tenfold, the number that the schedule watches, and the evaluation loss, every ten steps."""
    told = [{"k": "plateau", "i": 10 * k, "value": v, "mode": mode} for k, v in enumerate(watched, 1)]
    measured = [eval_row(10 * k, loss=[v] * 4) for k, v in enumerate(held_out, 1)]
    steps = scheduled([1e-3] * 40 + [1e-4] * 60, falling(end=1.0))
    return make_trace(steps=steps, rows=[*told, *measured])


UP, DOWN = [0.3, 0.4, 0.5, 0.55, 0.6, 0.62], [2.0, 1.8, 1.6, 1.5, 1.4, 1.3]


def test_a_score_that_is_watched_as_if_it_were_a_loss_is_found() -> None:
    finding = expect(FAULT, watching("min", UP, DOWN))
    assert finding.confidence == 0.9
    assert "does not fall" in finding.why
    assert finding.evidence[0].threshold == "mode=min"


def test_a_loss_that_is_watched_as_if_it_were_a_score_is_found() -> None:
    assert "does not rise" in expect(FAULT, watching("max", DOWN, DOWN)).why


def test_without_an_evaluation_loss_a_watched_score_is_only_worth_a_test() -> None:
    assert expect(FAULT, watching("min", UP, [])).confidence == TENTATIVE
    assert run(FAULT, watching("max", DOWN, [])) is None


def test_a_watched_loss_that_falls_is_healthy() -> None:
    assert run(FAULT, watching("min", DOWN, DOWN)) is None
    assert run(FAULT, watching("max", UP, DOWN)) is None


def test_a_watched_loss_that_rises_with_the_evaluation_loss_is_overfitting() -> None:
    assert run(FAULT, watching("min", UP, UP)) is None


def test_a_rate_that_was_never_cut_is_not_blamed_on_what_is_watched() -> None:
    kept = watching("min", UP, DOWN)
    steps = tuple(s.model_copy(update={"lr": (1e-3,)}) for s in kept.steps)
    assert run(FAULT, kept.model_copy(update={"steps": steps})) is None


def test_a_few_watched_values_show_no_direction() -> None:
    assert run(FAULT, watching("min", UP[:3], DOWN)) is None


def test_a_rate_that_was_never_reached_is_tried_by_its_number() -> None:
    trace = make_trace(steps=scheduled([1e-7] * 39 + [1e-8]))
    assert interventions(FAULT, trace)[0]["name"] == "constant_lr"
    assert interventions(FAULT, trace)[0]["lr"] == pytest.approx(1e-3)


@pytest.mark.parametrize(("moved", "rate"), [(1e-4, 1.5e-3), (1e-6, 1.0)])
def test_a_declared_rate_that_is_a_mere_factor_is_not_tried(moved: float, rate: float) -> None:
    """A schedule after Vaswani et al. gives rates itself, for an optimizer that was made with a rate of 1."""
    steps = [s.model_copy(update={"updates": {0: (moved, 1.0, 1.0)}}) for s in scheduled([5e-5] * 40)]
    trace = make_trace(steps=steps, optimizers=[optimizer(groups=({"lr": 1.0},))])
    assert interventions(FAULT, trace)[0]["lr"] == pytest.approx(rate)


def test_one_rate_throughout_that_is_not_the_declared_one_is_no_schedule() -> None:
    """A loaded state brings the rate that it was saved with."""
    assert run(FAULT, make_trace(steps=scheduled([1e-7] * 40))) is None


def test_the_peak_of_another_phases_schedule_is_not_that_of_the_main_steps() -> None:
    made = {"k": "scheduler", "class": "CosineAnnealingLR", "site": 0, "i": 0, "values": {}, "peak": 1e-2}
    used = {"steps": scheduled([1e-3] * 100)}
    assert "never came above" in expect(FAULT, make_trace(**used, rows=[made | {"o": 0}])).why
    assert run(FAULT, make_trace(**used, rows=[made | {"o": 1}])) is None
