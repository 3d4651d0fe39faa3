"""class_imbalance: a rare class that is never found."""

from __future__ import annotations

from typing import Any

from lossdoctor.detectors.base import Missing
from lossdoctor.model import Site

from .build import expect, forward_row, loss_row, make_trace, parameter, print_row, run, tensor_row
from .sampled import points, rows, scored

RARE = [int(k % 50 == 0) for k in range(400)]


def trained(labels: list[int], epoch: int = 3) -> list[dict[str, Any]]:
    return rows(points(len(labels), 1)[0], labels, epoch=epoch)


def test_a_rare_class_that_is_never_answered_is_found() -> None:
    trace = make_trace(rows=[loss_row(), *trained(RARE), scored(RARE, [0] * 400, [1.0] * 400)])
    assert "Class 1 is 2 %" in expect("class_imbalance", trace).why


def test_where_only_probabilities_are_judged_no_class_is_ignored() -> None:
    ignored = [loss_row(), *trained(RARE), scored(RARE, [0] * 400, [1.0] * 400)]
    assert run("class_imbalance", make_trace(rows=[*ignored, print_row(val_AUC=0.8, log_loss=0.2)])) is None
    expect("class_imbalance", make_trace(rows=[*ignored, print_row(val_AUC=0.8, val_accuracy=0.98)]))
    expect("class_imbalance", make_trace(rows=[*ignored, print_row(val_loss=0.2)]))


def test_a_rare_class_that_is_found_is_silent() -> None:
    trace = make_trace(rows=[loss_row(), *trained(RARE), scored(RARE, RARE, [1.0] * 400)])
    assert run("class_imbalance", trace) is None


def test_a_mild_imbalance_is_silent() -> None:
    mild = [int(k % 5 == 0) for k in range(400)]
    trace = make_trace(rows=[loss_row(), *trained(mild), scored(mild, [0] * 400, [1.0] * 400)])
    assert run("class_imbalance", trace) is None


def test_a_weighted_loss_is_silent() -> None:
    trace = make_trace(rows=[loss_row(weighted=True), *trained(RARE), scored(RARE, [0] * 400, [1.0] * 400)])
    assert run("class_imbalance", trace) is None


def test_the_first_epoch_is_too_early_to_tell() -> None:
    trace = make_trace(rows=[loss_row(), *trained(RARE, epoch=1), scored(RARE, [0] * 400, [1.0] * 400)])
    assert run("class_imbalance", trace) is None


def test_without_a_loss_function_nothing_is_checked() -> None:
    assert isinstance(run("class_imbalance", make_trace()), Missing)


def test_a_class_that_evaluation_has_far_more_often_must_be_found_more_often() -> None:
    often = [int(k % 5 == 0) for k in range(400)]  # one in five, one in fifty in training
    third = [int(k % 15 == 0) for k in range(400)]
    found = expect(
        "class_imbalance",
        make_trace(rows=[loss_row(), *trained(RARE), scored(often, third, [1.0] * 400)]),
    )
    assert found.evidence[1].threshold == 0.5
    same = [loss_row(), *trained(RARE), scored(RARE, [int(k % 150 == 0) for k in range(400)], [1.0] * 400)]
    assert run("class_imbalance", make_trace(rows=same)) is None, "0.375, of a class that is as rare there"
    most = [int(k % 10 == 0 or k % 15 == 0) for k in range(400)]
    better = [loss_row(), *trained(RARE), scored(often, most, [1.0] * 400)]
    assert run("class_imbalance", make_trace(rows=better)) is None


def answered(hits: int) -> list[dict[str, Any]]:
    """The rare class (8 of 400) is answered rightly ``hits`` times."""
    rare = [k for k, y in enumerate(RARE) if y][:hits]
    return [loss_row(), *trained(RARE), scored(RARE, [int(k in rare) for k in range(400)], [1.0] * 400)]


def test_a_recall_below_a_fifth_is_ignored_and_one_above_is_not() -> None:
    finding = expect("class_imbalance", make_trace(rows=answered(1)))
    assert (finding.evidence[1].value, finding.evidence[1].threshold) == (0.125, 0.2)
    assert run("class_imbalance", make_trace(rows=answered(2))) is None


def test_three_samples_of_a_class_are_too_few_to_tell() -> None:
    few = [int(k in (50, 100, 150)) for k in range(400)]
    trace = make_trace(rows=[loss_row(), *trained(RARE), scored(few, [0] * 400, [1.0] * 400)])
    assert run("class_imbalance", trace) is None


def test_weights_that_favour_the_common_class_are_no_remedy() -> None:
    ignored = [*trained(RARE), scored(RARE, [0] * 400, [1.0] * 400)]
    upside_down = make_trace(rows=[loss_row(weighted=True, weights=[1.96, 0.04]), *ignored])
    assert "favour the common classes" in expect("class_imbalance", upside_down).why
    made = Site(
        id=9, what="class_weights", file="/project/train.py", line=28, code="w = counts / counts.sum()"
    )
    placed = upside_down.model_copy(update={"sites": (*upside_down.sites, made)})
    assert expect("class_imbalance", placed).where.line == 28
    right = make_trace(rows=[loss_row(weighted=True, weights=[0.5, 25.0]), *ignored])
    assert run("class_imbalance", right) is None


def test_a_positive_weight_below_one_makes_a_rare_class_rarer() -> None:
    ignored = [*trained(RARE), scored(RARE, [0] * 400, [1.0] * 400)]
    expect("class_imbalance", make_trace(rows=[loss_row(weighted=True, weights=[0.02]), *ignored]))
    assert (
        run("class_imbalance", make_trace(rows=[loss_row(weighted=True, weights=[49.0]), *ignored])) is None
    )


def test_a_rare_symbol_of_the_alphabet_that_the_model_reads_need_not_be_foreseen() -> None:
    tables = [parameter(0, "emb.weight", shape=(90, 8)), parameter(1, "out.weight", shape=(90, 8))]
    scores = {"shape": [20, 90], "dtype": "float32"}
    symbols = [loss_row(**{"in": scores}), forward_row(**{"in": [tensor_row(dtype="int64", shape=[20, 12])]})]
    found = [*symbols, *trained(RARE), scored(RARE, [0] * 400, [1.0] * 400)]
    assert run("class_imbalance", make_trace(rows=found, parameters=tables)) is None
    expect("class_imbalance", make_trace(rows=found, parameters=tables[1:]))
    tied = [parameter(0, "item.weight", shape=(90, 8), module="Embedding")]
    assert run("class_imbalance", make_trace(rows=found, parameters=tied)) is None
