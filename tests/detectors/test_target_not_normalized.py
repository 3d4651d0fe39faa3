"""target_not_normalized: regression targets far from unit size, in a run that explains nothing."""

from __future__ import annotations

import random

import pytest

from lossdoctor.detectors.base import MERE, TENTATIVE, Missing
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Finding, Trace

from .build import expect, falling, flat, loss_row, make_trace, run


def trace(losses: list[float], mean: float, std: float) -> Trace:
    target = {"shape": [32, 1], "mean": mean, "std": std, "min": mean - 2 * std, "max": mean + 2 * std}
    return make_trace(losses, rows=[loss_row(fn="mse_loss", target=target)])


@pytest.mark.parametrize(("mean", "std"), [(150.0, 77.0), (2e5, 8e4), (0.0, 1e-4)])
def test_targets_of_extreme_size_are_found_at_the_loss(mean: float, std: float) -> None:
    finding = expect("target_not_normalized", trace(flat(level=1.2 * std * std, noise=0.0), mean, std))
    assert finding.where.line == 20


@pytest.mark.parametrize(("error", "sure"), [(1.2, TENTATIVE), (0.5, MERE), (0.1, None)])
def test_targets_of_a_loss_without_a_name_are_those_of_the_answers(error: float, sure: float | None) -> None:
    """Quantiles, log-cosh and the like: what answers leave of the variance stands for the loss of a constant."""
    draw = random.Random(1)
    told = [draw.gauss(5e4, 2e4) for _ in range(200)]
    answered = {"k": "answered", "i": 100, "grad": True, "loader": 0, "epoch": 1, "y": told,
                "p": [[y + error * draw.gauss(0, 2e4)] for y in told]}  # fmt: skip
    seen = run("target_not_normalized", make_trace(flat(), rows=[answered]))
    assert (seen.confidence if isinstance(seen, Finding) else None) == sure
    assert interventions("target_not_normalized", make_trace(rows=[answered])) == (
        {"name": "standardise_targets"},
    )


def test_raw_units_that_the_run_fits_are_silent() -> None:
    assert run("target_not_normalized", trace(falling(start=3e4, end=60.0), 150.0, 77.0)) is None


@pytest.mark.parametrize(("end", "sure"), [(5900.0, 0.8), (3000.0, MERE), (600.0, MERE)])
def test_raw_units_that_the_run_fits_in_part_are_a_mere_suspicion(end: float, sure: float) -> None:
    assert expect("target_not_normalized", trace(falling(start=3e4, end=end), 150.0, 77.0)).confidence == sure


def test_standard_targets_that_are_not_fitted_are_silent() -> None:
    assert run("target_not_normalized", trace(flat(level=1.0), 0.0, 1.0)) is None


def test_classes_are_not_measurements() -> None:
    assert run("target_not_normalized", make_trace(flat(), rows=[loss_row()])) is None


def test_without_a_loss_function_nothing_is_checked() -> None:
    assert isinstance(run("target_not_normalized", make_trace()), Missing)


@pytest.mark.parametrize(
    ("mean", "start", "seen"), [(5e3, 1.6e7, True), (5e3, 12.0, False), (2.0, 1.6e7, False)]
)
def test_large_targets_of_a_likelihood_that_begins_absurdly_high(
    mean: float, start: float, seen: bool
) -> None:
    row = {
        "k": "density",
        "i": 1,
        "fn": "Normal",
        "site": 1,
        "target": {"shape": [32], "mean": mean, "std": 2.0},
    }
    trace = make_trace(falling(start=start, end=9.0), rows=[row])
    assert (run("target_not_normalized", trace) is not None) is seen
    acting = trace.model_copy(update={"rows": trace.rows | {"acts": ({"k": "acts", "steps": 90},)}})
    assert run("target_not_normalized", acting) is None
