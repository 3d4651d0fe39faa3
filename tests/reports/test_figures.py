"""Plots: what is drawn from which record, and that names of the script stay text."""

from __future__ import annotations

import math
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.detectors.build import steps_of

from lossdoctor.errors import TraceInvalid
from lossdoctor.model import Parameter, Trace
from lossdoctor.reports.figures import BARS, NAMES, draw, plots, title
from lossdoctor.traces.trials import Trial


def recorded(names: tuple[str, ...] = ("body.weight", "head.weight"), **more: Any) -> Trace:
    """Ten steps in which every parameter but the last moves by a hundredth."""
    moved = dict.fromkeys(range(len(names) - 1), (0.01, 1.0, 1.0))
    return Trace(
        steps=steps_of([2.0 / (i + 1) for i in range(10)], grad_norm=0.5, updates=moved, **more),
        parameters=tuple(
            Parameter(id=k, name=name, shape=(4, 4), dtype="float32", requires_grad=True)
            for k, name in enumerate(names)
        ),
    )


def said(svg: str) -> str:
    """The texts of an image that parses as XML."""
    return " ".join("".join(node.itertext()) for node in ElementTree.fromstring(svg).iter() if node.text)


def test_only_what_was_recorded_can_be_drawn() -> None:
    assert plots(recorded()) == ("loss", "gradients", "updates")
    assert plots(Trace()) == ()
    assert set(NAMES) == {"loss", "gradients", "updates", "rate"}


def test_each_trial_stands_in_the_loss_with_what_was_concluded() -> None:
    trials = (
        Trial(
            fault="lr_too_high", change="scale_lr factor=0.1", status="confirmed", losses=((1, 2.0), (9, 0.1))
        ),
        Trial(fault="x", change="no_dropout", status="refuted", losses=((1, None),), held_out=((9, 1.0),)),
    )
    told = said(draw("loss", recorded(), trials))
    assert title("loss") in told
    assert "unchanged" in told
    assert "scale_lr factor=0.1: confirmed" in told


def test_the_step_from_which_a_loss_is_not_finite_is_marked() -> None:
    trace = Trace(steps=steps_of([2.0, 1.0, math.nan, math.nan]))
    assert "not finite: step 2" in said(draw("loss", trace)) or "not finite: step 3" in said(
        draw("loss", trace)
    )


def test_a_matrix_that_never_moved_is_shown_as_such() -> None:
    told = said(draw("updates", recorded()))
    assert "head.weight" in told
    assert "no update seen" in told


def test_of_many_matrices_the_extremes_are_shown() -> None:
    names = tuple(f"blocks.{k}.weight" for k in range(3 * BARS))
    told = said(draw("updates", recorded(names)))
    assert sum(name in told.split() for name in names) == BARS
    assert "the smallest and the largest" in told


def test_a_rate_is_drawn_only_where_it_changes() -> None:
    steps = tuple(s.model_copy(update={"lr": (0.1 / (k + 1), 0.01)}) for k, s in enumerate(recorded().steps))
    trace = recorded().model_copy(update={"steps": steps})
    assert "rate" in plots(trace)
    assert "group 1" in said(draw("rate", trace))


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "$\\frac{1}{0}$", "a\x1b[31mb", "x" * 500])
def test_a_name_from_the_script_stays_bounded_text(name: str) -> None:
    svg = draw("updates", recorded((name, "head.weight")))
    assert "<script" not in svg
    assert "\x1b" not in svg
    assert "x" * 60 not in svg
    assert said(svg)


def test_a_plot_that_does_not_exist_or_has_nothing_to_show_is_refused() -> None:
    with pytest.raises(TraceInvalid, match="loss, gradients"):
        draw("weights", recorded())
    with pytest.raises(TraceInvalid, match="none in this trace"):
        draw("loss", Trace())


def test_the_same_trace_gives_the_same_image() -> None:
    assert draw("gradients", recorded()) == draw("gradients", recorded())
