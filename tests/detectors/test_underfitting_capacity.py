from __future__ import annotations

import random
from typing import Any

from tests.detectors.build import (
    expect,
    falling,
    flat,
    forward_row,
    loss_row,
    make_trace,
    parameter,
    run,
    steps_of,
    tensor_row,
)  # fmt: skip
from tests.detectors.sampled import scored

from lossdoctor.detectors.base import TENTATIVE, Missing
from lossdoctor.detectors.catalogue import interventions

FAULT = "underfitting_capacity"
WIDEN = ({"name": "widen"},)
NARROW = [parameter(0, "0.weight", shape=(1, 8)), parameter(1, "2.weight", shape=(4, 1))]
WIDE = [parameter(0, "0.weight", shape=(64, 8)), parameter(1, "2.weight", shape=(4, 64))]


def samples(separable: bool) -> dict[str, Any]:
    draw = random.Random(0)
    y = [draw.randrange(4) for _ in range(100)]
    x = [[draw.random() + (3.0 * label if separable else 0.0), draw.random()] for label in y]
    return {
        "k": "sample",
        "i": 1,
        "grad": True,
        "loader": 0,
        "epoch": 1,
        "shape": [2],
        "int": False,
        "x": x,
        "y": y,
    }


def rested(level: float = 1.2) -> Any:
    return steps_of([*falling(20, 1.5, level), *flat(80, level)], updates={0: (1e-3, 1.0, 1.0)})


def test_a_bottleneck_that_neighbours_beat_is_found() -> None:
    trace = make_trace(steps=rested(), parameters=NARROW, rows=[loss_row(), samples(separable=True)])
    assert expect(FAULT, trace).where.parameter == "0.weight"


def test_labels_that_nobody_can_predict_are_no_matter_of_size() -> None:
    trace = make_trace(steps=rested(), parameters=NARROW, rows=[loss_row(), samples(separable=False)])
    assert expect(FAULT, trace).confidence == TENTATIVE, "only a test can tell"


def test_a_wide_model_is_not_too_small() -> None:
    trace = make_trace(steps=rested(), parameters=WIDE, rows=[loss_row(), samples(separable=True)])
    assert run(FAULT, trace) is None


def test_a_few_units_more_than_the_least_are_tested() -> None:
    few = [parameter(0, "0.weight", shape=(6, 8)), parameter(1, "2.weight", shape=(4, 6))]
    trace = make_trace(steps=rested(), parameters=few, rows=[loss_row(), samples(separable=True)])
    assert expect(FAULT, trace).confidence == TENTATIVE


def test_a_run_that_fits_is_healthy() -> None:
    trace = make_trace(steps=rested(0.01), parameters=NARROW, rows=[loss_row(), samples(separable=True)])
    assert run(FAULT, trace) is None


def test_without_inputs_its_own_width_alone_can_be_tried() -> None:
    trace = make_trace(steps=rested(), parameters=NARROW, rows=[loss_row()])
    assert (expect(FAULT, trace).confidence, interventions(FAULT, trace)) == (TENTATIVE, ())
    alone = make_trace(steps=rested(), parameters=NARROW[:1], rows=[loss_row()])
    assert isinstance(run(FAULT, alone), Missing), "no hidden layer is narrow"


def tables(*widths: int) -> list[Any]:
    return [parameter(k, f"t{k}.weight", shape=(50, w), module="Embedding") for k, w in enumerate(widths)]


def test_a_model_of_tables_with_one_column_is_tested() -> None:
    trace = make_trace(steps=rested(), parameters=tables(1, 1, 1, 1), rows=[loss_row()])
    assert expect(FAULT, trace).confidence == TENTATIVE
    assert run(FAULT, make_trace(steps=rested(), parameters=tables(8, 8, 1, 1), rows=[loss_row()])) is None
    assert run(FAULT, make_trace(steps=rested(), parameters=tables(1), rows=[loss_row()])) is None
    assert run(FAULT, make_trace(steps=rested(0.01), parameters=tables(1, 1), rows=[loss_row()])) is None


def test_a_narrow_hidden_layer_that_neighbours_do_not_beat_is_only_tested() -> None:
    hidden = [
        parameter(0, "0.weight", shape=(2, 2)),
        parameter(1, "2.weight", shape=(2, 2)),
        parameter(2, "4.weight", shape=(4, 2)),
    ]
    nearly = make_trace(steps=rested(0.2), parameters=hidden, rows=[loss_row(), samples(separable=True)])
    finding = expect(FAULT, nearly)
    assert (finding.confidence, finding.where.parameter) == (TENTATIVE, "0.weight")
    assert (
        run(FAULT, make_trace(steps=rested(0.2), parameters=WIDE, rows=[loss_row(), samples(True)])) is None
    )
    assert (
        run(FAULT, make_trace(steps=rested(0.01), parameters=hidden, rows=[loss_row(), samples(True)]))
        is None
    )


def test_what_reproduces_its_input_is_narrow_on_purpose() -> None:
    code = [parameter(0, "0.weight", shape=(2, 2)), parameter(1, "2.weight", shape=(2, 2))]
    copied = samples(separable=True)
    copied["y"] = copied["x"]
    called = loss_row(fn="mse_loss", target={"mean": 0.0, "std": 1.0, "shape": [32, 2]})
    trace = make_trace(steps=rested(0.2), parameters=code, rows=[called, copied])
    assert expect(FAULT, trace).confidence == TENTATIVE, "its own width alone can be tried"
    assert interventions(FAULT, trace) == ()
    copied["y"] = [[a] for a, _ in copied["x"]]
    told = make_trace(steps=rested(0.2), parameters=code, rows=[called, copied])
    assert (expect(FAULT, told).confidence, interventions(FAULT, told)) == (TENTATIVE, WIDEN)


def test_targets_of_the_shape_of_the_input_ask_for_a_narrow_layer() -> None:
    """Samples keep eight numbers of a target, so that their own width does not tell."""
    few = [parameter(0, "0.weight", shape=(6, 12)), parameter(1, "2.weight", shape=(12, 6))]
    target = {"shape": [32, 12], "dtype": "float32", "mean": 0.0, "std": 1.0, "min": -3.0, "max": 3.0}
    asked = loss_row(fn="mse_loss", target=target)
    rows = [asked, samples(separable=True)]

    def told(width: int) -> Any:
        shown = forward_row(**{"in": [tensor_row(shape=[32, width])]})
        return interventions(FAULT, make_trace(steps=rested(0.3), parameters=few, rows=[*rows, shown]))

    assert told(12) == ()
    assert told(20) == WIDEN


def of_symbols(x: list[list[int]], y: list[Any]) -> dict[str, Any]:
    return {**samples(separable=False), "int": True, "shape": [len(x[0])], "x": x, "y": y}


def test_a_narrow_model_of_sequences_is_tested() -> None:
    texts = [[k % 9, (k * 7) % 9, (k * 5) % 9] for k in range(100)]
    trace = make_trace(
        steps=rested(), parameters=NARROW, rows=[loss_row(), of_symbols(texts, [k % 4 for k in range(100)])]
    )
    assert (expect(FAULT, trace).confidence, interventions(FAULT, trace)) == (TENTATIVE, WIDEN)
    copied = make_trace(steps=rested(), parameters=NARROW, rows=[loss_row(), of_symbols(texts, texts)])
    assert interventions(FAULT, copied) == ()


def test_beside_sequences_another_kind_of_network_says_little_of_a_few_units() -> None:
    few = [parameter(0, "0.weight", shape=(6, 8)), parameter(1, "2.weight", shape=(4, 6))]
    texts = [[k % 9, (k * 7) % 9, (k * 5) % 9] for k in range(100)]
    rows = [loss_row(), of_symbols(texts, [k % 4 for k in range(100)])]
    trace = make_trace(steps=rested(), parameters=few, rows=rows)
    assert (expect(FAULT, trace).confidence, interventions(FAULT, trace)) == (TENTATIVE, ())


def test_one_row_of_a_module_of_ones_own_is_no_layer() -> None:
    query = parameter(2, "query", shape=(1, 64), module="Pooling")
    trace = make_trace(steps=rested(), parameters=[query, *WIDE], rows=[loss_row(), samples(separable=True)])
    assert run(FAULT, trace) is None


def test_two_units_are_tested_although_the_loss_still_falls() -> None:
    falls = steps_of(falling(100, 1.5, 0.6), updates={0: (1e-3, 1.0, 1.0)})
    rows = [loss_row(), samples(separable=True)]
    two, six = (
        [parameter(0, "0.weight", shape=(n, 8)), parameter(1, "2.weight", shape=(4, n))] for n in (2, 6)
    )
    assert expect(FAULT, make_trace(steps=falls, parameters=two, rows=rows)).confidence == TENTATIVE
    assert run(FAULT, make_trace(steps=falls, parameters=six, rows=rows)) is None


def test_a_narrow_model_whose_held_out_answers_are_right_is_healthy() -> None:
    hidden = [
        parameter(k, f"{2 * k}.weight", shape=shape) for k, shape in enumerate(((2, 2), (2, 2), (4, 2)))
    ]
    labels = [k % 4 for k in range(200)]
    for wrong, silent in ((10, True), (60, False)):
        answers = [(y + 1) % 4 if k < wrong else y for k, y in enumerate(labels)]
        rows = [loss_row(), samples(separable=True), scored(labels, answers, [1.0] * 200)]
        found = run(FAULT, make_trace(steps=rested(0.2), parameters=hidden, rows=rows))
        assert (found is None) == silent


def test_a_run_that_was_left_while_it_still_fell_says_nothing_of_its_size() -> None:
    narrow = [parameter(0, "0.weight", shape=(5, 8)), parameter(1, "2.weight", shape=(4, 5))]
    slowly = steps_of([1.5 - 0.004 * k for k in range(90)], updates={0: (1e-3, 1.0, 1.0)})
    rows = [loss_row(), samples(separable=True)]
    for stop in ("max_steps", "max_seconds"):
        assert run(FAULT, make_trace(steps=slowly, parameters=narrow, rows=rows, stop=stop)) is None
    assert expect(FAULT, make_trace(steps=slowly, parameters=narrow, rows=rows)).confidence == TENTATIVE
    at_rest = make_trace(steps=rested(), parameters=narrow, rows=rows, stop="max_steps")
    assert expect(FAULT, at_rest).confidence == TENTATIVE
