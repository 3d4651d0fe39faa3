"""Batch, transfer, warm-up, chance, budget and search arithmetic against derivations of their own."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from lossdoctor.errors import BadArgument
from lossdoctor.sheetbook.calculators import (
    PEAK_TFLOPS,
    AdamSettings,
    Rung,
    adam_transfer,
    batch_price,
    bracket_cost,
    chance_absolute_error,
    chance_binary,
    chance_cross_entropy,
    chance_language_model,
    chance_squared_error,
    chinchilla,
    effective_batch,
    hyperband,
    linear_transfer,
    majority_accuracy,
    mfu,
    mup_transfer,
    noise_scale,
    random_trials,
    scaling_law_loss,
    seeds_needed,
    sqrt_transfer,
    successive_halving,
    training_flops_per_token,
    updates,
    warmup_steps,
)

torch = pytest.importorskip("torch")
# LBFGS itself turns the closure's loss into a float.
pytestmark = pytest.mark.filterwarnings("ignore:Converting a tensor with requires_grad:UserWarning")


def test_effective_batch_multiplies_and_updates_round_up() -> None:
    assert effective_batch(4, 8, 2) == 64
    assert (updates(1000, 64), updates(1000, 64, drop_last=True), updates(1000, 64, epochs=3)) == (16, 15, 48)
    with pytest.raises(BadArgument):
        effective_batch(0)
    with pytest.raises(BadArgument):
        updates(10, 0)


def test_noise_scale_recovers_a_known_covariance_from_two_batch_sizes() -> None:
    torch.manual_seed(0)
    mean, spread, width = 0.5, 2.0, 64
    squares = {
        size: (mean + spread * torch.randn(4000, size, width)).mean(1).pow(2).sum(1).mean().item()
        for size in (2, 16)
    }
    estimate = noise_scale(2, squares[2], 16, squares[16])
    assert estimate.signal == pytest.approx(width * mean**2, rel=0.05)
    assert estimate.noise == pytest.approx(width * spread**2, rel=0.05)
    assert estimate.batch == pytest.approx(spread**2 / mean**2, rel=0.1)


def test_noise_scale_says_when_it_cannot_tell() -> None:
    assert noise_scale(1, 1.0, 2, 0.4).batch is None
    with pytest.raises(BadArgument):
        noise_scale(8, 1.0, 8, 1.0)


def test_the_critical_batch_costs_twice_of_both() -> None:
    assert (batch_price(100, 100).steps, batch_price(100, 100).samples) == (2, 2)
    # (S/S_min - 1)(E/E_min - 1) = 1 at every batch size: the hyperbola of the paper
    for size in (3, 50, 4000):
        price = batch_price(size, 100)
        assert (price.steps - 1) * (price.samples - 1) == pytest.approx(1)
    with pytest.raises(BadArgument):
        batch_price(0, 1)


def test_transfer_rules_invert_themselves() -> None:
    start = AdamSettings(1e-3, 0.9, 0.999, 1e-8)
    there = adam_transfer(start, 256, 1024)
    assert (there.lr, there.beta1, there.beta2, there.eps) == pytest.approx((2e-3, 0.6, 0.996, 5e-9))
    back = adam_transfer(there, 1024, 256)
    assert (back.lr, back.beta1, back.beta2) == pytest.approx((1e-3, 0.9, 0.999))
    assert (linear_transfer(0.1, 256, 1024), sqrt_transfer(0.1, 256, 1024)) == pytest.approx((0.4, 0.2))
    with pytest.raises(BadArgument, match="beta below 0"):
        adam_transfer(start, 32, 1024)


def _output_change(width: int, factors: bool) -> float:
    """Root mean square change of a two-hidden-layer network's output after three Adam steps."""
    torch.manual_seed(0)
    sizes = [(16, width, "input"), (width, width, "hidden"), (width, 1, "output")]
    layers = [torch.nn.Linear(a, b, bias=False) for a, b, _ in sizes]
    groups = []
    for layer, (fan_in, _, role) in zip(layers, sizes, strict=True):
        scale = mup_transfer(role, width / 64)
        extra = 1 / math.sqrt(width / 64) if factors and role == "output" else 1.0
        torch.nn.init.normal_(layer.weight, std=extra / math.sqrt(fan_in))
        groups.append({"params": layer.parameters(), "lr": 3e-3 * (scale.lr if factors else 1.0)})
    network = torch.nn.Sequential(layers[0], torch.nn.ReLU(), layers[1], torch.nn.ReLU(), layers[2])
    optimizer = torch.optim.Adam(groups)
    x, y = torch.randn(64, 16), torch.randn(64, 1)
    before = network(x).detach()
    for _ in range(3):
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(network(x), y).backward()
        optimizer.step()
    return float((network(x).detach() - before).pow(2).mean().sqrt())


def test_maximal_update_factors_keep_the_function_change_flat_in_width() -> None:
    plain = _output_change(1024, False) / _output_change(64, False)
    maximal = _output_change(1024, True) / _output_change(64, True)
    assert plain > 5
    assert 0.4 < maximal < 2.5


def test_maximal_update_factors_follow_the_papers_table() -> None:
    assert mup_transfer("hidden", 4).lr == mup_transfer("output", 4).lr == 0.25
    assert mup_transfer("input", 4, "sgd").lr == 4
    assert mup_transfer("hidden", 4, "sgd").lr == 1
    assert mup_transfer("output", 4).init_std == 0.25
    with pytest.raises(BadArgument):
        mup_transfer("middle", 2)


def test_warm_up_is_the_second_moments_memory_held_to_the_run() -> None:
    assert warmup_steps(100_000).steps == 2000
    assert warmup_steps(100_000, beta2=0.95).steps == 1000  # 40 steps would be under 1 %
    assert warmup_steps(5000).steps == 500
    assert warmup_steps(100_000, beta2=None, steps_per_epoch=1000).steps == 5000
    assert warmup_steps(1000, beta2=None).steps == 10
    for total in (1, 7, 1000, 10**6):
        answer = warmup_steps(total)
        assert 1 <= answer.low <= answer.steps <= answer.high
    with pytest.raises(BadArgument):
        warmup_steps(0)


def _best_constant(loss: object, size: int, targets: object, **options: object) -> float:
    """Minimise the loss over a constant prediction with LBFGS: what the formulas claim to be."""
    guess = torch.zeros(size, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([guess], max_iter=200, tolerance_grad=1e-12)

    def value() -> object:
        optimizer.zero_grad()
        result = loss(guess.expand(len(targets), size).squeeze(1), targets, **options)  # type: ignore
        result.backward()
        return result

    optimizer.step(value)
    return float(value().detach())  # type: ignore[attr-defined]


def test_chance_cross_entropy_is_the_best_a_constant_can_do() -> None:
    functional = torch.nn.functional
    labels = torch.tensor([0] * 70 + [1] * 20 + [2] * 10)
    weights = [1.0, 3.0, 7.0]
    found = _best_constant(functional.cross_entropy, 3, labels)
    assert chance_cross_entropy([70, 20, 10]) == pytest.approx(found, rel=1e-6)
    found = _best_constant(functional.cross_entropy, 3, labels, weight=torch.tensor(weights).double())
    assert chance_cross_entropy([70, 20, 10], weights) == pytest.approx(found, rel=1e-6)
    found = _best_constant(functional.cross_entropy, 3, labels, label_smoothing=0.1)
    assert chance_cross_entropy([70, 20, 10], label_smoothing=0.1) == pytest.approx(found, rel=1e-6)


def test_chance_binary_counts_the_positive_weight() -> None:
    functional = torch.nn.functional
    labels = torch.tensor([1.0] * 5 + [0.0] * 95, dtype=torch.float64)
    for weight in (1.0, 19.0):
        options = {"pos_weight": torch.tensor(weight).double()}
        found = _best_constant(functional.binary_cross_entropy_with_logits, 1, labels, **options)
        assert chance_binary(0.05, weight) == pytest.approx(found, rel=1e-6)


def test_chance_regression_is_variance_and_absolute_deviation() -> None:
    targets = [1.0, 2.0, 4.0, 9.0]
    mse = _best_constant(torch.nn.functional.mse_loss, 1, torch.tensor(targets, dtype=torch.float64))
    assert chance_squared_error(targets) == pytest.approx(mse)
    assert chance_absolute_error(targets) == pytest.approx((2 + 1 + 1 + 6) / 4)


def test_chance_needs_a_prior() -> None:
    assert majority_accuracy([90, 10]) == 0.9
    assert chance_language_model(50257) == pytest.approx(10.825, abs=1e-3)
    for call in (
        lambda: chance_cross_entropy([]),
        lambda: chance_cross_entropy([1, 2], [1.0]),
        lambda: chance_binary(1.5),
        lambda: chance_squared_error([math.nan]),
        lambda: chance_language_model(0),
    ):
        with pytest.raises(BadArgument):
            call()


def test_chinchillas_own_model_is_reproduced() -> None:
    budget = chinchilla(parameters=70e9)
    assert budget.tokens == 1.4e12
    assert budget.flops == pytest.approx(5.88e23)
    assert chinchilla(flops=budget.flops).parameters == pytest.approx(70e9)
    assert chinchilla(tokens=1.4e12).parameters == pytest.approx(70e9)
    with pytest.raises(BadArgument, match="exactly one"):
        chinchilla(flops=1e20, parameters=1e9)


def test_the_ratio_of_twenty_lies_near_the_fitted_laws_optimum() -> None:
    flops = 5.88e23
    sizes = [10 ** (9 + step / 100) for step in range(300)]
    best = min(sizes, key=lambda size: scaling_law_loss(size, flops / 6 / size))
    ratio = flops / 6 / best / best
    assert 10 < ratio < 40


def test_mfu_is_useful_work_over_peak() -> None:
    per_token = training_flops_per_token(540e9, layers=118, width=48 * 256, sequence=2048)
    # PaLM 540B: 238.3 K tokens/s on 6144 TPU v4 of 275 TFLOP/s, reported as 46.2 %
    assert mfu(238.3e3, per_token, 275, 6144) == pytest.approx(0.462, abs=0.005)
    with pytest.raises(BadArgument, match="impossible"):
        mfu(1e9, per_token, PEAK_TFLOPS["a100"])
    with pytest.raises(BadArgument, match="positive"):
        mfu(1.0, 1.0, 0)


def test_random_trials_reach_the_promised_confidence() -> None:
    count = random_trials()
    assert count == 59
    assert 1 - 0.95**count >= 0.95 > 1 - 0.95 ** (count - 1)
    with pytest.raises(BadArgument):
        random_trials(0)


def test_seeds_needed_gives_the_promised_power_in_simulation() -> None:
    torch.manual_seed(0)
    count = seeds_needed(1.0, 1.0)
    assert count == 16
    first, second = torch.randn(2, 20_000, count)
    z = (second.mean(1) + 1.0 - first.mean(1)) / math.sqrt(2 / count)
    assert (z.abs() > 1.96).float().mean() == pytest.approx(0.8, abs=0.02)
    assert seeds_needed(0.0, 1.0) == 2
    with pytest.raises(BadArgument):
        seeds_needed(1.0, 0.0)


def test_halving_keeps_a_third_at_three_times_the_resource() -> None:
    rungs = successive_halving(27, 1, 27)
    assert rungs == (Rung(27, 1), Rung(9, 3), Rung(3, 9), Rung(1, 27))
    assert bracket_cost(rungs) == 27 * 1 + 9 * 2 + 3 * 6 + 1 * 18
    assert bracket_cost((Rung(27, 27),)) == 729
    with pytest.raises(BadArgument):
        successive_halving(0, 1, 2)


def test_hyperband_reproduces_the_papers_table_for_81() -> None:
    brackets = hyperband(81)
    assert [tuple((rung.trials, rung.resource) for rung in bracket) for bracket in brackets] == [
        ((81, 1), (27, 3), (9, 9), (3, 27), (1, 81)),
        ((34, 3), (11, 9), (3, 27), (1, 81)),
        ((15, 9), (5, 27), (1, 81)),
        ((8, 27), (2, 81)),
        ((5, 81),),
    ]
    for bracket in brackets:
        assert all(later.resource == 3 * before.resource for before, later in pairwise(bracket))
    with pytest.raises(BadArgument):
        hyperband(0)
