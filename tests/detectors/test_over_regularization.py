from __future__ import annotations

from typing import Any

import pytest
from tests.detectors.build import expect, falling, flat, loss_row, make_trace, optimizer, parameter, run, step

from lossdoctor.detectors.base import TENTATIVE
from lossdoctor.detectors.catalogue import interventions

FAULT = "over_regularization"


def dropped(rate: float) -> list[dict[str, Any]]:
    parts = [["drop", "Dropout", {"p": rate}]]
    return [{"k": "model", "i": 1, "name": "net", "class": "Net", "used": True, "parts": parts}]


def test_dropout_of_nearly_everything_is_found() -> None:
    assert expect(FAULT, make_trace(flat(), rows=dropped(0.95))).where.module == "drop"


def test_strong_dropout_is_only_worth_a_test() -> None:
    assert expect(FAULT, make_trace(flat(), rows=dropped(0.7))).confidence == TENTATIVE


@pytest.mark.parametrize(("rate", "end", "seen"), [(0.6, 1.6, True), (0.5, 1.6, False), (0.6, 0.9, False)])
def test_strong_dropout_is_worth_a_test_while_the_loss_still_falls(
    rate: float, end: float, seen: bool
) -> None:
    """Of a start at 2.3: little of it learned, and not at rest."""
    trace = make_trace(falling(start=2.3, end=end), rows=dropped(rate))
    assert (run(FAULT, trace) is not None) is seen


def test_weights_that_decay_away_are_found() -> None:
    made = [optimizer(groups=({"lr": 0.1, "weight_decay": 0.5},))]
    steps = [step(i, 2.3, updates={0: (0.01, 0.95**i, 1.0)}) for i in range(1, 101)]
    assert "weight decay" in expect(FAULT, make_trace(steps=steps, optimizers=made)).why


def test_ordinary_dropout_is_healthy() -> None:
    assert run(FAULT, make_trace(flat(), rows=dropped(0.5))) is None


def test_strong_dropout_in_a_run_that_fits_is_healthy() -> None:
    assert run(FAULT, make_trace(falling(end=0.05), rows=dropped(0.95))) is None


def decayed(cls: str, end: float) -> Any:
    """A regression that is pulled back by a decay of 0.02; its constant answer costs 1."""
    made = [optimizer(cls=cls, groups=({"lr": 0.01, "weight_decay": 0.02},))]
    loss = loss_row(fn="mse_loss", target={"shape": [32], "dtype": "float32", "mean": 0.0, "std": 1.0})
    return make_trace(falling(start=1.0, end=end), optimizers=made, rows=[loss])


def test_a_decay_that_is_added_to_the_gradient_is_worth_a_test_unless_all_is_fitted() -> None:
    assert expect(FAULT, decayed("Adam", 0.9)).confidence == TENTATIVE
    assert run(FAULT, decayed("AdamW", 0.9)) is None
    assert expect(FAULT, decayed("Adam", 0.2)).confidence == TENTATIVE
    assert run(FAULT, decayed("Adam", 0.02)) is None


def test_only_what_there_is_is_taken_away() -> None:
    assert interventions(FAULT, decayed("Adam", 0.9)) == ({"name": "no_weight_decay"},)
    assert interventions(FAULT, make_trace(flat(), rows=dropped(0.7))) == ({"name": "no_dropout"},)


def test_the_weakest_decay_of_a_search_counts() -> None:
    tried = [
        optimizer(k, groups=({"lr": 1e-3, "weight_decay": v},), sizes=(4,))
        for k, v in enumerate((1e-3, 1e-2, 1.0))
    ]
    assert run("over_regularization", make_trace(flat(level=1.0), optimizers=tried)) is None
    strong = [o.model_copy(update={"groups": tried[2].groups}) for o in tried]
    expect("over_regularization", make_trace(flat(level=1.0), optimizers=strong))


def test_usual_dropout_is_not_taken_away_where_decay_is_suspected() -> None:
    decayed = make_trace(flat(level=1.0), optimizers=[optimizer(groups=({"lr": 1e-3, "weight_decay": 1.0},))])
    parts = [["1", "Dropout", {"p": 0.2}]]
    row = {"k": "model", "i": 0, "name": "", "class": "Net", "training": True, "parts": parts, "used": True}
    both = decayed.model_copy(update={"rows": {**decayed.rows, "model": (row,)}})
    assert interventions("over_regularization", both) == ({"name": "no_weight_decay"},)


def test_weights_that_a_penalty_of_the_scripts_own_brings_to_nothing_are_found_beside_columns_that_grow() -> (
    None
):
    tables = [parameter(0, "user.weight", shape=(80, 6)), parameter(1, "item.weight", shape=(40, 6)),
              *(parameter(k, f"bias{k}.weight", shape=(80, 1)) for k in (2, 3, 4))]  # fmt: skip
    shrinking = {0: 0.9, 1: 0.88, 2: 1.02, 3: 1.02, 4: 1.02}
    steps = [
        step(i, 2.0, updates={k: (0.01, f**i, 1.0) for k, f in shrinking.items()}) for i in range(1, 101)
    ]
    assert "shrink to nothing" in expect(FAULT, make_trace(steps=steps, parameters=tables)).why
