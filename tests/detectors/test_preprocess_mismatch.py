"""preprocess_mismatch: evaluation inputs unlike all training inputs."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from tests.traces.test_vocabularies import OTHER, PLAIN, side

from lossdoctor.detectors.base import TENTATIVE, Missing
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Trace
from lossdoctor.traces.data import held
from lossdoctor.traces.symbols import renamed

from .build import eval_row, expect, falling, loader_row, loss_row, make_trace, run, steps_of
from .sampled import points, rows, scored


def trace(change: Callable[[list[float]], list[float]], hits: float, accuracy: float = 0.97) -> Trace:
    other, truth = points(200, 2)
    answers = [y if k < hits * 200 else (y + 1) % 4 for k, y in enumerate(truth)]
    data = [*rows(*points(200, 1)), *rows([change(p) for p in other], truth, grad=False)]
    found = [eval_row(), loss_row(), *data, scored(truth, answers, [1.0] * 200)]
    return make_trace(steps=steps_of([2.0, 1.0] + [0.1] * 60, accuracy=accuracy), rows=found)


def test_another_scale_in_evaluation_is_found() -> None:
    finding = expect("preprocess_mismatch", trace(lambda p: [v * 16 for v in p], 0.3))
    assert float(finding.evidence[1].value) > 10


def test_features_are_not_compared_with_pictures_of_as_many_numbers() -> None:
    found = trace(lambda p: [v * 16 for v in p], 0.3)
    seen = tuple(r if r["grad"] else {**r, "shape": [1, 2, 3]} for r in found.of("sample"))
    assert (
        run("preprocess_mismatch", found.model_copy(update={"rows": {**found.rows, "sample": seen}})) is None
    )


def test_another_order_of_columns_is_found() -> None:
    expect("preprocess_mismatch", trace(lambda p: [p[4], p[5], *p[:4]], 0.3))


def test_behind_augmentation_a_common_shift_is_worth_a_test() -> None:
    inputs, labels = points(200, 1)
    jittered = [[v + 0.01 * (k % 7) for v in p] for k, p in enumerate(inputs)]

    def augmented(change: Callable[[list[float]], list[float]]) -> Trace:
        plain = trace(change, 0.3)
        again = rows(jittered, labels, epoch=2, start=20)
        kept = {k: (*plain.of(k), *(r for r in again if r["k"] == k)) for k in ("ids", "sample")}
        return plain.model_copy(update={"rows": {**plain.rows, **kept}})

    def moved(p: list[float]) -> list[float]:
        return [v + 3 for v in p]

    assert expect("preprocess_mismatch", augmented(moved)).confidence == TENTATIVE
    assert expect("preprocess_mismatch", trace(moved, 0.3)).confidence > TENTATIVE


def test_a_shift_that_does_no_harm_is_silent() -> None:
    assert run("preprocess_mismatch", trace(lambda p: [v + 3 for v in p], 0.96)) is None


def test_sides_wholly_apart_that_do_some_harm_are_worth_a_test() -> None:
    finding = expect("preprocess_mismatch", trace(lambda p: [v + 300 for v in p], 0.75))
    assert finding.confidence == TENTATIVE
    assert run("preprocess_mismatch", trace(lambda p: [v + 300 for v in p], 0.9)) is None
    assert run("preprocess_mismatch", trace(lambda p: p, 0.75)) is None


def test_another_scale_is_worth_a_test_however_right_the_answers_are() -> None:
    finding = expect("preprocess_mismatch", trace(lambda p: [200 + v * 16 for v in p], 0.95))
    assert finding.confidence == TENTATIVE
    assert "scale" in finding.why
    assert run("preprocess_mismatch", trace(lambda p: [v * 1.2 for v in p], 0.95)) is None


def shifted(change: Callable[[list[float]], list[float]]) -> Trace:
    """Training has hardly any but class 0, evaluation all four alike, and the model answers 0."""
    whole, other = points(1200, 1), points(200, 2)
    kept = [k for k, y in enumerate(whole[1]) if y == 0 or k % 60 == 1]
    common = [whole[0][k] for k in kept], [whole[1][k] for k in kept]
    held = [change(p) for p in other[0]], other[1]
    data = [*rows(*common), *rows(*held, grad=False), scored(other[1], [0.0] * 200, [1.0] * 200)]
    steps = steps_of([2.0, 1.0] + [0.01] * 60, accuracy=0.999)
    return make_trace(steps=steps, rows=[eval_row(), loss_row(), *data])


def test_classes_in_other_shares_are_no_other_preprocessing() -> None:
    assert run("preprocess_mismatch", shifted(lambda p: p)) is None


def test_another_scale_shows_beside_other_shares_of_the_classes() -> None:
    expect("preprocess_mismatch", shifted(lambda p: [v * 16 for v in p]))


def test_overfitting_on_like_inputs_is_silent() -> None:
    assert run("preprocess_mismatch", trace(lambda p: p, 0.4)) is None


def test_a_run_that_fits_nothing_is_silent() -> None:
    assert run("preprocess_mismatch", trace(lambda p: [v * 16 for v in p], 0.25, accuracy=0.27)) is None


def test_without_an_evaluation_nothing_is_checked() -> None:
    assert isinstance(run("preprocess_mismatch", make_trace()), Missing)


def centred(hits: float = 0.3, accuracy: float = 0.97, **more: Any) -> Trace:
    """Evaluation inputs that look like training's, with the given means over the whole evaluation."""
    means = {"n": 200, "off": 1e-7, "features": 6, "alone": 0.4} | more
    base = trace(lambda p: p, hits, accuracy)
    return base.model_copy(update={"rows": base.rows | {"eval": (eval_row(centred=means),)}})


def test_evaluation_inputs_with_means_of_exactly_zero_were_standardised_by_themselves() -> None:
    finding = expect("preprocess_mismatch", centred())
    assert "their own mean" in finding.why
    assert finding.evidence[0].value == 1e-7


def test_the_finding_is_at_the_loader_that_evaluates() -> None:
    base = centred()
    loaders = (loader_row(site=3), loader_row(id=1, site=5))
    assert (
        expect(
            "preprocess_mismatch", base.model_copy(update={"rows": base.rows | {"loader": loaders}})
        ).where.line
        == 5
    )


def test_means_near_zero_come_from_the_training_statistics() -> None:
    assert run("preprocess_mismatch", centred(off=0.07)) is None


def test_a_larger_evaluation_has_to_be_centred_more_exactly() -> None:
    assert expect("preprocess_mismatch", centred(n=1000, off=0.0015))
    assert run("preprocess_mismatch", centred(n=100_000, off=0.0015)) is None


def test_own_statistics_that_do_no_harm_are_silent() -> None:
    assert run("preprocess_mismatch", centred(hits=0.95)) is None


def test_own_statistics_of_a_run_that_fits_nothing_are_silent() -> None:
    assert run("preprocess_mismatch", centred(hits=0.25, accuracy=0.27)) is None


def test_few_samples_few_features_or_samples_centred_one_by_one_prove_nothing() -> None:
    assert run("preprocess_mismatch", centred(n=20)) is None
    assert run("preprocess_mismatch", centred(features=2)) is None
    assert run("preprocess_mismatch", centred(alone=1e-6)) is None


def unlabelled(change: Callable[[list[float]], list[float]], loss: float) -> Trace:
    """Regression whose evaluation has inputs and losses, but no label of one number per input."""
    target = {"shape": [20, 1], "dtype": "float32", "min": -2.0, "max": 2.0, "mean": 0.0, "std": 1.0}
    inputs, _ = points(200, 1)
    other, _ = points(200, 2)
    found = [
        loss_row(fn="mse_loss", target=target),
        *rows(inputs, [[sum(p)] for p in inputs]),
        *(r | {"y": None} for r in rows([change(p) for p in other], [0] * 200, grad=False)),
        *(eval_row(i, loss=[loss] * 4, acc=[], n=[]) for i in (50, 100)),
    ]
    return make_trace(falling(100, 1.0, 0.02), rows=found)


def test_another_scale_of_unlabelled_evaluation_inputs_is_found_by_the_loss() -> None:
    finding = expect("preprocess_mismatch", unlabelled(lambda p: [16 * v for v in p], 0.9))
    assert float(finding.evidence[1].value) > 10


def test_another_scale_of_unlabelled_inputs_that_does_no_harm_is_silent() -> None:
    assert run("preprocess_mismatch", unlabelled(lambda p: [16 * v for v in p], 0.05)) is None


def test_without_labels_a_shift_of_the_same_scale_may_be_another_domain() -> None:
    assert run("preprocess_mismatch", unlabelled(lambda p: [v + 9 for v in p], 0.9)) is None


def test_quite_another_scale_counts_where_the_loss_is_the_scripts_own() -> None:
    def unknown(factor: float, first: str = "Conv2d", shift: float = 0.0) -> Trace:
        other, _ = points(200, 2)
        sides = [
            *rows(*points(200, 1)),
            *rows([[factor * v + shift for v in p] for p in other], [0] * 200, grad=False),
        ]
        hidden = [{k: v for k, v in r.items() if k != "y"} | {"y": None} for r in sides]
        act = {"k": "act", "i": 1, "name": "0", "class": first}
        return make_trace(falling(), rows=[eval_row(loss=[], acc=[], n=[]), act, *hidden])

    assert "another scale" in expect("preprocess_mismatch", unknown(6.0)).why
    assert run("preprocess_mismatch", unknown(1.5)) is None
    assert "lie elsewhere" in expect("preprocess_mismatch", unknown(1.0, shift=9.0)).why
    assert run("preprocess_mismatch", unknown(1.0, shift=3.0)) is None
    assert run("preprocess_mismatch", unknown(6.0, first="BatchNorm1d")) is None


def test_one_of_several_calls_per_loss_is_no_side_to_compare() -> None:
    once = trace(lambda p: [v * 16 for v in p], 0.3)
    several = tuple(s.model_copy(update={"sequence": "ZFFFBS"}) for s in once.steps)
    expect("preprocess_mismatch", once)
    assert run("preprocess_mismatch", once.model_copy(update={"steps": several})) is None


def tokens(names: list[int], *, grad: bool, seed: int) -> list[dict[str, Any]]:
    """Windows of a text whose symbol k comes with a share of 1/(k + 2), under these numbers; counted per symbol."""
    draw, shares = random.Random(seed), [1 / (k + 2) for k in range(len(names))]
    found = []
    for i in range(1, 5):
        counts = [Counter(draw.choices(names, shares, k=200)) for _ in range(40)]
        x = [[float(c[n]) for n in range(len(names))] for c in counts]
        found.append(
            {
                "k": "sample",
                "i": i,
                "grad": grad,
                "loader": None,
                "epoch": 1,
                "shape": [200],
                "int": True,
                "x": x,
            }
        )
    return found


@pytest.mark.parametrize(("step", "unlike"), [(1, False), (7, True)])
def test_symbols_under_other_numbers_are_told_by_their_shares(step: int, unlike: bool) -> None:
    names = list(range(20))
    other = [(step * n) % 20 for n in names]
    rows = [*tokens(names, grad=True, seed=1), *tokens(other, grad=False, seed=2)]
    seen = renamed(make_trace(rows=rows))
    assert (seen is not None) is unlike
    if seen is not None:
        assert seen.before > 0.25 > 0.1 > seen.after


@pytest.mark.parametrize(("asked", "told"), [(PLAIN, False), (OTHER, True)])
def test_symbols_that_say_other_things_in_evaluation_are_told_and_put_back(
    asked: list[int], told: bool
) -> None:
    here = side(False, asked)
    answers = [(y + 1) % 3 for y in here["y"]]
    data = [side(True, PLAIN), {**here, "p": answers}, scored(here["y"], answers, [1.0] * len(answers))]
    steps = steps_of([2.0, 1.0] + [0.1] * 60, accuracy=0.97)
    trace = make_trace(steps=steps, rows=[eval_row(), loss_row(), *data])
    found = run("preprocess_mismatch", trace)
    assert (found is not None and "vocabularies" in found.why) is told
    change = interventions("preprocess_mismatch", trace)[0]
    assert ("symbols" in change) is told


def test_near_copies_of_a_few_inputs_are_apart_from_all_others_without_another_preprocessing() -> None:
    draw = random.Random(4)
    few, labels = points(20, 1, spread=1.0)
    copies = [[v + draw.gauss(0, 0.02) for v in few[k % 20]] for k in range(200)]
    other, truth = points(200, 2, spread=1.0)
    answers = [y if k < 60 else (y + 1) % 4 for k, y in enumerate(truth)]
    data = [*rows(copies, [labels[k % 20] for k in range(200)]), *rows(other, truth, grad=False)]
    found = [eval_row(), loss_row(), *data, scored(truth, answers, [1.0] * 200)]
    steps = steps_of([2.0, 1.0] + [0.1] * 60, accuracy=0.97)
    assert run("preprocess_mismatch", make_trace(steps=steps, rows=found)) is None


def test_the_training_set_that_is_evaluated_in_the_first_epoch_is_not_held_out() -> None:
    first, second = points(200, 1), points(200, 2)
    swapped = [[p[4], p[5], *p[:4]] for p in second[0]]
    early = [{**r, "loader": None, "known": 0.45} for r in rows(*first, grad=False)]
    late = [{**r, "loader": None, "known": 1.0, "i": 90} for r in rows(*first, grad=False)]
    other = [{**r, "loader": None, "known": 0.0} for r in rows(swapped, second[1], grad=False)]
    made = make_trace(rows=[*rows(*first), *early, *late, *other])
    assert {r["known"] for r in held(made, "sample")} == {0.0}
    assert {r["known"] for r in held(make_trace(rows=[*rows(*first), *early, *other]), "sample")} == {
        0.0,
        0.45,
    }


def test_categories_that_each_file_numbers_by_itself_are_told_and_put_back() -> None:
    draw = random.Random(5)

    def side(levels: list[int]) -> tuple[list[list[float]], list[int]]:
        found = [draw.choice(levels) for _ in range(400)]
        labels = [k * k % 5 % 4 if draw.random() < 0.9 else draw.randrange(4) for k in found]
        return [[float(levels.index(k)), draw.gauss(0, 1)] for k in found], labels

    train, (asked, truth) = side([*range(8)]), side([0, 3, 4, 5, 6, 7])
    answers = [y if k < 130 else (y + 1) % 4 for k, y in enumerate(truth)]
    data = [*rows(*train), *rows(asked, truth, grad=False), scored(truth, answers, [1.0] * 400)]
    steps = steps_of([2.0, 1.0] + [0.1] * 60, accuracy=0.97)
    made = make_trace(steps=steps, rows=[eval_row(), loss_row(), *data])
    finding = expect("preprocess_mismatch", made)
    assert "column 0" in finding.why
    assert "1: 3, 2: 4" in str(finding.evidence[0].value)
    (change,) = interventions("preprocess_mismatch", made)
    (column,) = change["codes"]
    assert column["column"] == 0
    assert [1.0, 3.0] in column["pairs"]
