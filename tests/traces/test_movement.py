"""How far weights go relative to their size, those that begin at zero apart."""

from __future__ import annotations

import pytest
from tests.detectors.build import make_trace, parameter, step

from lossdoctor.model import Step
from lossdoctor.traces.movement import movement, update_ratios

SIZES = {0: [1.0] * 4, 1: [0.0, 0.1, 0.2, 0.4]}
PARTS = [parameter(0, "user.weight", shape=(9, 4)), parameter(1, "bias.weight", shape=(9, 1))]


def _steps(*numbers: int) -> tuple[Step, ...]:
    """Updates of 0.001 and 0.1, of matrices of constant size and from zero on."""
    moved = {0: 0.001, 1: 0.1}
    return tuple(step(i, updates={n: (moved[n], SIZES[n][i], 0.0) for n in numbers}) for i in range(4))


def test_a_matrix_that_begins_at_zero_goes_as_far_as_itself_and_tells_nothing() -> None:
    trace = make_trace(steps=_steps(0, 1), parameters=PARTS)
    assert update_ratios(trace) == {0: pytest.approx(0.001)}
    assert movement(trace) == pytest.approx(0.004)


def test_where_nothing_else_moves_it_is_held_against_its_largest_size() -> None:
    trace = make_trace(steps=_steps(1), parameters=PARTS)
    assert update_ratios(trace) == {1: pytest.approx(0.1 / 0.4)}
