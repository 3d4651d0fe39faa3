from __future__ import annotations

from tests.detectors.build import expect, falling, flat, make_trace, optimizer, run, step

from lossdoctor.detectors.base import TENTATIVE

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


def test_a_flat_loss_is_not_flipped() -> None:
    assert run(FAULT, make_trace(flat())) is None
