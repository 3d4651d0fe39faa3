from __future__ import annotations

import math
from typing import Any

from tests.detectors.build import expect, forward_row, make_trace, run, steps_of, tensor_row

from lossdoctor.detectors.base import Missing

FAULT = "nan_from_op"
BROKEN = [2.3, 2.2, 2.1, 2.0, *[math.nan] * 20]


def lens(**more: Any) -> dict[str, Any]:
    row = {"k": "nonfinite", "i": 5, "op": "log", "phase": "forward", "module": "head", "inputs_bad": False,
           "inputs": [{"min": 0.0, "max": 0.9}], "file": "/project/model.py", "line": 7}  # fmt: skip
    return row | more


def test_the_operation_is_named_with_its_line_and_input_range() -> None:
    finding = expect(FAULT, make_trace(BROKEN, rows=[lens()]))
    assert (finding.where.file, finding.where.line) == ("/project/model.py", 7)
    assert finding.evidence[0].value == "log"
    assert finding.evidence[1].value == "0.0 .. 0.9"


def test_an_operation_in_the_backward_pass_needs_no_input_range() -> None:
    finding = expect(FAULT, make_trace(BROKEN, rows=[lens(op="Sqrt", phase="backward", inputs=[])]))
    assert [e.value for e in finding.evidence] == ["Sqrt", 5]


def test_without_the_close_look_the_loss_line_is_given_with_less_confidence() -> None:
    finding = expect(FAULT, make_trace(BROKEN))
    assert (finding.confidence, finding.where.line) == (0.6, 20)


def test_bad_input_is_the_data_not_the_operation() -> None:
    assert (
        run(FAULT, make_trace(BROKEN, rows=[lens(inputs_bad=True, inputs_nan=True, output_nan=True)])) is None
    )


INFINITE = {"inputs_bad": True, "inputs_nan": False, "output_nan": True}


def test_a_row_of_which_a_mask_leaves_nothing_is_the_operations_work() -> None:
    finding = expect(FAULT, make_trace(BROKEN, rows=[lens(op="softmax", inputs=[{"bad": 0.25}], **INFINITE)]))
    assert finding.confidence > 0.9
    assert "mask" in finding.why
    assert finding.where.line == 7
    finite = lens(op="softmax", inputs=[{"bad": 0.25}], **{**INFINITE, "output_nan": False})
    assert run(FAULT, make_trace(BROKEN, rows=[finite])) is None


def test_nan_of_other_infinities_is_the_operations_work_unless_the_data_holds_them() -> None:
    product = lens(op="mul", inputs=[{"bad": 0.25}], **INFINITE)
    assert expect(FAULT, make_trace(BROKEN, rows=[product])).confidence < 0.9
    fed = forward_row(**{"in": [tensor_row(bad=0.01)]})
    assert run(FAULT, make_trace(BROKEN, rows=[product, fed])) is None


def test_a_loss_that_grew_before_it_overflowed_is_a_divergence() -> None:
    growing = [2.3 * 5**k for k in range(10)]
    assert run(FAULT, make_trace([*growing, math.inf, math.nan])) is None


def test_a_finite_run_is_healthy_and_a_run_without_loss_is_not_checked() -> None:
    assert run(FAULT, make_trace()) is None
    steps = [s.model_copy(update={"losses": ()}) for s in steps_of([1.0])]
    assert isinstance(run(FAULT, make_trace(steps=steps)), Missing)
