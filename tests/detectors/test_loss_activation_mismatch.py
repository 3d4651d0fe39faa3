from __future__ import annotations

import math
from typing import Any

import pytest
from tests.detectors.build import expect, loss_row, make_trace, run

from lossdoctor.detectors.loss_activation_mismatch import maker

FAULT = "loss_activation_mismatch"
PROBABILITIES = {"min": 0.0, "sum": 1e-6, "logsum": 1.4}
LOG_PROBABILITIES = {"min": -3.0, "sum": 5.0, "logsum": 1e-6}


def calls(count: int = 5, **more: Any) -> list[dict[str, Any]]:
    return [loss_row(i, **more) for i in range(1, count + 1)]


def test_raw_scores_for_cross_entropy_are_right() -> None:
    assert run(FAULT, make_trace(rows=calls())) is None


def test_without_a_loss_function_it_is_not_checked() -> None:
    outcome = run(FAULT, make_trace())
    assert getattr(outcome, "quantity", None) == "a call of a torch loss function, or the graph of a loss"


def test_softmax_before_cross_entropy_is_found_with_the_floor_it_causes() -> None:
    finding = expect(FAULT, make_trace(rows=calls(maker=["Softmax", "Addmm"], rows=PROBABILITIES)))
    assert finding.where.line == 20
    assert finding.evidence[-1].value == pytest.approx(math.log(math.e + 3) - 1, rel=1e-2)


def test_probabilities_are_recognised_when_the_operation_is_hidden() -> None:
    finding = expect(FAULT, make_trace(rows=calls(maker=["Mul", "Exp"], rows=PROBABILITIES)))
    assert "probabilities" in finding.why


def test_sums_that_are_one_in_a_single_batch_are_chance() -> None:
    assert run(FAULT, make_trace(rows=calls(1, maker=["Mul"], rows=PROBABILITIES))) is None


def test_log_softmax_before_cross_entropy_changes_nothing() -> None:
    assert run(FAULT, make_trace(rows=calls(maker=["LogSoftmax"], rows=LOG_PROBABILITIES))) is None


def test_raw_scores_for_nll_loss_are_found() -> None:
    finding = expect(FAULT, make_trace(rows=calls(fn="nll_loss")))
    assert "raw scores" in finding.why


def test_log_probabilities_of_a_mixture_suit_nll_loss() -> None:
    assert run(FAULT, make_trace(rows=calls(fn="nll_loss", maker=["Log"], rows=LOG_PROBABILITIES))) is None


def test_sigmoid_before_bce_with_logits_is_found() -> None:
    rows = calls(fn="binary_cross_entropy_with_logits", maker=["Sigmoid"], rows=None)
    assert "sigmoid" in expect(FAULT, make_trace(rows=rows)).why


def test_logits_for_bce_with_logits_are_right() -> None:
    assert run(FAULT, make_trace(rows=calls(fn="binary_cross_entropy_with_logits", rows=None))) is None


def test_probabilities_as_input_of_kl_div_are_found() -> None:
    finding = expect(FAULT, make_trace(rows=calls(fn="kl_div", maker=["Softmax"], rows=PROBABILITIES)))
    assert "kl_div" in finding.why


def test_the_maker_is_looked_up_through_reshapes() -> None:
    assert maker({"maker": ["View", "Transpose0", "Softmax", "Addmm"]}) == "Softmax"
    assert maker({"maker": ["View"]}) is None


RATES = {
    "shape": [32],
    "dtype": "float32",
    "bad": 0.0,
    "min": 0.01,
    "max": 3.5,
    "mean": 1.0,
    "std": 0.5,
    "zeros": 0.0,
}


@pytest.mark.parametrize(("made", "log_input", "wrong"), [
    ("Softplus", True, True), ("Exp", True, True), ("Softplus", False, False), ("Addmm", True, False),
])  # fmt: skip
def test_rates_for_a_loss_that_takes_their_logarithm_are_found(
    made: str, log_input: bool, wrong: bool
) -> None:
    rows = calls(
        fn="poisson_nll_loss", maker=["Squeeze", made], rows=None, log_input=log_input, **{"in": RATES}
    )
    outcome = run(FAULT, make_trace(rows=rows))
    assert ("log_input" in outcome.why) if wrong else outcome is None  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("chain", "low", "wrong"),
    [(["Add", "Softplus"], 0.01, True), (["ClampMin", "Exp"], 0.0, True), (["Add", "Addmm"], 0.01, False),
     (["Add", "Softplus"], -1.0, False)],
)  # fmt: skip
def test_a_rate_that_was_kept_off_zero_is_one_still(chain: list[str], low: float, wrong: bool) -> None:
    rows = calls(
        fn="poisson_nll_loss", maker=chain, rows=None, log_input=True, **{"in": {**RATES, "min": low}}
    )
    outcome = run(FAULT, make_trace(rows=rows))
    assert ("log_input" in outcome.why) if wrong else outcome is None  # type: ignore[union-attr]
