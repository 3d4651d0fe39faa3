"""Cue expressions and their scores."""

from __future__ import annotations

from lossdoctor.routing.cues import holds, parse_cue, parse_cues, scores
from lossdoctor.routing.lexicon import Hit


def test_terms_alternatives_nearness_and_absence_are_parsed() -> None:
    cue = parse_cue("8 loss/grad ~ nan epoch -data")
    assert cue.weight == 8
    assert cue.present == (("loss", "grad"), ("nan",), ("epoch",))
    assert cue.near == ((0, 1),)
    assert cue.absent == ("data",)


def test_near_terms_must_be_near() -> None:
    cue = parse_cue("8 loss ~ nan")
    assert holds(cue, {"loss": [Hit(0, 1)], "nan": [Hit(3, 4)]})
    assert not holds(cue, {"loss": [Hit(0, 1)], "nan": [Hit(40, 41)]})


def test_an_absent_term_forbids_the_cue() -> None:
    assert not holds(parse_cue("8 loss -val"), {"loss": [Hit(0, 1)], "val": [Hit(1, 2)]})


def test_the_strongest_cue_counts_fully_and_the_rest_in_part() -> None:
    table = {"a": parse_cues("8 loss\n4 nan")}
    assert scores(table, {}, {"loss": [Hit(0, 1)], "nan": [Hit(1, 2)]}) == {"a": 8 + 0.35 * 4}


def test_hints_add_a_little_and_only_a_few_count() -> None:
    hits = {"hint:a": [Hit(i, i + 1) for i in range(9)]}
    assert scores({"a": ()}, {"a": "hint:a"}, hits) == {"a": 3.0}


def test_a_class_without_any_evidence_has_no_score() -> None:
    assert scores({"a": parse_cues("8 loss")}, {}, {}) == {}
