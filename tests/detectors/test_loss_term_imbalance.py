from __future__ import annotations

from typing import Any

import pytest
from tests.detectors.build import (
    expect,
    falling,
    flat,
    loss_row,
    make_trace,
    parameter,
    print_row,
    run,
    step,
    steps_of,
)

from lossdoctor.detectors.base import TENTATIVE, Missing
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Finding, Trace

FAULT = "loss_term_imbalance"


def trained(totals: list[float], term: list[float]) -> dict[str, Any]:
    pairs = list(enumerate(zip(totals, term, strict=True), 1))
    return {"steps": [step(i, t, loss_values=(v,)) for i, (t, v) in pairs],
            "rows": [loss_row(i, value=v) for i, (_, v) in pairs[::5]]}  # fmt: skip


BINARY = "binary_cross_entropy_with_logits"


def test_a_term_that_rests_at_chance_while_the_total_falls_is_found() -> None:
    finding = expect(FAULT, make_trace(**trained(falling(100, 500.0, 20.0), flat(level=1.39))))
    assert "cross_entropy" in finding.why


def test_a_small_penalty_next_to_a_term_that_falls_is_healthy() -> None:
    term = falling(100, 1.39, 0.2)
    assert run(FAULT, make_trace(**trained([v + 0.1 for v in term], term))) is None


def test_a_single_term_that_is_scaled_is_no_imbalance() -> None:
    term = flat(level=1.39)
    assert run(FAULT, make_trace(**trained([100 * v for v in term], term))) is None


def test_without_values_of_the_terms_it_is_not_checked() -> None:
    assert isinstance(run(FAULT, make_trace(rows=[loss_row(value=None)])), Missing)


def regression(total: list[float], term: list[float], **more: Any) -> dict[str, Any]:
    made = trained(total, term)
    rows = [r | {"fn": "mse_loss", "spread": 0.5, "constant": 0.3} | more for r in made["rows"]]
    return made | {"rows": rows}


NOISY = flat(level=0.31, noise=0.005)


def test_a_term_that_gets_no_better_than_a_constant_per_output_is_found() -> None:
    finding = expect(FAULT, make_trace(**regression(falling(100, 500.0, 20.0), NOISY)))
    assert "mse_loss" in finding.why
    assert finding.confidence > TENTATIVE


def test_a_term_below_that_of_a_constant_per_output_is_learned() -> None:
    learned = regression(falling(100, 500.0, 20.0), NOISY, constant=0.4)
    assert run(FAULT, make_trace(**learned)) is None


def test_predictions_that_hardly_differ_are_a_constant_whatever_it_costs() -> None:
    same = regression(falling(100, 500.0, 20.0), NOISY, constant=0.4, spread=0.05)
    assert "mse_loss" in expect(FAULT, make_trace(**same)).why


def test_a_term_without_a_known_constant_is_held_against_its_predictions_only() -> None:
    assert run(FAULT, make_trace(**regression(falling(100, 500.0, 20.0), NOISY, constant=None))) is None


def test_a_stuck_term_that_is_a_good_part_of_the_total_is_only_worth_a_test() -> None:
    totals = [v + 0.31 for v in falling(100, 1.0, 0.05)]
    assert expect(FAULT, make_trace(**regression(totals, NOISY))).confidence == TENTATIVE


def test_a_penalty_that_was_driven_to_nothing_while_the_term_is_not_learned_is_found() -> None:
    gone = [64 * t + (4.0 if i < 5 else 0.0) for i, t in enumerate(NOISY)]
    assert "mse_loss" in expect(FAULT, make_trace(**regression(gone, NOISY))).why
    again = [t + (0.12 if i < 20 or i == 80 else 0.0) for i, t in enumerate(NOISY)]
    assert "mse_loss" in expect(FAULT, make_trace(**regression(again, NOISY))).why, "but for one step"
    kept = [64 * t + 4.0 for t in NOISY]
    assert run(FAULT, make_trace(**regression(kept, NOISY))) is None


def test_the_distance_to_a_second_network_that_is_asked_at_every_step_is_no_term_to_be_learned() -> None:
    made = regression(falling(100, 500.0, 20.0), NOISY)
    asked = [
        {
            "k": "ids",
            "i": i,
            "grad": grad,
            "loader": None,
            "epoch": None,
            "y": None,
            "h": [100.0 * i + k for k in range(4)],
        }
        for i in range(1, 101)
        for grad in (True, False)
    ]
    expect(FAULT, make_trace(**made))
    assert run(FAULT, make_trace(steps=made["steps"], rows=[*made["rows"], *asked])) is None


@pytest.mark.parametrize("name", ["held-out recon", "nll", "test mse"])
@pytest.mark.parametrize(
    ("divergence", "rebuilt", "seen"),
    [
        ([0.04, 0.001, 0.001, 0.0, 0.0], [165.0, 164.0, 165.0, 164.5, 164.0], True),
        ([6.0, 12.0, 13.0, 14.0, 14.0], [160.0, 64.0, 48.0, 40.0, 37.0], False),
        ([0.04, 0.001, 0.001, 0.0, 0.0], [160.0, 64.0, 48.0, 40.0, 37.0], False),
        ([6.0, 5.0, 1.0, 0.0, 0.0], [165.0, 164.0, 165.0, 164.5, 164.0], False),
    ],
)
def test_a_printed_divergence_of_nothing_beside_a_reconstruction_that_rests(
    divergence: list[float], rebuilt: list[float], seen: bool, name: str
) -> None:
    told = [print_row(10 * k, **{name: r, "kl": d})
            for k, (d, r) in enumerate(zip(divergence, rebuilt, strict=True), 1)]  # fmt: skip
    term = falling(100, 400.0, 100.0)
    made = trained([v + 1 for v in term], term)
    trace = make_trace(steps=made["steps"], rows=[*made["rows"], *told])
    assert (run(FAULT, trace) is not None) is seen


def summed(drowned: tuple[float, float], others: tuple[float, float]) -> list[dict[str, Any]]:
    """Terms that a script adds up itself, at six steps."""
    sides = [0, 0, 0, 1, 1, 1]
    return [
        {"k": "terms", "i": 10 * k + 1, "w": [1.0, 0.5], "v": [drowned[s], others[s]], "site": 0}
        for k, s in enumerate(sides)
    ]


def test_a_term_that_the_others_drown_in_a_sum_is_suspected_and_boosted() -> None:
    trace = make_trace(falling(start=100.0, end=1.0), rows=summed((0.9, 1.0), (200.0, 0.01)))
    finding = expect(FAULT, trace)
    assert finding.confidence == TENTATIVE
    assert interventions(FAULT, trace) == ({"name": "boost_term", "term": 0, "factor": 100.0},)


def test_a_term_that_fell_and_is_all_that_is_left_is_suspected() -> None:
    trace = make_trace(falling(start=15000.0, end=0.3), rows=summed((0.9, 0.26), (15000.0, 0.01)))
    assert expect(FAULT, trace).confidence == TENTATIVE
    assert interventions(FAULT, trace)[0]["factor"] == 10000.0


@pytest.mark.parametrize(
    ("drowned", "others"),
    [((0.9, 0.05), (200.0, 0.01)), ((0.9, 1.0), (200.0, 60.0)), ((90.0, 90.0), (200.0, 0.01))],
)
def test_terms_that_are_learned_or_have_a_say_are_not_drowned(
    drowned: tuple[float, float], others: tuple[float, float]
) -> None:
    trace = make_trace(falling(start=100.0, end=1.0), rows=summed(drowned, others))
    assert not isinstance(run(FAULT, trace), Finding)
    assert interventions(FAULT, trace) == ()


def test_a_classification_that_is_learned_in_part_is_worth_a_test_where_it_had_no_say() -> None:
    def trace(last: float, first_total: float) -> Trace:
        totals = falling(start=first_total, end=1.2)
        values = [1.39 + (last - 1.39) * k / 99 for k in range(100)]
        rows = [loss_row(i, value=v) for i, v in enumerate(values, 1) if i % 5 == 1]
        return make_trace(steps=steps_of(totals, loss_values=()), rows=rows)

    finding = expect(FAULT, trace(0.9, 50.0))
    assert finding.confidence == TENTATIVE
    assert "hardly learned" in finding.why
    assert not isinstance(run(FAULT, trace(0.1, 50.0)), Finding)
    assert not isinstance(run(FAULT, trace(0.9, 3.0)), Finding), "a good part of the total"


def test_a_term_that_was_learned_and_ends_at_a_constants_level_was_given_up() -> None:
    given_up = [1.0 - 0.035 * k if k < 10 else min(0.98, 0.65 + 0.02 * (k - 10)) for k in range(100)]
    totals = [v + (0.2 if 5 < k < 20 else 0.02) for k, v in enumerate(given_up)]
    assert "mse_loss" in expect(FAULT, make_trace(**regression(totals, given_up, constant=1.0))).why
    assert run(FAULT, make_trace(**regression(given_up, given_up, constant=1.0))) is None, "no other term"
    kept = falling(100, 1.0, 0.3)
    assert run(FAULT, make_trace(**regression([v + 0.1 for v in kept], kept, constant=1.0))) is None


def test_a_loss_without_reduction_over_positions_is_no_term_of_its_own() -> None:
    """The script takes the mean over some of the positions; the mean over all has no meaning."""
    made = trained(falling(100, 1.8, 0.03), flat(level=1.39))
    at_positions = {"shape": [32, 20], "dtype": "int64", "min": 0, "max": 3, "distinct": 4}
    selected = [{**row, "reduction": "none", "target": at_positions} for row in made["rows"]]
    assert not isinstance(run(FAULT, make_trace(steps=made["steps"], rows=selected)), Finding)


@pytest.mark.parametrize(
    ("level", "bonus", "returns", "seen"),
    [
        (1.386, 1.0, [-0.01, -0.02, -0.01, -0.015, -0.01], True),
        (1.386, 0.02, [-0.01, -0.02, -0.01, -0.015, -0.01], False),
        (1.386, 1.0, [-0.01, 0.02, 0.1, 0.2, 0.3], False),
        (1.21, 1.0, [-0.01, -0.02, -0.01, -0.015, -0.01], False),
    ],
)
def test_a_policy_that_stays_uniform_for_its_bonus(
    level: float, bonus: float, returns: list[float], seen: bool
) -> None:
    told = [print_row(20 * k, entropy=level, **{"mean reward": r}) for k, r in enumerate(returns, 1)]
    head = parameter(1, "pi.weight", shape=(4, 64))
    trace = make_trace([0.05 - bonus * level] * 100, parameters=(head,), rows=told)
    assert isinstance(run(FAULT, trace), Finding) is seen


def test_a_reconstruction_that_is_no_better_than_a_constant_stands_for_a_printed_one() -> None:
    """The printed one falls a little: it begins before a constant is learned."""
    ends = [(0.07, 0.49), (0.0, 0.43), (0.0, 0.42), (0.0, 0.42), (0.0, 0.42)]
    told = [print_row(10 * k, kl=d, rec=r) for k, (d, r) in enumerate(ends, 1)]
    made = trained([0.42] * 100, [0.42] * 100)

    def seen(constant: float) -> bool:
        rows = [{**r, "constant": constant} if r["k"] == "loss" else r for r in made["rows"]]
        return run(FAULT, make_trace(steps=made["steps"], rows=[*rows, *told])) is not None

    assert seen(0.42)
    assert not seen(0.9)


def test_a_factor_of_the_loss_is_no_term() -> None:
    """Focal losses weigh each value by how wrong it is: it may rise while the loss falls."""
    rising = [0.1 + 0.001 * k for k in range(100)]
    made = trained(falling(100, 0.06, 0.005), rising)
    made["rows"] = [{**r, "fn": BINARY} for r in made["rows"]]
    expect(FAULT, make_trace(**made))
    rows = [{**r, "modulated": True} for r in made["rows"]]
    assert not isinstance(run(FAULT, make_trace(steps=made["steps"], rows=rows)), Finding)


def test_a_term_beside_one_that_was_most_of_the_sum_at_first_is_asked_about() -> None:
    """A penalty that is twenty times too strong: half of it goes at once, and the task is no better than a constant."""
    term = [0.57 - 0.002 * k for k in range(100)]
    rest = [3.0, *([0.9] * 99)]
    made = trained([t + r for t, r in zip(term, rest, strict=True)], term)
    rows = [{**r, "fn": BINARY, "constant": 0.25, "spread": 0.05} for r in made["rows"]]
    assert expect(FAULT, make_trace(steps=made["steps"], rows=rows)).confidence == TENTATIVE
