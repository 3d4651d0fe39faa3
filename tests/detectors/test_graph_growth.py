from __future__ import annotations

from typing import Any

from tests.detectors.build import SITES, expect, make_trace, run

from lossdoctor.model import Site

FAULT = "graph_growth"
GROWN = Site(id=9, what="grown", file="/project/train.py", line=43, code="total += loss")


def held(*counts: int, **more: Any) -> list[dict[str, Any]]:
    at = (5, 10, 20, 40, 80)
    return [
        {"k": "held", "i": i, "steps": n, "nodes": 13 * n, **more} for i, n in zip(at, counts, strict=False)
    ]


def graphs(*nodes: int) -> list[dict[str, Any]]:
    at = (0, 1, 4, 9, 19, 49, 99)
    return [
        {"k": "graph", "n": n, "head": [], "nodes": v, "reach": [0]} for n, v in zip(at, nodes, strict=False)
    ]


def test_graphs_of_all_steps_are_found_at_the_line_that_keeps_them() -> None:
    rows = held(4, 9, 19, 39, 79, name="total", site=9)
    finding = expect(FAULT, make_trace(rows=rows, sites=(*SITES, GROWN)))
    assert finding.where.line == 43
    assert "'total'" in finding.why


def test_measurements_now_and_then_that_keep_their_graph_are_found() -> None:
    assert expect(FAULT, make_trace(rows=held(2, 3, 5, 9, 17)))


def test_the_last_step_or_two_are_normal() -> None:
    assert run(FAULT, make_trace(rows=held(2, 2, 2, 2, 2))) is None


def test_a_window_of_fixed_length_does_not_grow() -> None:
    assert run(FAULT, make_trace(rows=held(5, 10, 10, 10, 10))) is None


def test_a_sum_that_is_dropped_after_each_epoch_does_not_grow() -> None:
    assert run(FAULT, make_trace(rows=held(5, 10, 20, 14, 4))) is None


def test_a_graph_behind_the_loss_that_gets_longer_is_found() -> None:
    assert expect(FAULT, make_trace(rows=graphs(20, 40, 100, 200, 400))).where.line == 21


def test_graphs_of_changing_length_are_normal() -> None:
    assert run(FAULT, make_trace(rows=graphs(20, 22, 60, 35, 48))) is None
    assert run(FAULT, make_trace(rows=graphs(20, 22, 22, 22, 22))) is None


def test_another_loss_of_a_second_phase_does_not_grow() -> None:
    assert run(FAULT, make_trace(rows=graphs(10, 10, 10, 10, 10, 10, 85))) is None
    assert run(FAULT, make_trace(rows=graphs(10, 10, 10, 10, 10, 45, 85)))
