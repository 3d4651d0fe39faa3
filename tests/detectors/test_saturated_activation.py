"""saturated_activation: sigmoid and tanh units in their flat ends."""

from __future__ import annotations

from typing import Any

from lossdoctor.detectors.base import TENTATIVE, Missing
from lossdoctor.model import Site, Where

from .build import SITES, act_row, expect, falling, flat, loss_row, make_trace, parameter, run


def layer(flat_share: float, name: str = "1", cls: str = "Tanh") -> list[dict[str, Any]]:
    return [act_row(i, name, cls, flat=flat_share) for i in (1, 2, 3)]


OUTPUT = [act_row(3, "4", "Linear")]


def test_a_saturated_hidden_layer_is_found_with_its_name() -> None:
    trace = make_trace(flat(level=1.39), rows=[loss_row(), *layer(0.9), *OUTPUT])
    assert expect("saturated_activation", trace).where.module == "1"


def test_weights_that_a_checkpoint_brought_are_named_where_they_were_loaded() -> None:
    before = [act_row(i, "0", "Linear") for i in (1, 2, 3)]
    acts = [r for pair in zip(before, layer(0.9), strict=True) for r in pair]
    load = Site(id=len(SITES), what="load", file="/project/train.py", line=77)

    def where(loaded: bool) -> Where:
        weights = parameter(0, "0.weight", loaded=loaded)
        rows = [loss_row(), *acts, *OUTPUT]
        trace = make_trace(flat(level=1.39), rows=rows, parameters=(weights,), sites=(*SITES, load))
        return expect("saturated_activation", trace).where

    assert (where(True).line, where(True).parameter) == (77, "0.weight")
    assert where(False).parameter is None


def test_a_living_layer_is_silent() -> None:
    assert (
        run("saturated_activation", make_trace(flat(level=1.39), rows=[loss_row(), *layer(0.05), *OUTPUT]))
        is None
    )


def test_a_saturated_output_is_silent() -> None:
    trace = make_trace(flat(level=1.39), rows=[loss_row(), *layer(0.95, "4", "Sigmoid")])
    assert run("saturated_activation", trace) is None


def test_a_run_that_fits_all_the_same_is_silent() -> None:
    trace = make_trace(falling(start=1.39, end=0.02), rows=[loss_row(), *layer(0.9), *OUTPUT])
    assert run("saturated_activation", trace) is None


def test_a_run_that_fits_most_is_only_worth_a_test() -> None:
    trace = make_trace(falling(start=1.39, end=0.1), rows=[loss_row(), *layer(0.9), *OUTPUT])
    assert expect("saturated_activation", trace).confidence == TENTATIVE


def test_without_activations_nothing_is_checked() -> None:
    assert isinstance(run("saturated_activation", make_trace()), Missing)
