"""Schedules against torch's schedulers and the papers' formulas; the auditor against known faults."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from lossdoctor.errors import BadArgument
from lossdoctor.sheetbook.calculators import SCHEDULES, audit_schedule, make_schedule, schedule_value
from lossdoctor.sheetbook.calculators.schedules import infinite, inverse_sqrt, wsd

torch = pytest.importorskip("torch")
TOTAL = 40


def _torch_rates(build: Callable[[Any], Any], steps: int, lr: float = 0.1) -> list[float]:
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=lr)
    scheduler = build(optimizer)
    rates = []
    for _ in range(steps):
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return rates


def _warm_cosine(optimizer: Any) -> Any:
    lrs = torch.optim.lr_scheduler
    warm = lrs.LinearLR(optimizer, start_factor=0.1, total_iters=9)
    rest = lrs.CosineAnnealingLR(optimizer, T_max=TOTAL - 10)
    return lrs.SequentialLR(optimizer, [warm, rest], milestones=[10])


CASES: dict[str, tuple[dict[str, Any], Callable[[Any], Any]]] = {
    "constant": ({"lr": 0.1}, lambda o: torch.optim.lr_scheduler.LambdaLR(o, lambda _: 1.0)),
    "linear": (
        {"lr": 0.1, "total": TOTAL, "end": 0.01},
        lambda o: torch.optim.lr_scheduler.LinearLR(o, 1.0, 0.1, total_iters=TOTAL),
    ),
    "cosine": (
        {"lr": 0.1, "total": TOTAL, "end": 0.01},
        lambda o: torch.optim.lr_scheduler.CosineAnnealingLR(o, TOTAL, eta_min=0.01),
    ),
    "cosine_warmup": ({"lr": 0.1, "total": TOTAL, "warmup": 10}, _warm_cosine),
    "one_cycle": (
        {"lr": 0.1, "total": TOTAL},
        lambda o: torch.optim.lr_scheduler.OneCycleLR(o, 0.1, total_steps=TOTAL + 1),
    ),
    "polynomial": (
        {"lr": 0.1, "total": TOTAL, "power": 2.0},
        lambda o: torch.optim.lr_scheduler.PolynomialLR(o, TOTAL, power=2.0),
    ),
    "step": ({"lr": 0.1, "every": 7}, lambda o: torch.optim.lr_scheduler.StepLR(o, 7)),
    "exponential": ({"lr": 0.1, "gamma": 0.93}, lambda o: torch.optim.lr_scheduler.ExponentialLR(o, 0.93)),
    "cyclical": (
        {"low": 0.01, "high": 0.1, "half_cycle": 8},
        lambda o: torch.optim.lr_scheduler.CyclicLR(o, 0.01, 0.1, step_size_up=8),
    ),
}


@pytest.mark.filterwarnings("ignore:The epoch parameter:UserWarning")
@pytest.mark.parametrize("name", CASES)
def test_values_are_those_of_torchs_scheduler_at_every_step(name: str) -> None:
    settings, build = CASES[name]
    if name == "one_cycle":
        settings = {**settings, "total": TOTAL + 1}
    theirs = _torch_rates(build, TOTAL)
    ours = [schedule_value(name, step, **settings) for step in range(TOTAL)]
    assert ours == pytest.approx(theirs, rel=1e-6, abs=1e-12)


def test_inverse_sqrt_is_the_transformer_papers_formula_with_the_peak_factored_out() -> None:
    width, warmup = 512, 400
    peak = width**-0.5 * warmup**-0.5
    for step in (0, 10, 399, 400, 5000):
        taken = step + 1
        paper = width**-0.5 * min(taken**-0.5, taken * warmup**-1.5)
        assert inverse_sqrt(step, lr=peak, warmup=warmup) == pytest.approx(paper)


def test_wsd_is_flat_between_its_ramps_and_ends_at_the_end() -> None:
    settings = {"lr": 1.0, "total": 100, "warmup": 10, "decay": 20}
    rates = [wsd(step, **settings) for step in range(101)]  # type: ignore[arg-type]
    assert rates[9:81] == [1.0] * 72
    assert rates[90] == pytest.approx(0.5)
    assert rates[100] == 0.0
    assert wsd(85, shape="1-sqrt", **settings) == pytest.approx(1 - math.sqrt(5 / 20))  # type: ignore[arg-type]


def test_infinite_rate_stays_constant_until_annealing_is_asked_for() -> None:
    plain = {"lr": 1.0, "warmup": 10, "cooldown": 50, "constant_lr": 0.5}
    assert [infinite(step, **plain) for step in (9, 60, 10**6)] == pytest.approx([1.0, 0.5, 0.5])  # type: ignore[arg-type]
    annealed = {**plain, "anneal_from": 1000, "anneal": 100, "end": 0.05}
    values = [infinite(step, **annealed) for step in (999, 1050, 1100, 2000)]  # type: ignore[arg-type]
    assert values == pytest.approx([0.5, 0.5 * 0.1**0.5, 0.05, 0.05])


def test_schedules_with_an_end_stay_there() -> None:
    for name in ("linear", "cosine", "polynomial"):
        assert schedule_value(name, 500, lr=1.0, total=100) == pytest.approx(0.0, abs=1e-12)
    assert schedule_value("one_cycle", 500, lr=1.0, total=100) == pytest.approx(1 / 25 / 1e4)


def test_what_is_unknown_or_missing_is_named() -> None:
    with pytest.raises(BadArgument, match="unknown schedule"):
        schedule_value("sawtooth", 0)
    with pytest.raises(BadArgument, match=r"missing .*total.*takes lr, total, end"):
        schedule_value("cosine", 0, lr=1.0)
    with pytest.raises(BadArgument, match="count from 0"):
        schedule_value("constant", -1, lr=1.0)
    with pytest.raises(BadArgument, match="end > 0"):
        infinite(9, lr=1.0, warmup=1, cooldown=2, constant_lr=0.5, anneal_from=5)
    with pytest.raises(BadArgument, match="decay shape"):
        wsd(5, lr=1.0, total=10, warmup=0, decay=5, shape="cubic")


HEALTHY: dict[str, dict[str, Any]] = {
    "constant": {"lr": 1.0},
    "linear": {"lr": 1.0, "total": 200},
    "cosine": {"lr": 1.0, "total": 200},
    "cosine_warmup": {"lr": 1.0, "total": 200, "warmup": 10},
    "wsd": {"lr": 1.0, "total": 200, "warmup": 10, "decay": 40},
    "one_cycle": {"lr": 1.0, "total": 200},
    "polynomial": {"lr": 1.0, "total": 200, "power": 0.9},
    "step": {"lr": 1.0, "every": 60},
    "inverse_sqrt": {"lr": 1.0, "warmup": 10},
}


@pytest.mark.parametrize("name", HEALTHY)
def test_a_well_set_schedule_has_no_fault(name: str) -> None:
    audit = audit_schedule(make_schedule(name, **HEALTHY[name]), 200)
    assert [issue for issue in audit.issues if issue.fault] == []
    assert audit.peak == pytest.approx(1.0)


def _kinds(lr: Callable[[int], float], total: int = 200, **expected: float) -> set[str]:
    return {issue.kind for issue in audit_schedule(lr, total, **expected).issues if issue.fault}


def test_a_warm_up_from_zero_wastes_its_first_update() -> None:
    assert _kinds(lambda step: min(step / 20, 1.0)) == {"zero_first_step"}


def test_a_cosine_set_for_a_longer_run_never_reaches_its_end() -> None:
    assert _kinds(make_schedule("cosine", lr=1.0, total=1000)) == {"unreached_end"}


@pytest.mark.parametrize("share", [0.05, 0.1, 0.5, 0.8])
def test_a_run_that_stops_early_in_a_cosine_or_a_line_is_noticed(share: float) -> None:
    for name in ("cosine", "linear"):
        assert _kinds(make_schedule(name, lr=1.0, total=round(200 / share))) == {"unreached_end"}


def test_a_scheduler_counted_in_epochs_but_stepped_in_batches_swings() -> None:
    def restarting(step: int) -> float:
        return (1 + math.cos(math.pi * step / 30)) / 2  # torch's CosineAnnealingLR past T_max

    audit = audit_schedule(restarting, 200)
    (swings,) = [issue for issue in audit.issues if issue.kind == "swings"]
    assert "3 time(s)" in swings.detail
    assert "rising_tail" in {issue.kind for issue in audit_schedule(restarting, 235).issues if issue.fault}


def test_a_jump_between_phases_is_found_where_it_happens() -> None:
    def broken(step: int) -> float:
        return 0.001 if step < 140 else 0.04 * (1 - (step - 140) / 60)

    (issue,) = [issue for issue in audit_schedule(broken, 200).issues if issue.kind == "jump_up"]
    assert issue.step == 140
    assert "0.001 to 0.04" in issue.detail


def test_a_rise_past_the_run_is_told_but_is_no_fault() -> None:
    audit = audit_schedule(lambda step: (1 + math.cos(math.pi * step / 200)) / 2, 200)
    assert not audit.faulty
    assert [issue.kind for issue in audit.issues] == ["rises_past_end"]


def test_a_peak_that_is_not_the_intended_one_is_named() -> None:
    base = 1e-3
    lambda_multiplies_the_base = make_schedule("inverse_sqrt", lr=base * 7e-4, warmup=20)
    assert "wrong_peak" in _kinds(lambda_multiplies_the_base, expected_peak=7e-4)
    assert "wrong_peak" not in _kinds(make_schedule("inverse_sqrt", lr=7e-4, warmup=20), expected_peak=7e-4)


def test_an_end_the_user_names_is_compared() -> None:
    flat_floor = make_schedule("cosine", lr=1.0, total=200, end=0.1)
    assert _kinds(flat_floor, end=0.0) == {"unreached_end"}
    assert _kinds(flat_floor, end=0.1) == set()


def test_negative_and_non_finite_rates_stop_the_audit() -> None:
    assert _kinds(lambda step: 1 - step / 100) == {"negative"}
    assert _kinds(lambda step: 1.0 if step else math.nan) == {"non_finite"}


def test_a_step_decay_drop_is_no_fault_and_absurd_lengths_are_refused() -> None:
    audit = audit_schedule(make_schedule("step", lr=1.0, every=60), 200)
    assert {issue.kind for issue in audit.issues} == {"drop"}
    with pytest.raises(BadArgument, match="between 2"):
        audit_schedule(lambda _: 1.0, 1)


def test_every_named_schedule_of_the_issue_exists() -> None:
    wanted = {"constant", "linear", "cosine", "cosine_warmup", "wsd", "one_cycle", "inverse_sqrt"}
    assert wanted | {"polynomial", "step", "exponential", "cyclical", "infinite"} == set(SCHEDULES)
