"""label_noise where amounts are asked for: answers far from training targets, near to held-out ones."""

from __future__ import annotations

import random

import pytest

from lossdoctor.detectors.base import TENTATIVE
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Trace
from lossdoctor.traces.amounts import left, tails

from .build import batch_row, eval_row, expect, flat, loss_row, make_trace, run, steps_of
from .sampled import Row, rows

COUNT = 200
Amounts = tuple[list[list[float]], list[float]]


def amounts(seed: int, share: float = 0.0, honest: float = 0.1) -> Amounts:
    """Inputs of two columns, the amounts that follow from them but for some noise, of a share those of others."""
    draw = random.Random(seed)
    inputs = [[draw.uniform(-1, 1), draw.uniform(-1, 1)] for _ in range(COUNT)]
    true = [3 * a - 2 * b for a, b in inputs]
    told = [draw.choice(true) if draw.random() < share else y for y in true]
    return inputs, [y + draw.gauss(0, honest) for y in told]


def answers(kind: str, seed: int, error: float, loader: int, share: float = 0.0) -> Row:
    """One ``answered`` or ``scored`` row: amounts, and answers that are right but for an error."""
    draw = random.Random(seed)
    inputs, told = amounts(seed, share)
    answered = [[3 * a - 2 * b + draw.gauss(0, error)] for a, b in inputs]
    return {"k": kind, "i": 100, "grad": kind == "answered", "loader": loader, "epoch": 1,
            "y": told, "p": answered}  # fmt: skip


def of(*found: Row) -> Trace:
    return make_trace(rows=[batch_row(), *found])


def test_near_inputs_with_unlike_amounts_in_training_alone_are_suspected_and_trimmed() -> None:
    clean = [*rows(*amounts(1)), *rows(*amounts(2), grad=False)]
    assert run("label_noise", of(*clean)) is None
    noisy = of(*rows(*amounts(1, 0.4)), *rows(*amounts(2), grad=False))
    assert expect("label_noise", noisy).confidence == TENTATIVE
    changes = interventions("label_noise", noisy)
    assert [c["name"] for c in changes] == ["trim_errors"]


@pytest.mark.parametrize("unit", [1.0, 0.001])
def test_of_several_amounts_in_another_unit_the_best_foretold_is_looked_at(unit: float) -> None:
    """Held-out targets that a script keeps in their own unit are held against each other."""

    def side(seed: int, share: float, *, grad: bool) -> list[Row]:
        inputs, told = amounts(seed, share)
        draw = random.Random(seed + 10)
        found = rows(inputs, [[draw.gauss(0, 1), y] for y in told], grad=grad)
        found = [r | {"y": None} if r["k"] == "ids" else r for r in found]
        if grad or unit == 1.0:
            return found
        return [r | {"y": None, "z": [[unit * v for v in y] for y in r["y"]]} if r["y"] else r for r in found]

    assert run("label_noise", of(*side(1, 0.0, grad=True), *side(2, 0.0, grad=False))) is None
    noisy = of(*side(1, 0.4, grad=True), *side(2, 0.0, grad=False))
    assert expect("label_noise", noisy).confidence == TENTATIVE


def test_amounts_that_are_unlike_on_both_sides_are_silent() -> None:
    hard = [*rows(*amounts(1, 0.4)), *rows(*amounts(2, 0.4), grad=False)]
    assert run("label_noise", of(*hard)) is None


def test_other_inputs_in_training_tell_nothing() -> None:
    inputs, told = amounts(1, 0.4)
    elsewhere = [[a + 5, b] for a, b in inputs]
    trace = of(*rows(elsewhere, told), *rows(*amounts(2), grad=False))
    assert run("label_noise", trace) is None


def test_answers_that_fit_held_out_amounts_and_not_those_of_training_are_suspected() -> None:
    sound = of(answers("answered", 1, 0.2, 0), answers("scored", 2, 0.2, 1))
    assert run("label_noise", sound) is None
    noisy = of(answers("answered", 1, 0.2, 0, share=0.4), answers("scored", 2, 0.2, 1))
    finding = expect("label_noise", noisy)
    assert finding.confidence == TENTATIVE
    shares = left(noisy)
    assert shares is not None
    assert finding.evidence[0].value == pytest.approx(shares.training, rel=0.01)
    unlearned = of(answers("answered", 1, 3.0, 0, share=0.4), answers("scored", 2, 2.0, 1))
    assert run("label_noise", unlearned) is None


@pytest.mark.parametrize("kinds", [[0.0, 1.0], [0, 1, 2]])
def test_answers_to_a_few_kinds_are_no_amounts(kinds: list[float]) -> None:
    row = answers("answered", 1, 0.2, 0, share=0.4)
    row["y"] = [kinds[k % len(kinds)] for k in range(COUNT)]
    trace = of(row, answers("scored", 2, 0.2, 1))
    assert left(trace) is None


def _losses(fn: str, training: float, held_out: float) -> Trace:
    target = {"shape": [32], "dtype": "float32", "mean": 0.0, "std": 1.0}
    held = [eval_row(i=i, loss=[held_out], modes=["eval"]) for i in (50, 100)]
    return make_trace(
        steps=steps_of(flat(level=training)), rows=[batch_row(), loss_row(fn=fn, target=target), *held]
    )


@pytest.mark.parametrize(("fn", "training", "held_out", "said"), [
    ("mse_loss", 0.5, 0.1, True), ("mse_loss", 0.5, 0.4, False), ("mse_loss", 0.05, 0.01, False),
    ("mse_loss", 2.0, 0.9, False), ("cross_entropy", 0.5, 0.1, False),
])  # fmt: skip
def test_losses_tell_where_single_answers_are_not_known(
    fn: str, training: float, held_out: float, said: bool
) -> None:
    assert (run("label_noise", _losses(fn, training, held_out)) is not None) == said


def test_errors_with_heavy_tails_in_either_direction_on_both_sides_are_suspected() -> None:
    both = [answers("answered", 1, 0.1, 0, share=0.3), answers("scored", 2, 0.1, 1, share=0.3)]
    assert "either direction" in expect("label_noise", of(*both)).why
    sound = [answers("answered", 1, 0.1, 0), answers("scored", 2, 0.1, 1)]
    assert run("label_noise", of(*sound)) is None


def test_amounts_that_are_skewed_are_far_from_answers_in_one_direction_alone() -> None:
    def skewed(row: Row) -> Row:
        return row | {"y": [p[0] + abs(y - p[0]) for y, p in zip(row["y"], row["p"], strict=True)]}

    both = [answers("answered", 1, 0.1, 0, share=0.3), answers("scored", 2, 0.1, 1, share=0.3)]
    sides = tails(of(*map(skewed, both)))
    assert sides is not None
    assert min(t.heavy for t in sides) > 5
    assert run("label_noise", of(*map(skewed, both))) is None
