"""traces/recoded: categories of evaluation under other codes than in training."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.detectors.build import make_trace

from lossdoctor.traces.recoded import recoded

EFFECTS = [0.3, -1.4, 0.9, 1.8, -0.6, 0.1, -2.0, 1.2]
PLAIN = {k: float(k) for k in range(8)}
PER_FILE = {0: 0.0, 3: 1.0, 4: 2.0, 5: 3.0, 6: 4.0, 7: 5.0}  # levels 1 and 2 do not occur
TURNED = {k: float((3 * k + 1) % 8) for k in range(8)}


def side(
    codes: dict[int, float], *, grad: bool, classes: bool = False, whole: bool = False, noise: float = 0.5
) -> dict[str, Any]:
    draw = random.Random(int(grad) + 1)
    x, y = [], []
    for _ in range(900 if grad else 500):
        level = draw.choice(list(codes))
        value = EFFECTS[level] + draw.gauss(0, noise)
        x.append([draw.gauss(0, 1), codes[level]])
        y.append(int(value > 0) if classes else [value])
    row = {
        "k": "sample",
        "i": 1,
        "grad": grad,
        "loader": None,
        "epoch": 1,
        "shape": [2],
        "int": whole,
        "x": x,
        "y": y,
    }
    return {**row, "x": [[0.0] * 128 for _ in x], "codes": [[0, int(c)] for _, c in x]} if whole else row


@pytest.mark.parametrize("how", [{}, {"classes": True, "noise": 1.0}, {"whole": True}])
def test_levels_that_each_file_numbers_by_itself_are_told_with_what_they_stand_for(
    how: dict[str, Any],
) -> None:
    (column,) = recoded(make_trace(rows=[side(PLAIN, grad=True, **how), side(PER_FILE, grad=False, **how)]))
    assert column.column == 1
    assert column.codes == {0.0: 0.0, 1.0: 3.0, 2.0: 4.0, 3.0: 5.0, 4.0: 6.0, 5.0: 7.0}
    assert column.moved
    assert column.before < 0.5 < 0.8 < column.after


def test_levels_in_another_order_are_told_as_such() -> None:
    (column,) = recoded(make_trace(rows=[side(PLAIN, grad=True), side(TURNED, grad=False)]))
    assert not column.moved
    assert column.codes == {TURNED[k]: PLAIN[k] for k in range(8)}


def test_the_same_codes_are_silent() -> None:
    assert not recoded(make_trace(rows=[side(PLAIN, grad=True), side(PLAIN, grad=False)]))


def test_levels_that_say_nothing_about_the_labels_are_silent() -> None:
    far = {"noise": 9.0}
    assert not recoded(make_trace(rows=[side(PLAIN, grad=True, **far), side(TURNED, grad=False, **far)]))


def test_other_values_are_another_scale_not_other_codes() -> None:
    scaled = {k: c / 2.3 for k, c in PER_FILE.items()}
    assert not recoded(make_trace(rows=[side(PLAIN, grad=True), side(scaled, grad=False)]))


def test_levels_stand_for_those_that_fit_together_best_not_for_the_nearest_first() -> None:
    draw, means = random.Random(3), [-2.0, -1.0, 0.0, 1.0, 2.0]
    turned = [2, 3, 0, 4, 1]
    train = [(k % 5, means[k % 5] + draw.gauss(0, 0.3)) for k in range(600)]
    asked = [(turned[k % 5], 1.6 * means[k % 5] + draw.gauss(0, 0.3)) for k in range(300)]
    sides = [
        {**side(PLAIN, grad=grad), "x": [[0.0, float(c)] for c, _ in rows], "y": [[y] for _, y in rows]}
        for grad, rows in ((True, train), (False, asked))
    ]
    (column,) = recoded(make_trace(rows=sides))
    assert column.codes == {float(turned[k]): float(k) for k in range(5)}


def test_an_order_that_is_kept_only_beyond_the_known_codes_is_another_one() -> None:
    """Three of four levels follow each other as in training, the fourth would stand for a code that is not there."""
    levels = [0.9, -2.0, 2.0, -0.7]
    draw = random.Random(5)
    sides = []
    for grad, codes in ((True, [0, 1, 2, 3]), (False, [3, 0, 1, 2])):
        drawn = [draw.randrange(4) for _ in range(600)]
        x, y = [[float(codes[k])] for k in drawn], [[levels[k] + draw.gauss(0, 0.3)] for k in drawn]
        sides.append({**side(PLAIN, grad=grad), "shape": [1], "x": x, "y": y})
    (column,) = recoded(make_trace(rows=sides))
    assert not column.moved
    assert column.codes == {0.0: 1.0, 1.0: 2.0, 2.0: 3.0, 3.0: 0.0}


def test_a_rare_class_that_falls_among_neighbouring_levels_by_chance_is_no_other_code() -> None:
    """(rows of a rounded measurement, of them of the rare class): 14 of 256 held-out rows, evaluated four times."""
    train = [
        (4, 4),
        (11, 6),
        (35, 8),
        (76, 14),
        (153, 15),
        (221, 19),
        (239, 2),
        (139, 2),
        (90, 0),
        (40, 0),
        (15, 0),
    ]
    held = [(1, 0), (2, 0), (12, 7), (16, 4), (38, 3), (51, 0), (45, 0), (43, 0), (26, 0), (16, 0), (6, 0)]
    draw = random.Random(2)
    rows = []
    for grad, counts in ((True, train), (False, held)):
        pairs = [(float(c), int(k < rare)) for c, (n, rare) in enumerate(counts) for k in range(n)]
        draw.shuffle(pairs)
        x, y = [[draw.random(), c] for c, _ in pairs], [y for _, y in pairs]
        row = {**side(PLAIN, grad=grad, classes=True), "x": x, "y": y}
        rows += [{**row, "i": i} for i in range(1, 2 if grad else 5)]
    assert not recoded(make_trace(rows=rows))
