from __future__ import annotations

from typing import Any

from tests.detectors.build import expect, falling, flat, loss_row, make_trace, run, step

from lossdoctor.detectors.base import Missing

FAULT = "loss_term_imbalance"


def trained(totals: list[float], term: list[float]) -> dict[str, Any]:
    pairs = list(enumerate(zip(totals, term, strict=True), 1))
    return {"steps": [step(i, t, loss_values=(v,)) for i, (t, v) in pairs],
            "rows": [loss_row(i, value=v) for i, (_, v) in pairs[::5]]}  # fmt: skip


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
