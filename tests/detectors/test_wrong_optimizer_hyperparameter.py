from __future__ import annotations

from typing import Any

import pytest
from tests.detectors.build import expect, falling, flat, make_trace, optimizer, run, step

from lossdoctor.detectors.base import TENTATIVE

FAULT = "wrong_optimizer_hyperparameter"


@pytest.mark.parametrize(
    ("group", "name"),
    [
        ({"momentum": 0.9995}, "momentum"),
        ({"betas": [0.999, 0.9]}, "beta1"),
        ({"betas": [0.5, 0.5]}, "beta2"),
        ({"betas": [0.9, 0.999], "eps": 1.0}, "eps"),
        ({"weight_decay": 10.0}, "weight_decay"),
        ({"lr_decay": 1.0}, "lr_decay"),
        ({"momentum": 0.9, "dampening": 1.0}, "dampening"),
        ({"initial_accumulator_value": 100.0}, "initial_accumulator_value"),
    ],
)
def test_a_setting_outside_its_range_is_named(group: dict[str, Any], name: str) -> None:
    finding = expect(FAULT, make_trace(flat(), optimizers=[optimizer(groups=({"lr": 1e-3, **group},))]))
    assert finding.evidence[0].quantity.startswith(f"Adam {name}")


@pytest.mark.parametrize(
    "group",
    [
        {"momentum": 0.9}, {"betas": [0.9, 0.999], "eps": 1e-8}, {"betas": [0.0, 0.9]}, {"betas": [0.9, 0.95]},
        {"betas": [0.5, 0.999], "eps": 1e-3}, {"weight_decay": 0.1}, {"momentum": 0.98},
        {"initial_accumulator_value": 0.1},
    ],
)  # fmt: skip
def test_unusual_but_working_settings_are_left_alone(group: dict[str, Any]) -> None:
    assert run(FAULT, make_trace(flat(), optimizers=[optimizer(groups=({"lr": 1e-3, **group},))])) is None


def test_in_a_run_that_fits_only_the_proof_tells() -> None:
    made = [optimizer(groups=({"lr": 1e-3, "eps": 1.0},))]
    assert expect(FAULT, make_trace(falling(end=0.05), optimizers=made)).confidence == TENTATIVE


def test_a_strong_decay_that_a_run_fits_with_is_left_alone() -> None:
    made = [optimizer(groups=({"lr": 1e-3, "weight_decay": 1.0},))]
    assert run(FAULT, make_trace(falling(end=0.05), optimizers=made)) is None


def test_what_is_usual_for_an_optimizer_of_the_scripts_own_only_the_proof_tells() -> None:
    lion = optimizer(cls="Lion", groups=({"lr": 1e-3, "weight_decay": 10.0},))
    assert expect(FAULT, make_trace(flat(), optimizers=[lion])).confidence == TENTATIVE


def test_one_of_several_settings_that_a_script_tries_is_a_search() -> None:
    decays = [0.01, 0.1, 10.0]
    tried = [
        optimizer(k, groups=({"lr": 1e-3, "weight_decay": v},), sizes=(4,)) for k, v in enumerate(decays)
    ]
    steps = [step(i, 2.3, optimizer=i % 3) for i in range(1, 100)]
    assert run(FAULT, make_trace(steps=steps, optimizers=tried)) is None
    expect(
        FAULT,
        make_trace(steps=steps, optimizers=[o.model_copy(update={"groups": tried[2].groups}) for o in tried]),
    )
