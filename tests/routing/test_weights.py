"""The fitted weights and what they see."""

from __future__ import annotations

from lossdoctor.routing import tables, weights
from lossdoctor.routing.lexicon import Hit


def test_scope_vocabularies_are_seen_only_as_two_sums() -> None:
    seen = weights.features(["loss"], {"ml3": [Hit(0, 1)], "foreign2": [], "nonfinite": []}, {}, 6, 0, False)
    assert seen == {
        "'loss": 1.0,
        "nonfinite": 1.0,
        "ml": 1.0,
        "foreign": 0.0,
        "elsewhere": 0.0,
        weights.BIAS: 1.0,
    }


def test_the_top_class_is_a_feature_and_ties_go_to_the_first_name() -> None:
    assert "^a" in weights.features([], {}, {"b": 5, "a": 5}, 0, 0, False)


def test_every_weight_belongs_to_a_class() -> None:
    known = {*tables.classes(), "out_of_scope"}
    assert {cls for name in tables.raw("weights")["weights"] for cls, _ in weights.row(name)} <= known


def test_unseen_features_change_nothing() -> None:
    assert weights.ranking({"'neverseenbefore": 1.0}) == {}


def test_a_weight_counts_with_its_value() -> None:
    name = next(name for name in tables.raw("weights")["weights"] if weights.row(name))
    cls, weight = weights.row(name)[0]
    assert weights.ranking({name: 2.0})[cls] == 2 * weight
