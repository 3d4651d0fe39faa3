"""Loss curves in block characters."""

from __future__ import annotations

import math

from tests.detectors.build import steps_of

from lossdoctor.model import Trace
from lossdoctor.reports.sparks import BLOCKS, COLUMNS, spark, spark_rows
from lossdoctor.traces.trials import Trial


def test_a_falling_loss_falls_from_the_highest_block_to_the_lowest() -> None:
    line = spark([float(v) for v in range(100, 0, -1)], (1.0, 100.0, False))
    assert len(line) == COLUMNS
    assert (line[0], line[-1]) == (BLOCKS[-1], BLOCKS[0])
    assert [BLOCKS.index(c) for c in line] == sorted((BLOCKS.index(c) for c in line), reverse=True)


def test_a_changed_run_is_drawn_in_the_scale_of_the_unchanged_one() -> None:
    trace = Trace(steps=steps_of([2.0] * 20))
    better = Trial(
        fault="x", change="scale_lr factor=0.1", status="confirmed",
        losses=tuple((i, 2.0 - i / 10) for i in range(20)),
    )  # fmt: skip
    unchanged, changed = spark_rows(trace, [better])
    assert unchanged.label == "loss"
    assert set(unchanged.text.split("  ")[0]) == {BLOCKS[-1]}
    assert changed.text.startswith(BLOCKS[-1])
    assert "scale_lr factor=0.1 (confirmed)" in changed.text
    assert BLOCKS[0] in changed.text


def test_a_loss_that_spans_decades_is_drawn_by_its_logarithm() -> None:
    text = next(spark_rows(Trace(steps=steps_of([10.0 ** -(k / 8) for k in range(32)])), ())).text
    assert len(set(text.split("  ")[0])) == len(BLOCKS)


def test_what_is_not_finite_is_left_out_and_nothing_is_drawn_of_nothing() -> None:
    assert list(spark_rows(Trace(), ())) == []
    assert list(spark_rows(Trace(steps=steps_of([math.nan, math.nan])), ())) == []
    text = next(spark_rows(Trace(steps=steps_of([2.0, 1.0, math.nan])), ())).text
    assert "nan" not in text
