from __future__ import annotations

import math
from typing import Any

from tests.detectors.build import (
    batch_row,
    expect,
    forward_row,
    loader_row,
    loss_row,
    make_trace,
    run,
    step,
    steps_of,
    tensor_row,
)

from lossdoctor.detectors.base import Missing

FAULT = "nan_in_data"
BROKEN = [2.3, 2.2, 2.1, *[math.nan] * 20]


def test_a_batch_with_nan_is_found_at_the_loader() -> None:
    rows = [loader_row(), batch_row(3), batch_row(4, tensors=[tensor_row(bad=0.01)])]
    finding = expect(FAULT, make_trace(BROKEN, rows=rows))
    assert finding.where.line == 5
    assert (finding.evidence[0].value, finding.evidence[0].step) == (0.01, 4)


def test_without_a_loader_the_model_input_is_looked_at() -> None:
    rows = [forward_row(4, **{"in": [tensor_row(bad=0.5)]})]
    assert expect(FAULT, make_trace(BROKEN, rows=rows)).where.module == "Sequential"


def test_a_target_with_nan_counts_as_data() -> None:
    target = {"shape": [32], "dtype": "float32", "bad": 0.1}
    rows = [forward_row(4), loss_row(4, fn="mse_loss", target=target)]
    assert "target" in expect(FAULT, make_trace(BROKEN, rows=rows)).why


def test_values_that_the_script_repairs_are_left_alone() -> None:
    rows = [batch_row(4, tensors=[tensor_row(bad=0.01)])]
    assert run(FAULT, make_trace(rows=rows)) is None


def test_nan_that_appears_only_after_the_loss_broke_is_no_cause() -> None:
    rows = [batch_row(k, tensors=[tensor_row(bad=0.0 if k < 10 else 0.1)]) for k in range(1, 20)]
    assert run(FAULT, make_trace(BROKEN, rows=rows)) is None


def test_an_operation_that_made_it_from_finite_input_is_another_fault() -> None:
    lens = {"k": "nonfinite", "i": 4, "op": "log", "phase": "forward", "inputs_bad": False, "inputs": []}
    rows = [batch_row(4, tensors=[tensor_row(bad=0.01)]), lens]
    assert run(FAULT, make_trace(BROKEN, rows=rows)) is None


def test_finite_data_is_healthy_and_no_data_is_not_checked() -> None:
    assert run(FAULT, make_trace(BROKEN, rows=[batch_row(4)])) is None
    assert run(FAULT, make_trace(steps=steps_of(BROKEN))) == Missing("input batches")


def test_batches_whose_loss_is_passed_over_are_found() -> None:
    def passed(bad: int, **more: Any) -> Any:
        steps = [step(i, 1.0, loss_values=(math.nan,) * (i <= bad) + (1.0,)) for i in range(1, 61)]
        rows = [{"k": "spoilt", "i": i, "calls": 1, "bad": 0.02} for i in range(1, bad + 1)]
        return make_trace(steps=steps, rows=[forward_row(4), *rows[: more.get("known")]])

    assert "20 of 80" in expect(FAULT, passed(20)).why
    assert run(FAULT, passed(2)) is None
    assert run(FAULT, passed(20, known=0)) is None, "of finite inputs"


def test_batches_whose_gradients_are_not_used_are_found_though_their_loss_is_finite() -> None:
    def withheld(passes: list[int], bad: float = 0.01) -> Any:
        steps = [step(i, 1.0, sequence="ZFB" * n + "S") for i, n in enumerate(passes, 1)]
        rows = [batch_row(i, tensors=[tensor_row(bad=bad)]) for i in range(1, 11)]
        return make_trace(steps=steps, rows=rows)

    finding = expect(FAULT, withheld([1, 7, 12, 3, 9, 14, 6, 2]))
    assert "10 of 10" in finding.why
    assert run(FAULT, withheld([8] * 8)) is None, "accumulated on purpose"
    assert run(FAULT, withheld([1, 7, 12, 3, 9, 14, 6, 2], bad=0.0)) is None
    assert run(FAULT, withheld([1] * 8)) is None, "the model takes care of them"
