"""The fitted weights and what they see."""

from __future__ import annotations

import pytest

from lossdoctor.routing import tables, weights
from lossdoctor.routing.lexicon import Hit


def test_scope_vocabularies_are_seen_only_as_two_sums() -> None:
    seen = weights.features(["loss"], {"ml3": [Hit(0, 1)], "foreign2": [], "nonfinite": []}, {}, 6, 0)
    assert {name for name in seen if not name.startswith("(")} == {"'loss", "nonfinite", "ml", "foreign"}
    assert (seen["ml"], seen["foreign"]) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("ml", "foreign", "expected"),
    [(0, 0, {"(no ml)", "(neither)"}), (9, 0, set()), (3, 3, {"(any foreign)", "(mostly foreign)"})],
)
def test_what_scope_vocabulary_is_missing_is_a_feature(ml: float, foreign: float, expected: set[str]) -> None:
    seen = weights.features([], {}, {}, ml, foreign)
    scope = {"(no ml)", "(neither)", "(any foreign)", "(mostly foreign)"}
    assert {name for name in scope if seen[name]} == expected


def test_a_plea_of_three_words_is_short_and_a_log_is_long() -> None:
    plea, log = weights.features(["a"] * 3, {}, {}, 0, 0), weights.features(["a"] * 30, {}, {}, 0, 0)
    assert (plea["(short)"], plea["(long)"], log["(short)"], log["(long)"]) == (1.0, 0.0, 0.0, 1.0)


def test_the_top_class_is_a_feature_and_ties_go_to_the_first_name() -> None:
    assert "^a" in weights.features([], {}, {"b": 5, "a": 5}, 0, 0)


def test_every_weight_belongs_to_a_class() -> None:
    known = {*tables.classes(), "out_of_scope"}
    assert {cls for name in weights.table() for cls, _ in weights.row(name)} <= known


def test_unseen_features_change_nothing() -> None:
    assert weights.ranking({"'neverseenbefore": 1.0}) == {}


def test_a_weight_counts_with_its_value() -> None:
    name = next(name for name in weights.table() if weights.row(name))
    cls, weight = weights.row(name)[0]
    assert weights.ranking({name: 2.0})[cls] == 2 * weight
