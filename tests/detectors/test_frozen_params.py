from __future__ import annotations

from typing import Any

import pytest
from tests.detectors.build import expect, falling, flat, make_trace, parameter, run, step, steps_of

from lossdoctor.detectors.base import TENTATIVE
from lossdoctor.detectors.frozen_params import bound
from lossdoctor.model import Parameter, Trace

FAULT = "frozen_params"


def frozen(**more: Any) -> Parameter:
    given = {"requires_grad": False, "optimizers": (), "shape": (64, 16), "numel": 1024, "largest": 0.2499}
    return parameter(0, "body.weight", **(given | more))


def trace(*parameters: Parameter, grads: dict[int, float] | None = None) -> Trace:
    steps = [step(i, loss, grads=grads or {1: 1.0}) for i, loss in enumerate(falling(20), 1)]
    return make_trace(steps=steps, parameters=[*parameters, parameter(1, "head.weight")])


def test_a_frozen_layer_that_fills_its_initial_range_is_found() -> None:
    assert expect(FAULT, trace(frozen())).where.parameter == "body.weight"


@pytest.mark.parametrize("largest", [0.262, 0.2])
def test_values_outside_the_initial_range_or_not_filling_it_were_trained(largest: float) -> None:
    assert run(FAULT, trace(frozen(largest=largest))) is None


def test_frozen_weights_of_unknown_origin_are_tested_where_the_rest_hardly_learns() -> None:
    stuck = trace(frozen(largest=0.2)).model_copy(update={"steps": steps_of(flat(20), grads={1: 1.0})})
    assert expect(FAULT, stuck).confidence == TENTATIVE


def test_a_loaded_backbone_is_frozen_on_purpose() -> None:
    assert run(FAULT, trace(frozen(loaded=True))) is None


def test_layers_that_thaw_later_are_healthy() -> None:
    assert run(FAULT, trace(frozen(), grads={0: 0.5, 1: 1.0})) is None


def test_a_trained_layer_beside_it_makes_the_suspicion_a_test_only() -> None:
    other = frozen(largest=0.4).model_copy(update={"id": 2, "name": "body2.weight"})
    assert expect(FAULT, trace(frozen(), other)).confidence == TENTATIVE


def test_fixed_tables_of_own_modules_and_norms_are_left_alone() -> None:
    assert run(FAULT, trace(frozen(module="SinusoidalTable"))) is None
    assert run(FAULT, trace(frozen(module="BatchNorm2d", shape=(64,)))) is None


def test_a_standard_normal_embedding_is_untrained_and_another_scale_is_not() -> None:
    table = {"module": "Embedding", "mean": 0.0}
    assert expect(FAULT, trace(frozen(std=1.01, **table)))
    assert run(FAULT, trace(frozen(std=0.4, **table))) is None


def test_the_bounds_are_those_of_torch() -> None:
    assert bound(frozen(shape=(8, 3, 3, 3), module="Conv2d")) == pytest.approx(27**-0.5)
    assert bound(frozen(shape=(128, 10), module="LSTM")) == pytest.approx(32**-0.5)
    assert bound(frozen(module="Bilinear")) is None
