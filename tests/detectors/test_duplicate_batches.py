"""duplicate_batches: samples that return within an epoch, or a loader that covers little."""

from __future__ import annotations

from typing import Any

from lossdoctor.detectors.base import TENTATIVE, Missing
from lossdoctor.detectors.catalogue import interventions
from lossdoctor.model import Finding, Trace

from .build import batch_row, expect, forward_row, loader_row, make_trace, run
from .sampled import points, rows


def test_an_epoch_of_copies_is_found() -> None:
    inputs, labels = points(50, 1)
    finding = expect(
        "duplicate_batches",
        make_trace(rows=[batch_row(), loader_row(len=200), *rows(inputs * 4, labels * 4)]),
    )
    assert finding.evidence[0].value == 0.75


def test_a_sampler_that_draws_the_data_set_many_times_over_repeats_it() -> None:
    """One pass of a sampler of classes and their samples may be the whole training."""
    inputs, labels = points(200, 1)
    whole = rows(inputs * 8, labels * 8)
    assert run("duplicate_batches", make_trace(rows=[batch_row(), loader_row(len=200), *whole])) is None
    few = rows((inputs[:50] * 4) * 8, (labels[:50] * 4) * 8)
    assert expect("duplicate_batches", make_trace(rows=[batch_row(), loader_row(len=200), *few]))


def test_epochs_repeat_the_data_set_by_design() -> None:
    inputs, labels = points(200, 1)
    epochs = [row for epoch in range(1, 6) for row in rows(inputs, labels, epoch=epoch)]
    assert run("duplicate_batches", make_trace(rows=[batch_row(), loader_row(len=200), *epochs])) is None


def test_the_first_batch_of_a_new_iterator_each_step_is_found() -> None:
    inputs, labels = points(20, 1)
    steps = [row for epoch in range(1, 30) for row in rows(inputs, labels, epoch=epoch)]
    assert (
        "20 of 320" in expect("duplicate_batches", make_trace(rows=[batch_row(), loader_row(), *steps])).why
    )


def test_an_oversampled_class_repeats_on_purpose() -> None:
    inputs, labels = points(60, 1)
    rare = [[9.0 + k, 0.0, 0.0, 0.0, 0.0, 0.0] for k in range(4)]
    more, classes = inputs + rare * 40, labels + [9] * 160
    assert (
        run("duplicate_batches", make_trace(rows=[batch_row(), loader_row(len=220), *rows(more, classes)]))
        is None
    )


def test_a_weighted_sampler_repeats_on_purpose() -> None:
    inputs, labels = points(50, 1)
    loader = loader_row(sampler="WeightedRandomSampler")
    assert (
        run("duplicate_batches", make_trace(rows=[batch_row(), loader, *rows(inputs * 4, labels * 4)]))
        is None
    )


def test_equal_inputs_with_different_labels_are_no_copies() -> None:
    blank = [[0.0] * 6] * 150
    inputs, labels = points(50, 1)
    data = rows(blank + inputs, [k % 4 for k in range(150)] + labels)
    assert run("duplicate_batches", make_trace(rows=[batch_row(), loader_row(len=200), *data])) is None


def test_one_batch_for_all_steps_is_found_without_a_loader() -> None:
    steps = rows(*(part * 30 for part in points(20, 1)))
    held_out = rows(*points(100, 2), grad=False)
    bare = [row | {"loader": None, "epoch": None} for row in [*steps, *held_out]]
    pool = {"k": "pool", "i": 3, "n": 200}
    assert "same 20" in expect("duplicate_batches", make_trace(rows=[batch_row(), pool, *bare])).why
    assert run("duplicate_batches", make_trace(rows=[batch_row(), *bare])) is None, (
        "all that has labels, maybe"
    )


def test_full_batch_training_is_silent() -> None:
    steps = rows(*(part * 30 for part in points(60, 1)), size=60)
    held_out = rows(*points(40, 2), grad=False)
    bare = [row | {"loader": None, "epoch": None} for row in [*steps, *held_out]]
    assert run("duplicate_batches", make_trace(rows=[batch_row(), *bare])) is None


def test_without_batches_nothing_is_checked() -> None:
    assert isinstance(run("duplicate_batches", make_trace()), Missing)


def drawn_by_hand(pool: int, *more: dict[str, object]) -> list[dict[str, object]]:
    """40 samples, shown 20 times without a loader, of ``pool`` that the script holds."""
    inputs, labels = points(40, 1)
    shown = [row for epoch in range(20) for row in rows(inputs, labels, start=1 + 2 * epoch)]
    unloaded = [{**row, "loader": None, "epoch": None} for row in shown]
    return [forward_row(), *unloaded, {"k": "pool", "i": 3, "n": pool}, *more]


def test_few_of_the_samples_that_a_script_holds_are_found() -> None:
    assert "40 different ones" in expect("duplicate_batches", make_trace(rows=drawn_by_hand(400))).why


def test_most_of_the_samples_or_few_passes_are_silent() -> None:
    for pool in (60, 1000):
        assert not isinstance(run("duplicate_batches", make_trace(rows=drawn_by_hand(pool))), Finding)


def test_samples_that_are_evaluated_were_held_out() -> None:
    others, truth = points(340, 2)
    held_out = [{**row, "loader": None} for row in rows(others, truth, grad=False)]
    trace = make_trace(rows=drawn_by_hand(400, *held_out))
    assert not isinstance(run("duplicate_batches", trace), Finding)


def order(epoch: int, **more: Any) -> dict[str, Any]:
    row = {
        "k": "order",
        "i": 10 * epoch,
        "loader": 0,
        "epoch": epoch,
        "n": 80,
        "distinct": 80,
        "print": 7,
        "sorted": False,
    }
    return row | more


def test_the_same_few_samples_in_the_same_order_are_found_by_their_indexes() -> None:
    """Augmentation makes the inputs of every epoch different."""
    fresh = [row for epoch in (1, 2, 3) for row in rows(*points(80, epoch), epoch=epoch)]

    def trace(orders: list[dict[str, Any]], size: int = 500) -> Trace:
        return make_trace(rows=[batch_row(), loader_row(len=size), *fresh, *orders])

    same = [order(e) for e in (1, 2, 3)]
    assert "same 80 of 500" in expect("duplicate_batches", trace(same)).why
    assert (
        "same 20 of 500" in expect("duplicate_batches", trace([order(e, distinct=20) for e in (1, 2, 3)])).why
    )
    assert run("duplicate_batches", trace([order(e, distinct=8) for e in (1, 2, 3)])) is None
    for silent in (
        same[:2],
        [order(e, print=e) for e in (1, 2, 3)],
        [order(e, sorted=True) for e in (1, 2, 3)],
    ):
        assert run("duplicate_batches", trace(silent)) is None
    assert run("duplicate_batches", trace(same, size=120)) is None


def test_a_pool_of_an_earlier_phase_says_nothing_of_this_one() -> None:
    later = [r | {"i": r["i"] + 200} if "h" in r else r for r in drawn_by_hand(300)]
    assert not isinstance(run("duplicate_batches", make_trace(rows=later)), Finding)
    expect("duplicate_batches", make_trace(rows=drawn_by_hand(300)))


def test_a_seed_that_comes_again_is_suspected_when_the_batches_come_again_too() -> None:
    def batch(i: int, turn: int) -> dict[str, Any]:
        return {
            "k": "ids",
            "i": i,
            "grad": True,
            "loader": None,
            "epoch": None,
            "h": [8 * turn + k for k in range(8)],
        }

    row = {"k": "seeded", "fn": "random.seed", "seed": 5, "at": [0, 4, 8], "n": 3, "site": 0}
    again = make_trace(rows=[batch_row(), row, *(batch(i, (i - 1) % 4) for i in range(1, 13))])
    finding = expect("duplicate_batches", again)
    assert finding.confidence == TENTATIVE
    assert interventions("duplicate_batches", again) == ({"name": "fresh_draws", "number": 5},)
    begun = {**row, "at": [0, 4, 8, 12], "n": 4}  # the first seed is the script's own
    first = [batch(i, 50 + i) for i in range(1, 5)]
    late = make_trace(rows=[batch_row(), begun, *first, *(batch(i, (i - 1) % 4) for i in range(5, 17))])
    assert expect("duplicate_batches", late).confidence == TENTATIVE
    other = make_trace(rows=[batch_row(), row, *(batch(i, i) for i in range(1, 13))])
    assert run("duplicate_batches", other) is None
    one = make_trace(rows=[batch_row(), row, *(batch(i, 0) for i in range(1, 13))])  # full-batch training
    assert run("duplicate_batches", one) is None


def by_hand(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [r | {"loader": None} for r in found]


def test_batches_of_copies_that_no_loader_made_are_found() -> None:
    inputs, labels = points(120, 1)
    batches = [k % 120 for b in range(30) for k in [4 * b, 4 * b + 1, 4 * b + 2, 4 * b + 3] * 5]
    truth = [labels[k] for k in batches]
    copied = by_hand(rows([inputs[k] for k in batches], truth, predictions=truth))
    held_out = by_hand(rows(*points(100, 2), grad=False))
    finding = expect("duplicate_batches", make_trace(rows=[batch_row(), *copied, *held_out]))
    assert "A batch of 20 holds 4 different samples" in finding.why
    assert (
        run("duplicate_batches", make_trace(rows=[batch_row(), *copied])) is None
    )  # equal inputs may be natural
    same = by_hand(rows(*(points(100, 2)[0] * 2, points(100, 2)[1] * 2), grad=False, size=200))
    assert run("duplicate_batches", make_trace(rows=[batch_row(), *copied, *same])) is None


def test_a_seed_before_every_step_leaves_one_batch() -> None:
    inputs, labels = points(32, 1)
    row = {"k": "seeded", "fn": "numpy.random.default_rng", "seed": 7, "at": [*range(8)], "n": 30, "site": 0}
    steps = [{**r, "i": i, "loader": None} for i in range(1, 31) for r in rows(inputs, labels)]
    again = make_trace(rows=[batch_row(), row, *steps])
    assert expect("duplicate_batches", again).confidence == TENTATIVE
    assert interventions("duplicate_batches", again) == ({"name": "fresh_draws", "number": 7},)
    other = [{**r, "h": [h + i for h in r["h"]]} if r["k"] == "ids" else r for i, r in enumerate(steps)]
    assert not isinstance(run("duplicate_batches", make_trace(rows=[batch_row(), row, *other])), Finding)


def test_the_same_samples_mixed_anew_are_found_where_the_same_seed_draws_them() -> None:
    orders = [order(e, i=10 * e, print=e, set=3) for e in (1, 2, 3)]
    fresh = [row for epoch in (1, 2, 3) for row in rows(*points(80, epoch), epoch=epoch)]
    seeded = {"k": "seeded", "fn": "torch.Generator", "seed": 9, "at": [0, 10, 20], "n": 3, "site": 5}
    common = [batch_row(), loader_row(len=500), *fresh, *orders]
    found = make_trace(rows=[*common, seeded])
    assert "after the same seed, 9" in expect("duplicate_batches", found).why
    assert interventions("duplicate_batches", found) == ({"name": "fresh_draws", "number": 9},)
    assert run("duplicate_batches", make_trace(rows=common)) is None, "a subset on purpose"
    elsewhere = {**seeded, "at": [3, 13, 23]}
    assert run("duplicate_batches", make_trace(rows=[*common, elsewhere])) is None


def test_copies_in_the_data_that_the_held_out_side_has_too_are_a_leak() -> None:
    inputs, labels = points(50, 1)
    copies = [batch_row(), *(loader_row(id=k, len=200) for k in (0, 1)), *rows(inputs * 4, labels * 4)]
    once = {
        "k": "order",
        "i": 10,
        "loader": 0,
        "epoch": 1,
        "n": 200,
        "distinct": 200,
        "print": 1,
        "sorted": False,
    }
    leak = rows(inputs[:40], labels[:40], grad=False, start=30)
    clean = rows(*points(40, 2), grad=False, start=30)
    assert isinstance(run("duplicate_batches", make_trace(rows=[*copies, once, *clean])), Finding)
    assert run("duplicate_batches", make_trace(rows=[*copies, once, *leak])) is None
    again = once | {"distinct": 50}
    assert isinstance(run("duplicate_batches", make_trace(rows=[*copies, again, *leak])), Finding)


def test_a_few_codes_with_labels_of_their_own_are_different_samples() -> None:
    """Matches of the same two clubs, which end now one way and now another."""
    pairs = [[float(k % 6), 10.0 * (k // 6 % 6)] for k in range(600)]

    def seen(inputs: list[list[float]], ends: list[int]) -> Finding | None:
        epochs = [row for epoch in (1, 2, 3) for row in rows(inputs, ends, epoch=epoch)]
        return run("duplicate_batches", make_trace(rows=[batch_row(), loader_row(len=600), *epochs]))

    assert seen(pairs, [k * 7 % 5 % 3 for k in range(600)]) is None
    assert seen(pairs, [k % 6 % 3 for k in range(600)]), "the same samples, whose labels come again too"
    assert seen([[a + 0.5, b] for a, b in pairs], [k * 7 % 5 % 3 for k in range(600)]), "measurements"
