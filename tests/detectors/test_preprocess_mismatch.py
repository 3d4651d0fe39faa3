"""preprocess_mismatch: evaluation inputs unlike all training inputs."""

from __future__ import annotations

from collections.abc import Callable

from lossdoctor.detectors.base import Missing
from lossdoctor.model import Trace

from .build import eval_row, expect, loss_row, make_trace, run, steps_of
from .sampled import points, rows, scored


def trace(change: Callable[[list[float]], list[float]], hits: float, accuracy: float = 0.97) -> Trace:
    other, truth = points(200, 2)
    answers = [y if k < hits * 200 else (y + 1) % 4 for k, y in enumerate(truth)]
    data = [*rows(*points(200, 1)), *rows([change(p) for p in other], truth, grad=False)]
    found = [eval_row(), loss_row(), *data, scored(truth, answers, [1.0] * 200)]
    return make_trace(steps=steps_of([2.0, 1.0] + [0.1] * 60, accuracy=accuracy), rows=found)


def test_another_scale_in_evaluation_is_found() -> None:
    finding = expect("preprocess_mismatch", trace(lambda p: [v * 16 for v in p], 0.3))
    assert float(finding.evidence[1].value) > 10


def test_another_order_of_columns_is_found() -> None:
    expect("preprocess_mismatch", trace(lambda p: [p[4], p[5], *p[:4]], 0.3))


def test_a_shift_that_does_no_harm_is_silent() -> None:
    assert run("preprocess_mismatch", trace(lambda p: [v + 3 for v in p], 0.96)) is None


def test_overfitting_on_like_inputs_is_silent() -> None:
    assert run("preprocess_mismatch", trace(lambda p: p, 0.4)) is None


def test_a_run_that_fits_nothing_is_silent() -> None:
    assert run("preprocess_mismatch", trace(lambda p: [v * 16 for v in p], 0.25, accuracy=0.27)) is None


def test_without_an_evaluation_nothing_is_checked() -> None:
    assert isinstance(run("preprocess_mismatch", make_trace()), Missing)
