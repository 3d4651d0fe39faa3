from __future__ import annotations

from tests.detectors.build import expect, falling, flat, make_trace, run, steps_of

from lossdoctor.detectors.base import TENTATIVE
from lossdoctor.model import Step, Trace

FAULT = "clip_misplaced"
CLIP = {"clip_max": 1.0, "clip_before": 0.0, "grads": {0: 5.0, 1: 5.0}, "grad_norm": 7.0}


def test_clipping_before_backward_is_found() -> None:
    assert (
        "before backward" in expect(FAULT, make_trace(steps=steps_of(flat(), sequence="ZCFBS", **CLIP))).why
    )


def test_clipping_scaled_gradients_is_found() -> None:
    steps = steps_of(flat(), sequence="ZFBCUS", scale=65536.0, **CLIP)
    assert "loss scale" in expect(FAULT, make_trace(steps=steps)).why


def test_a_used_up_generator_is_found() -> None:
    steps = steps_of(flat(), sequence="ZFBCS", clip_missed=2, **CLIP)
    assert "none of the parameters" in expect(FAULT, make_trace(steps=steps)).why


def test_a_part_that_is_left_out_and_too_large_is_found() -> None:
    steps = steps_of(flat(), sequence="ZFBCS", clip_missed=1, **CLIP)
    assert "Only a part" in expect(FAULT, make_trace(steps=steps)).why


def test_a_part_with_an_optimizer_group_of_its_own_is_left_out_on_purpose() -> None:
    trace = make_trace(steps=steps_of(flat(), sequence="ZFBCS", clip_missed=1, **CLIP))
    both = [o.model_copy(update={"groups": ({"lr": 1e-3}, {"lr": 1e-2})}) for o in trace.optimizers]
    assert run(FAULT, trace.model_copy(update={"optimizers": tuple(both)})) is None


def test_clipping_in_its_place_is_healthy() -> None:
    assert run(FAULT, make_trace(steps=steps_of(flat(), sequence="ZFBUCS", scale=65536.0, **CLIP))) is None


def test_a_run_that_fits_gets_no_more_than_a_note() -> None:
    small = {**CLIP, "grads": {0: 0.1}, "grad_norm": 0.1}
    steps = steps_of(falling(end=0.05), sequence="ZCFBS", **small)
    assert expect(FAULT, make_trace(steps=steps)).severity == "info"


def test_a_threshold_that_gradients_exceed_all_the_time_is_told_even_where_the_run_fits() -> None:
    steps = steps_of(falling(end=0.05), sequence="ZCFBS", **CLIP)
    assert expect(FAULT, make_trace(steps=steps)).severity == "critical"


def test_clipping_before_backward_is_found_in_steps_by_hand_too() -> None:
    """Such a step begins with its backward pass; what follows the next forward pass belongs to the next step."""
    early = steps_of(flat(), sequence="BZFC", optimizer=-1, moved=True, **CLIP)
    assert "before backward" in expect(FAULT, make_trace(steps=early)).why
    right = steps_of(flat(), sequence="BCZF", optimizer=-1, moved=True, **CLIP)
    assert run(FAULT, make_trace(steps=right)) is None


def test_a_part_that_is_left_out_and_thrown_off_by_its_first_steps_is_tested() -> None:
    given = {
        "sequence": "ZFBCS",
        "clip_missed": 1,
        "clip_max": 1.0,
        "clip_before": 0.5,
        "grads": {0: 5.0, 1: 5.0},
    }
    far, still, alive = (
        steps_of(flat(n), grad_norm=g, **given) for n, g in ((3, 40.0), (97, 0.5), (97, 0.9))
    )

    def after(rest: tuple[Step, ...], first: int = 3) -> Trace:
        both = (*far[:first], *rest)
        return make_trace(steps=[s.model_copy(update={"i": k}) for k, s in enumerate(both, 1)])

    found = expect(FAULT, after(still))
    assert found.confidence == TENTATIVE
    assert found.evidence[0].value == 3
    assert run(FAULT, after(alive)) is None
    assert run(FAULT, after(still, first=1)) is None
