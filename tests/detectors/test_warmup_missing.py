from __future__ import annotations

from tests.detectors.build import SITES, expect, falling, flat, loss_row, make_trace, run, step

from lossdoctor.detectors.base import TENTATIVE
from lossdoctor.model import Site

FAULT = "warmup_missing"
MODEL = {
    "k": "model",
    "i": 1,
    "name": "net",
    "class": "Net",
    "used": True,
    "parts": [["norm", "LayerNorm", {}]],
}


def test_an_attention_model_that_is_stuck_at_full_rate_is_worth_a_test() -> None:
    assert expect(FAULT, make_trace(flat(), rows=[MODEL])).confidence == TENTATIVE


def test_a_rate_that_ramps_up_is_healthy() -> None:
    steps = [step(i, v, lr=(1e-5 * min(i, 50),)) for i, v in enumerate(flat(), 1)]
    assert run(FAULT, make_trace(steps=steps, rows=[MODEL])) is None


def test_other_models_do_not_need_it() -> None:
    assert run(FAULT, make_trace(flat())) is None


def test_a_model_may_attend_in_code_of_its_own() -> None:
    attends = Site(
        id=9, what="attention", file="/project/net.py", line=31, code="a = torch.softmax(s, dim=-1)"
    )
    trace = make_trace(flat()).model_copy(update={"sites": (*SITES, attends)})
    assert expect(FAULT, trace).confidence == TENTATIVE


def test_a_run_that_fits_is_healthy() -> None:
    assert run(FAULT, make_trace(falling(end=0.05), rows=[MODEL])) is None


def test_a_run_that_falls_slowly_and_fits_little_is_worth_a_test_too() -> None:
    slow = make_trace(falling(start=1.38, end=1.0), rows=[MODEL, loss_row()])
    assert expect(FAULT, slow).confidence == TENTATIVE
    assert run(FAULT, make_trace(falling(start=1.38, end=0.6), rows=[MODEL, loss_row()])) is None
