"""The phrase matcher."""

from __future__ import annotations

import pytest

from lossdoctor.routing.lexicon import Hit, Matcher, first_word, parse_phrase, phrases
from lossdoctor.routing.words import split


def found(text: str, **concepts: str) -> dict[str, list[Hit]]:
    matcher = Matcher(negatable=frozenset({"bad"}), owners=frozenset({"owner"}), strict=frozenset({"strict"}))
    for name, block in concepts.items():
        matcher.add(name, block)
    return matcher.find(split(text))


@pytest.mark.parametrize("text", ["out of memory", "Out of the memory!", "it ran out of memory today"])
def test_a_phrase_is_found_whatever_case_and_articles(text: str) -> None:
    assert "oom" in found(text, oom="out of memory")


def test_a_star_matches_any_ending() -> None:
    assert "osc" in found("heavily oscillating", osc="oscillat*")


def test_a_gap_skips_a_few_words_but_not_many() -> None:
    assert "x" in found("loss of head is nan", x="loss .. nan")
    assert "x" not in found("loss one two three four five nan", x="loss .. nan")


def test_a_negated_phrase_is_another_concept_where_that_makes_sense() -> None:
    assert set(found("no spikes", bad="spikes")) == {"!bad"}
    assert set(found("no spikes", other="spikes")) == {"other"}


def test_words_inside_a_longer_phrase_of_an_owner_have_no_other_meaning() -> None:
    hits = found("schedule-free adamw", owner="schedule free", sched="schedule")
    assert set(hits) == {"owner"}


def test_a_strict_phrase_skips_no_fillers() -> None:
    assert "strict" not in found("weights of the loss", strict="weight loss")
    assert "strict" in found("weight loss", strict="weight loss")


def test_a_phrase_does_not_cross_a_sentence() -> None:
    assert "x" not in found("loss. nan", x="loss nan")


def test_slashes_dots_and_underscores_separate_words_of_a_phrase() -> None:
    assert (
        len(parse_phrase("rewards/chosen"))
        == len(parse_phrase("model.eval"))
        == len(parse_phrase("load_state"))
        == 2
    )


def test_phrases_are_separated_by_bars_and_lines() -> None:
    assert phrases("a b | c\nd") == ["a b", "c", "d"]


def test_articles_do_not_index_a_phrase() -> None:
    assert first_word("the first step") == "first"
    assert first_word("the") == ""


def test_ideographs_in_a_phrase_are_words_of_their_own() -> None:
    found = Matcher(negatable=frozenset({"down"})).add("down", "下降").find(split("损失不下降怎么办"))
    assert list(found) == ["!down"]


def test_parentheses_in_a_phrase_are_passed_over() -> None:
    assert "mode" in Matcher().add("mode", "net.eval()").find(split("net.eval() -> 12%"))
