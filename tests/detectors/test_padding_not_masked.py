from __future__ import annotations

import random
from typing import Any

import pytest
from tests.detectors.build import (
    SITES,
    batch_row,
    expect,
    falling,
    flat,
    forward_row,
    loss_row,
    make_trace,
    run,
    tensor_row,
)

from lossdoctor.detectors.base import TENTATIVE, Missing
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Finding, Site, Trace

FAULT = "padding_not_masked"


WALK = {"k": "rnn", "i": 1, "class": "GRU", "grad": True, "shape": [32, 20, 4], "given": 0, "carried": 0}
WALKS = (*SITES, Site(id=8, what="rnn", file="model.py", line=9))


def padded(share: float) -> dict[str, Any]:
    tokens = {
        "path": "0",
        "shape": [32, 20],
        "dtype": "int64",
        "min": 0,
        "max": 50,
        "distinct": 51,
        "trail": [0, share],
    }
    return batch_row(tensors=[tokens])


def tagged(filled: int, ignore: int = -100, count: int = 640) -> dict[str, Any]:
    hist = {"0": filled, "1": (100 - filled) // 2, "2": (100 - filled) // 2}
    return loss_row(target={"shape": [count], "dtype": "int64", "min": 0, "max": 2, "distinct": 3, "hist": hist},
                    ignore=ignore)  # fmt: skip


PROBE = {"k": "probe", "i": 10, "what": "padding", "change": 1.4, "share": 0.7, "value": 0}


def asked(grad: bool, width: int) -> dict[str, Any]:
    return {
        "k": "sample",
        "i": 5,
        "grad": grad,
        "loader": None,
        "epoch": 1,
        "shape": [width],
        "int": True,
        "x": [[0.0]],
    }


def test_padding_that_evaluation_does_not_have_is_no_small_thing_though_training_goes_well() -> None:
    rows = [padded(0.7), loss_row(), WALK, PROBE, *[asked(True, 20)] * 3]
    bare = [*rows, asked(False, 6), asked(False, 9), asked(False, 17)]
    alike = [*rows, *[asked(False, 20)] * 3]
    severities = [
        expect(FAULT, make_trace(falling(end=0.05), rows=found, sites=WALKS)).severity
        for found in (bare, alike)
    ]
    assert severities == ["warning", "info"]


def test_padding_of_evaluation_alone_is_tested_where_the_answers_depend_on_it() -> None:
    def trace(share: float, **more: Any) -> Trace:
        held = forward_row(
            grad=False, **{"in": [tensor_row(shape=[32, 20], dtype="int64", trail=[1, share])]}
        )
        return make_trace(falling(end=0.05), rows=[padded(0.02), loss_row(), held, {**PROBE, **more}])

    told = {"what": "held_padding", "value": 1}
    found = expect(FAULT, trace(0.6, **told))
    assert found.confidence == TENTATIVE
    assert interventions(FAULT, trace(0.6, **told)) == ({"name": "trim_evaluation"},)
    assert run(FAULT, trace(0.2, **told)) is None
    assert run(FAULT, trace(0.6, **told, change=1e-6)) is None
    beside = trace(0.6, what="padding")  # of a training batch, which is filled up a little
    assert expect(FAULT, beside).confidence == TENTATIVE
    assert interventions(FAULT, beside) == ({"name": "trim_evaluation"},)
    assert run(FAULT, trace(0.6, what="samples")) is None


def test_padding_in_the_targets_that_the_loss_counts_is_found() -> None:
    assert "padding value 0" in expect(FAULT, make_trace(rows=[padded(0.7), tagged(70)])).why


def test_padding_that_the_loss_ignores_is_healthy() -> None:
    assert run(FAULT, make_trace(rows=[padded(0.7), tagged(70, ignore=0)])) is None


def test_a_class_whose_number_is_that_of_the_padding_is_no_padding() -> None:
    hist = {"0": 18, "1": 8, "2": 6}
    classes = loss_row(target={"shape": [32], "dtype": "int64", "min": 0, "max": 2, "distinct": 3, "hist": hist},
                       ignore=-100)  # fmt: skip
    assert run(FAULT, make_trace(rows=[padded(0.5), classes])) is None


def test_a_mask_for_another_value_leaves_out_next_to_nothing() -> None:
    expect(FAULT, make_trace(rows=[padded(0.7), tagged(70, count=622)]))


@pytest.mark.parametrize("ends", [True, False])
def test_padding_that_is_ignored_beside_a_class_as_frequent_is_healthy(ends: bool) -> None:
    """The commonest tag has about the share of the padding, which the loss leaves out."""
    hist = {"-100": 280, "11": 270, "3": 90}
    target = {"shape": [640], "dtype": "int64", "min": -100, "max": 11, "distinct": 3, "hist": hist}
    batch = padded(0.45)
    if ends:
        batch["tensors"].append({**batch["tensors"][0], "path": "1", "trail": [-100, 0.4375]})
    assert run(FAULT, make_trace(rows=[batch, loss_row(target=target, ignore=-100)])) is None
    counted = loss_row(target={**target, "hist": {"0": 280, "11": 270, "3": 90}}, ignore=-100)
    expect(FAULT, make_trace(rows=[padded(0.45), counted]))


def test_batches_that_are_filled_up_by_more_or_less_are_judged_together() -> None:
    def masked_by_hand(left_out: int) -> dict[str, Any]:
        hist = {"-100": left_out, "11": 270, "3": 370 - left_out}
        return loss_row(target={"shape": [640], "dtype": "int64", "min": -100, "max": 11, "distinct": 3, "hist": hist},
                        ignore=-100)  # fmt: skip

    assert run(FAULT, make_trace(rows=[padded(0.45), masked_by_hand(350), masked_by_hand(220)])) is None


def test_a_loss_that_gets_the_real_positions_only_is_healthy() -> None:
    assert run(FAULT, make_trace(rows=[padded(0.7), tagged(70, count=190)])) is None


def test_an_answer_that_depends_on_padding_is_found_in_a_poor_run() -> None:
    assert (
        expect(FAULT, make_trace(flat(level=1.4), rows=[padded(0.7), loss_row(), PROBE])).severity
        == "warning"
    )


def test_the_same_in_a_recurrent_run_that_fits_is_no_more_than_a_note() -> None:
    fits = make_trace(falling(end=0.05), rows=[padded(0.7), loss_row(), WALK, PROBE], sites=WALKS)
    assert expect(FAULT, fits).severity == "info"


def test_a_run_with_attention_that_fits_and_measurements_that_end_with_zeros_are_tested() -> None:
    attends = Site(id=9, what="attention", file="train.py", line=14)
    fits = {"losses": falling(end=0.05), "sites": (*SITES, attends)}
    made = make_trace(rows=[padded(0.7), loss_row(), PROBE], **fits)
    assert expect(FAULT, made).confidence == TENTATIVE
    assert interventions(FAULT, made) == ({"name": "mask_padding"},)
    given = forward_row(**{"in": [tensor_row(shape=[32, 20, 3], blank=0.6)]})
    ends = make_trace(flat(level=1.4), rows=[batch_row(), given, loss_row(), PROBE])
    assert expect(FAULT, ends).confidence == TENTATIVE
    full = forward_row(**{"in": [tensor_row(shape=[32, 20, 3])]})
    assert isinstance(
        run(FAULT, make_trace(flat(level=1.4), rows=[batch_row(), full, loss_row(), PROBE])), Missing
    )


def test_layers_of_attention_are_not_recurrent() -> None:
    attends = {**WALK, "class": "MultiheadAttention"}
    fits = make_trace(falling(end=0.05), rows=[padded(0.7), loss_row(), attends, PROBE], sites=WALKS)
    assert interventions(FAULT, fits) == ({"name": "mask_padding"},)


def masked(level: int, kind: str = "bool") -> list[dict[str, Any]]:
    """Calls of a model by name: padded symbols, and beside them what says the same everywhere."""
    tokens = {**padded(0.7)["tensors"][0], "path": "0.ids"}
    mask = {"path": "0.keep", "shape": [32, 20], "dtype": kind, "min": level, "max": level, "distinct": 1}
    return [forward_row(**{"i": i, "in": [tokens, mask]}) for i in (1, 2, 3)]


@pytest.mark.parametrize(("level", "kind", "idle"), [(1, "bool", True), (0, "bool", True), (1, "int64", True),
                                                     (0, "int64", False), (2, "int64", False)])  # fmt: skip
def test_a_mask_that_leaves_nothing_out_is_told_and_tested(level: int, kind: str, idle: bool) -> None:
    rows = [*masked(level, kind), loss_row(), WALK, PROBE]
    made = make_trace(flat(level=1.4), rows=rows, sites=WALKS)
    assert ("0.keep leaves nothing out" in expect(FAULT, made).why) == idle
    assert interventions(FAULT, made) == (({"name": "mask_padding"},) if idle else ())


def test_a_model_that_masks_is_healthy() -> None:
    rows = [padded(0.7), loss_row(), {**PROBE, "change": 0.0}]
    assert run(FAULT, make_trace(flat(level=1.4), rows=rows)) is None


def test_a_little_padding_is_healthy() -> None:
    assert run(FAULT, make_trace(flat(level=1.4), rows=[padded(0.2), tagged(20), PROBE])) is None


def test_without_sequences_it_is_not_checked() -> None:
    assert isinstance(run(FAULT, make_trace(rows=[batch_row(tensors=[tensor_row()])])), Missing)


def test_targets_that_are_padded_more_than_the_inputs_are_held_against_their_own_share() -> None:
    source = {
        "path": "0",
        "shape": [32, 12],
        "dtype": "int64",
        "min": 0,
        "max": 50,
        "distinct": 51,
        "trail": [0, 0.3],
    }
    target = source | {"path": "1", "shape": [32, 20], "trail": [0, 0.9]}
    assert "90 %" in expect(FAULT, make_trace(rows=[batch_row(tensors=[source, target]), tagged(90)])).why
    other = target | {"trail": [7, 0.9]}
    assert run(FAULT, make_trace(rows=[batch_row(tensors=[source, other]), tagged(90)])) is None


def test_a_recurrent_tagger_that_walks_through_padding_is_no_more_than_noted() -> None:
    tokens = tensor_row(shape=[32, 20], dtype="int64")
    each = forward_row(**{"in": [tokens], "out": [tensor_row("", shape=[32, 20, 7])]})
    one = forward_row(**{"in": [tokens], "out": [tensor_row("", shape=[32, 7])]})
    rnn = Site(id=9, what="rnn", file="/project/net.py", line=4, code="h, _ = self.rnn(x)")

    def severity(call: dict[str, Any], *sites: Site) -> str:
        rows = [padded(0.7), loss_row(), PROBE, call, *([WALK] if rnn in sites else [])]
        return expect(FAULT, make_trace(flat(level=1.4), rows=rows, sites=(*SITES, *sites))).severity

    assert severity(each, rnn) == "info"
    assert severity(one, rnn) == "warning"
    assert severity(each) == "warning"


def told_lengths(low: int, high: int, share: float = 0.7) -> list[dict[str, Any]]:
    tokens = padded(share)["tensors"][0]
    lengths = {
        "path": "1",
        "shape": [32],
        "dtype": "int64",
        "min": low,
        "max": high,
        "distinct": high - low + 1,
    }
    return [forward_row(i, **{"in": [tokens, lengths]}) for i in range(1, 6)]


def test_sequences_that_are_all_told_to_be_as_long_as_their_batch_are_found() -> None:
    found = make_trace(flat(level=0.69), rows=[padded(0.7), loss_row(), *told_lengths(20, 20)])
    assert "as long as" in expect(FAULT, found).why
    assert interventions(FAULT, found) == ({"name": "true_lengths"},)


@pytest.mark.parametrize("told", [told_lengths(3, 20), told_lengths(20, 20, 0.1), told_lengths(7, 7), []])
def test_true_lengths_and_batches_of_one_length_are_sound(told: list[dict[str, Any]]) -> None:
    assert run(FAULT, make_trace(flat(level=0.69), rows=[padded(0.7), loss_row(), *told])) is None


def charts(lengths: dict[str, int], zeros: float, reduction: str = "mean") -> list[dict[str, Any]]:
    """Batches of measurements with the lengths of their sequences, and a loss on all of them."""
    chart = tensor_row("1", shape=[32, 15], zeros=zeros)
    told = {"path": "2", "shape": [32], "dtype": "int64", "min": 3, "max": 15, "distinct": 4, "hist": lengths}
    called = [
        loss_row(i, fn="mse_loss", reduction=reduction, target=tensor_row(shape=[32, 15], zeros=zeros))
        for i in range(1, 6)
    ]
    return [batch_row(tensors=[tensor_row("0", shape=[32, 15], zeros=zeros), chart, told]), *called]


SHORT = {"3": 10, "5": 10, "9": 11, "15": 1}  # 194 of 480 positions


def test_measurements_that_are_filled_up_with_zeros_are_found_in_the_loss() -> None:
    finding = expect(FAULT, make_trace(falling(), rows=charts(SHORT, 1 - 194 / 480)))
    assert "60 % of the targets are zeros" in finding.why


def test_measurements_that_are_zero_by_nature_or_counted_by_a_mask_are_left_alone() -> None:
    for rows in (charts(SHORT, 0.3), charts(SHORT, 0.9), charts(SHORT, 1 - 194 / 480, reduction="none")):
        assert not isinstance(run(FAULT, make_trace(falling(), rows=rows)), Finding)
    long = {"14": 16, "15": 16}
    assert not isinstance(run(FAULT, make_trace(falling(), rows=charts(long, 1 - 464 / 480))), Finding)


def told(ignore: int, others: dict[str, int] | None = None) -> Trace:
    """Targets of 48 sequences of 7 symbols, a quarter of them the filling 0."""
    target = {
        "shape": [336],
        "dtype": "int64",
        "min": 0,
        "max": 9,
        "hist": {"0": 86, "2": 130, "3": 120, **(others or {})},
    }
    losses = [loss_row(i, ignore=ignore, target=target) for i in (1, 2, 3)]
    tensors = [tensor_row(shape=[48, 7], dtype="int64", trail=[0, 0.256])]
    return make_trace(rows=[*losses, *(batch_row(i, tensors=tensors) for i in (1, 2, 3))])


def test_a_loss_that_ignores_a_symbol_that_no_target_is_counts_the_padding() -> None:
    assert "told to ignore 1" in expect("padding_not_masked", told(1)).why
    assert interventions("padding_not_masked", told(1)) == ({"name": "ignore_padding", "value": 0},)
    for sound in (told(0), told(1, {"1": 20}), told(-100)):
        assert run("padding_not_masked", sound) is None


def test_targets_of_one_length_need_no_filling() -> None:
    sources = [tensor_row(shape=[48, 9], dtype="int64", trail=[1, 0.35])]
    batches = [batch_row(i, tensors=sources) for i in (1, 2, 3)]
    called = told(1).rows["loss"]
    assert run("padding_not_masked", make_trace(rows=[*called, *told(1).rows["batch"], *batches])) is None


def test_a_symbol_that_a_few_sequences_end_with_fills_nothing() -> None:
    ends = [
        batch_row(i, tensors=[tensor_row(shape=[48, 7], dtype="int64", trail=[0, 0.02])]) for i in (1, 2, 3)
    ]
    assert not isinstance(run("padding_not_masked", make_trace(rows=[*told(1).rows["loss"], *ends])), Finding)


def test_padding_that_hardly_changes_the_answers_of_a_poor_run_is_only_tested() -> None:
    rows = [padded(0.7), loss_row(), {**PROBE, "change": 0.15}]
    assert expect(FAULT, make_trace(flat(level=1.4), rows=rows)).confidence == TENTATIVE


@pytest.mark.parametrize(("total", "counted"), [(1.39, True), (0.4, False)])
def test_a_loss_without_reduction_counts_padding_if_backward_got_the_mean_over_all(
    total: float, counted: bool
) -> None:
    row = {**tagged(90), "reduction": "none", "value": 1.39}
    outcome = run(FAULT, make_trace([total] * 100, rows=[row, padded(0.85)]))
    assert isinstance(outcome, Finding) is counted


def test_a_mean_over_padding_is_tested_in_a_run_that_fits_and_named_by_its_line() -> None:
    pooled = Site(id=9, what="pooled", file="model.py", line=20)
    fits = {"losses": falling(end=0.05), "sites": (*SITES, pooled)}
    finding = expect(FAULT, make_trace(rows=[padded(0.7), loss_row(), PROBE], **fits))
    assert (finding.confidence, finding.where.file, finding.where.line) == (TENTATIVE, "model.py", 20)


def filled_up(value: float, least: int, most: int, **target: Any) -> Trace:
    """Series of 40 readings that are filled up with a number from some place on, and a loss on them."""
    draw = random.Random(5)
    lengths = [draw.randint(least, most) for _ in range(64)]
    series = [[draw.gauss(0, 1) if k < n else value for k in range(40)] for n in lengths]
    shown = {"k": "sample", "i": 1, "grad": True, "int": False, "loader": 0, "epoch": 1, "shape": [40]}
    told = {"shape": [64, 40], "dtype": "float32", "min": min(value, -3.0), "max": max(value, 3.0),
            "zeros": sum(v == 0 for x in series for v in x) / 2560} | target  # fmt: skip
    calls = [loss_row(i, fn="mse_loss") | {"target": told} for i in (1, 2, 3)]
    return make_trace(falling(), rows=[batch_row(), {**shown, "x": series, "y": None}, *calls])


@pytest.mark.parametrize("value", [-5.0, 0.0, 99.0])
def test_readings_that_are_filled_up_with_a_number_that_the_loss_counts_are_tested(value: float) -> None:
    trace = filled_up(value, 10, 38)
    finding = expect(FAULT, trace)
    assert finding.confidence == TENTATIVE
    assert "value that fills the ends of the rows" in {e.quantity for e in finding.evidence}
    assert interventions(FAULT, trace) == ({"name": "ignore_filling", "value": value},)


@pytest.mark.parametrize(
    "trace",
    [
        filled_up(-5.0, 38, 40),  # hardly any
        filled_up(-5.0, 20, 20),  # all of one length: that is how they are
        filled_up(-5.0, 10, 38, min=-3.0),  # the targets do not hold it
        filled_up(-5.0, 10, 38, shape=[1600]),  # they are picked
        filled_up(-5.0, 10, 38, shape=[64, 12]),  # they are others
    ],
)
def test_other_endings_and_targets_are_no_filling_that_counts(trace: Trace) -> None:
    assert not isinstance(run(FAULT, trace), Finding)
