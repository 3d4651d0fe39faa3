from __future__ import annotations

from typing import Any

import pytest
from tests.detectors.build import (
    SITES,
    expect,
    falling,
    flat,
    loss_row,
    make_trace,
    optimizer,
    print_row,
    run,
    step,
    steps_of,
)

from lossdoctor.detectors.base import TENTATIVE, Missing
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Finding, Site, Trace

FAULT = "loss_sign_flipped"
RISING = falling(start=0.5, end=50.0)


def test_the_negative_of_a_loss_is_found_at_backward() -> None:
    steps = [step(i, -v, loss_values=(v,)) for i, v in enumerate(RISING, 1)]
    assert expect(FAULT, make_trace(steps=steps)).where.line == 21


def test_maximise_with_a_rising_loss_is_found_at_the_optimizer() -> None:
    made = [optimizer(groups=({"lr": 1e-3, "maximize": True},))]
    assert expect(FAULT, make_trace(RISING, optimizers=made)).where.line == 10


def test_a_likelihood_that_falls_without_bound_is_found() -> None:
    steps = [step(i, -2.3 * 1.1**i, loss_values=(), grad_norm=1.1**i) for i in range(1, 101)]
    assert "without bound" in expect(FAULT, make_trace(steps=steps)).why


def test_a_steady_rise_alone_is_worth_a_test() -> None:
    assert expect(FAULT, make_trace(RISING)).confidence == TENTATIVE


def test_a_negative_loss_that_settles_is_healthy() -> None:
    losses = [1.0 - 3.0 * (1 - 0.95**k) for k in range(100)]
    assert run(FAULT, make_trace(losses)) is None


def test_maximising_a_reward_that_grows_is_healthy() -> None:
    made = [optimizer(groups=({"lr": 1e-3, "maximize": True},))]
    assert run(FAULT, make_trace([-v for v in falling()], optimizers=made)) is None


@pytest.mark.parametrize(
    ("handed", "name", "wrong"),
    [
        ("objective.backward()", "train loglik", False),
        ("objective.backward()", "train loss", True),
        ("objective.backward()", "val loss", False),  # another number
        ("total_loss.backward()", "train loglik", True),
        ("nll.backward()", None, True),
        ("elbo.backward()", None, False),
    ],
)
def test_what_a_script_climbs_is_wrong_only_where_it_is_called_a_loss(
    handed: str, name: str | None, wrong: bool
) -> None:
    """A log-likelihood that a script writes out: no function of torch's."""
    steps = [step(i, v, loss_values=()) for i, v in enumerate(RISING, 1)]
    off = 3.0 if name and name.startswith("val") else 1.0
    said = [{"k": "print", "i": i, "v": {name: off * RISING[i - 1]}, "line": ""} for i in range(20, 101, 20)]
    trace = make_trace(
        steps=steps,
        optimizers=[optimizer(groups=({"lr": 1e-3, "maximize": True},))],
        rows=said if name else [],
        sites=tuple(replaced(s, handed) for s in SITES),
    )
    assert (run(FAULT, trace) is not None) is wrong


def replaced(site: Site, handed: str) -> Site:
    return site.model_copy(update={"code": handed}) if site.what == "backward" else site


def test_a_flat_loss_is_not_flipped() -> None:
    assert run(FAULT, make_trace(flat())) is None


UPDATE = Site(id=9, what="update", file="/project/train.py", line=31, code="p += lr * p.grad")


def by_hand(losses: list[float], along: float, known: int = 10) -> Trace:
    """Updates written out, the direction of the first ``known`` of which was measured."""
    steps = [
        step(i, v, optimizer=-1, moved=True, along=along if i <= known else None)
        for i, v in enumerate(losses, 1)
    ]
    return make_trace(steps=steps, optimizers=[], sites=(*SITES, UPDATE))


def test_weights_moved_along_the_gradient_are_found_at_the_update() -> None:
    finding = expect(FAULT, by_hand(RISING, 1.0))
    assert "along the gradient" in finding.why
    assert (finding.confidence, finding.where.line) == (0.95, 31)


def test_a_rise_with_updates_against_the_gradient_is_only_worth_a_test() -> None:
    assert expect(FAULT, by_hand(RISING, -1.0)).confidence == TENTATIVE


def test_two_measured_directions_are_too_few() -> None:
    assert expect(FAULT, by_hand(RISING, 1.0, known=2)).confidence == TENTATIVE


def test_a_likelihood_that_is_climbed_by_hand_is_healthy() -> None:
    assert run(FAULT, by_hand([-v for v in falling()], 1.0)) is None
    assert run(FAULT, by_hand(falling(), 1.0)) is None


def test_a_few_steps_are_not_checked() -> None:
    assert isinstance(run(FAULT, make_trace(steps=steps_of(RISING[:5]))), Missing)


def test_a_ranking_measure_that_falls_below_chance_tells_the_direction() -> None:
    def printed(values: list[float]) -> list[dict[str, object]]:
        return [print_row(10 * k, **{"c-index": v}) for k, v in enumerate(values, 1)]

    fell = printed([0.48, 0.4, 0.35, 0.3, 0.25, 0.23])
    assert "wrong way round" in expect(FAULT, make_trace(falling(), rows=fell)).why
    broken = run(FAULT, make_trace([*falling(), float("nan")], rows=fell))
    assert not isinstance(broken, Finding) or "wrong way round" not in broken.why
    idle = printed([0.48, 0.52, 0.47, 0.5, 0.49, 0.51])
    assert expect(FAULT, make_trace(falling(), rows=idle)).confidence == TENTATIVE
    assert (
        run(FAULT, make_trace(falling(), rows=[loss_row(), *idle])) is None
    )  # torch's own loss knows its direction
    told = make_trace(falling(), rows=[loss_row(fn="margin_ranking_loss"), *idle])
    assert expect(FAULT, told).confidence == TENTATIVE  # which of two is the better one, it was told
    assert run(FAULT, make_trace(falling(), rows=printed([0.3, 0.4, 0.6, 0.7, 0.8, 0.85]))) is None


@pytest.mark.parametrize(
    ("name", "low", "fair"),
    [("held agreement", 0.15, 0.48), ("pair acc", 0.2, 0.45), ("val spearman", -0.6, -0.05)],
)
def test_so_do_pairs_in_the_right_order_and_rank_correlations(name: str, low: float, fair: float) -> None:
    def told(end: float) -> object:
        values = (0.5, *(end + 0.01 * k for k in (2, 1, 0, -1)))
        rows = [print_row(10 * k, **{name: v}) for k, v in enumerate(values, 1)]
        return run(FAULT, make_trace(falling(), rows=[loss_row(), *rows]))

    assert isinstance(told(low), Finding)
    assert not isinstance(told(fair), Finding)


def policy(earned: list[float], name: str = "return", **more: Any) -> Trace:
    rows = [print_row(10 * k, f"{name} {v}", **{name: v}) for k, v in enumerate(earned, 1)]
    return make_trace(flat(), rows=[*rows, {"k": "acts", "steps": 100}], **more)


def test_a_policy_whose_return_does_not_rise_is_worth_a_test() -> None:
    sinking = policy([0.3, 0.1, 0.0, 0.01, 0.0, 0.0])
    assert expect(FAULT, sinking).confidence == TENTATIVE
    assert [c["name"] for c in interventions(FAULT, sinking)] == ["flip_actions"]
    assert expect(FAULT, policy([36.0, -62.0, -108.0, -106.0], name="profit/episode"))


@pytest.mark.parametrize(
    ("code", "line"), [("term = (logp(a) * adv).mean()", 40), ("kept.append(dist.log_prob(a))", 21)]
)
def test_a_policy_is_blamed_where_its_likelihoods_are_weighed(code: str, line: int) -> None:
    told = Site(id=9, what="likelihood", file="train.py", line=40, code=code)
    sinking = policy([0.3, 0.1, 0.0, 0.01, 0.0, 0.0], sites=(*SITES, told))
    assert expect(FAULT, sinking).where.line == line


def test_a_policy_whose_return_rises_is_healthy() -> None:
    assert run(FAULT, policy([0.3, 0.4, 0.35, 0.6, 0.7, 0.8])) is None


def distances(losses: list[float], smallest: float = 0.2, count: int = 3) -> Trace:
    """Scores of four classes, none of them below ``smallest``."""
    scores = loss_row()["in"] | {"min": smallest, "max": 5.0}
    return make_trace(losses, rows=[loss_row(i, **{"in": scores}) for i in range(1, count + 1)])


def test_scores_that_are_never_negative_in_a_run_that_learns_nothing_are_worth_a_test() -> None:
    ranked = distances(flat(level=1.4))
    assert expect(FAULT, ranked).confidence == TENTATIVE
    assert interventions(FAULT, ranked) == ({"name": "flip_scores"},)


@pytest.mark.parametrize(
    ("maker", "asked"),
    [
        (["LogSoftmax", "Div", "Sum", "Pow"], True),
        (["LogSoftmax", "Sqrt", "Sum", "Pow"], True),
        (["LogSoftmax", "Neg", "Sum", "Pow"], False),
        (["LogSoftmax", "Addmm"], False),
        (["Pow"], False),
    ],
)
def test_log_probabilities_of_sums_of_squares_are_worth_a_test(maker: list[str], asked: bool) -> None:
    rows = [loss_row(i, "nll_loss", maker=maker) for i in (1, 2, 3)]
    found = run(FAULT, make_trace(flat(level=1.4), rows=rows))
    assert (found is not None) is asked


def test_scores_that_the_run_learns_from_or_that_go_below_zero_are_no_distances() -> None:
    for trace in (
        distances(falling()),
        distances(flat(level=1.4), smallest=-0.1),
        distances(flat(level=1.4), count=2),
    ):
        assert run(FAULT, trace) is None
        assert interventions(FAULT, trace) == ({"name": "flip_gradient"},)
