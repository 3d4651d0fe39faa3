from __future__ import annotations

from typing import Any

import pytest
from tests.detectors.build import expect, falling, flat, make_trace, optimizer, parameter, run, step, steps_of

from lossdoctor.detectors.base import TENTATIVE, Missing
from lossdoctor.detectors.frozen_params import bound
from lossdoctor.model import Parameter, Site, Trace

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


@pytest.mark.parametrize(("drawn", "line"), [(False, 15), (None, None)])
def test_weights_of_a_model_that_was_stored_whole_are_blamed_where_it_is_read(
    drawn: bool | None, line: int | None
) -> None:
    read = Site(id=9, what="read", file="/project/train.py", line=15, code="model = torch.load(path)")
    stuck = trace(frozen(largest=0.2, drawn=drawn))
    stuck = stuck.model_copy(
        update={"steps": steps_of(flat(20), grads={1: 1.0}), "sites": (*stuck.sites, read)}
    )
    assert expect(FAULT, stuck).where.line == line


def test_a_loaded_backbone_is_frozen_on_purpose_unless_nothing_is_learned_from_it() -> None:
    sound = trace(frozen(loaded=True))
    assert run(FAULT, sound) is None
    for end in (1.37, 1.1):
        stuck = sound.model_copy(update={"steps": steps_of(falling(20, start=1.39, end=end), grads={1: 1.0})})
        assert expect(FAULT, stuck).confidence == TENTATIVE
    fair = sound.model_copy(update={"steps": steps_of(falling(20, start=1.39, end=0.8), grads={1: 1.0})})
    assert run(FAULT, fair) is None


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


def stuck(*parameters: Parameter, losses: list[float] | None = None) -> Trace:
    steps = steps_of(losses or flat(20), grads={1: 1.0})
    return trace(*parameters).model_copy(update={"steps": steps})


@pytest.mark.parametrize("module", ["Linear", "Conv2d", "GRU", "Embedding"])
def test_frozen_weights_of_any_torch_layer_are_tested(module: str) -> None:
    finding = expect(FAULT, stuck(frozen(largest=0.2, std=0.4, module=module)))
    assert (finding.confidence, finding.where.parameter) == (TENTATIVE, "body.weight")


def test_frozen_weights_of_unknown_origin_are_left_alone_where_the_rest_learns() -> None:
    assert run(FAULT, stuck(frozen(largest=0.2), losses=falling(20))) is None


def test_a_small_part_of_unknown_origin_is_a_detail_of_the_architecture() -> None:
    assert run(FAULT, stuck(frozen(largest=0.2), parameter(2, "big.weight", numel=20_000))) is None


def test_frozen_biases_and_fixed_tables_of_unknown_origin_are_left_alone() -> None:
    assert run(FAULT, stuck(frozen(largest=0.2, shape=(1024,)))) is None
    assert run(FAULT, stuck(frozen(largest=0.2, module="SinusoidalTable"))) is None


def test_a_model_without_anything_to_train_is_another_matter() -> None:
    only = stuck(frozen(largest=0.2)).model_copy(update={"parameters": (frozen(largest=0.2),)})
    assert run(FAULT, only) is None


def test_without_steps_that_move_anything_it_is_not_checked() -> None:
    still = stuck(frozen()).model_copy(update={"steps": (step(1, 2.0, optimizer=-1, moved=False),)})
    assert isinstance(run(FAULT, still), Missing)


def handed(frozen_group: int, moving: dict[int, float]) -> Trace:
    """An optimizer with a group of 6 tensors and one of 2, of which those in ``moving`` get gradients that change."""
    made = optimizer(sizes=(6, 2), frozen=(frozen_group, 0))
    steps = [
        step(i, loss, grads={k: v + 0.1 * i for k, v in moving.items()} | {9: 1.0})
        for i, loss in enumerate(flat(20), 1)
    ]
    return make_trace(
        steps=steps, optimizers=[made], parameters=[parameter(k, f"{k}.weight") for k in range(10)]
    )


def test_a_group_of_an_optimizer_that_requires_no_gradient_was_meant_to_train() -> None:
    assert "group of 6" in expect(FAULT, handed(6, {0: 1.0, 1: 1.0})).why


def test_a_group_that_is_frozen_in_part_or_thawed_later_is_meant() -> None:
    assert run(FAULT, handed(3, {0: 1.0, 1: 1.0})) is None
    assert run(FAULT, handed(6, dict.fromkeys(range(8), 1.0))) is None


def test_copies_of_a_trained_model_are_no_frozen_layers() -> None:
    copy = frozen().model_copy(update={"name": "target.body.weight"})
    online = parameter(2, "online.body.weight", shape=(64, 16))
    assert run(FAULT, trace(copy, online)) is None


def test_values_that_are_not_those_that_were_drawn_came_from_somewhere() -> None:
    """A pretrained embedding may have the very spread of a fresh one."""
    table = {"module": "Embedding", "mean": 0.0, "std": 1.0, "largest": 3.5}
    assert run(FAULT, trace(frozen(**table, drawn=False))) is None
    expect(FAULT, trace(frozen(**table, drawn=True)))
    expect(FAULT, trace(frozen(**table)))
