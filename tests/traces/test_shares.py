"""How many training samples are of a class by their inputs."""

from __future__ import annotations

from collections import Counter

from lossdoctor.traces.data import Agreement, Neighbourhood, Point, Sampled
from lossdoctor.traces.shares import Share, misstated


def side(here: int, there: int) -> tuple[Point, ...]:
    """So many inputs at one place and at another."""
    return tuple((10.0 * (k >= here), 1e-3 * k) for k in range(here + there))


def told(train: tuple[int, int], labelled: int, table: dict[tuple[float, float], int]) -> Share | None:
    """Training inputs that look like class 0 and like class 1, of which so many are labelled 0, and how often the votes
    of held-out neighbours are right.
    """
    counts = [sum(n for (y, _), n in table.items() if y == label) for label in (0.0, 1.0)]
    labels = tuple(0.0 if k < labelled else 1.0 for k in range(sum(train)))
    held = Sampled(side(counts[0], counts[1]), (0.0,) * counts[0] + (1.0,) * counts[1])
    own = Agreement(0.8, 0.6, sum(counts), Counter(table))
    return misstated(Neighbourhood(Sampled(side(*train), labels), held, None, own, None))


def test_a_class_that_others_are_counted_as_is_told() -> None:
    share = told((30, 290), 170, {(0.0, 0.0): 80, (0.0, 1.0): 4, (1.0, 1.0): 200, (1.0, 0.0): 4})
    assert share is not None
    assert (share.label, share.told) == (0.0, 170 / 320)
    assert share.inferred < 0.1


def test_labels_that_are_as_their_inputs_are_right() -> None:
    assert told((30, 290), 30, {(0.0, 0.0): 80, (0.0, 1.0): 4, (1.0, 1.0): 200, (1.0, 0.0): 4}) is None


def test_votes_that_are_often_wrong_tell_a_share_within_a_wide_margin_only() -> None:
    assert told((30, 290), 54, {(0.0, 0.0): 21, (0.0, 1.0): 12, (1.0, 1.0): 174, (1.0, 0.0): 13}) is None
