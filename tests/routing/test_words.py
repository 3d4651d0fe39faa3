"""Tokens, stems, clauses and negation scope."""

from __future__ import annotations

import pytest

from lossdoctor.routing.words import fold, split, stem


@pytest.mark.parametrize(
    ("word", "expected"),
    [("spikes", "spik"), ("spiking", "spik"), ("losses", "loss"), ("loss", "loss"), ("clipping", "clip"),
     ("gpu", "gpu"), ("speed", "speed"), ("batches", "batch"), ("bf16", "bf16"), ("densities", "density")],
)  # fmt: skip
def test_forms_of_a_word_share_a_stem(word: str, expected: str) -> None:
    assert stem(word).rstrip("e") == expected.rstrip("e") or stem(word) in (expected, f"{expected}e")


def test_snake_case_is_read_as_its_words() -> None:
    assert [w.raw for w in split("grad_norm")] == ["grad", "norm"]


def test_a_negation_reaches_a_few_words_and_stops_at_but() -> None:
    words = {w.raw: w.negated for w in split("no nans but spikes")}
    assert words["nans"]
    assert not words["spikes"]


def test_a_sentence_end_starts_a_clause_and_a_decimal_point_does_not() -> None:
    words = split("loss is 2.3026. accuracy 0.10")
    assert [w.clause for w in words if w.raw in ("2.3026", "accuracy")] == [0, 1]


def test_contractions_count_as_negations() -> None:
    assert [w.negated for w in split("it doesn't decrease") if w.raw == "decrease"] == [True]


def test_a_dotted_name_stays_in_its_clause() -> None:
    assert {w.clause for w in split("model.eval() gives noise")} == {0}


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    assert len(split("loss " * 5000)) < 1000


def test_accents_and_the_greek_mu_are_folded() -> None:
    assert fold("La pérdida no baja, µP") == "la perdida no baja, mup"


@pytest.mark.parametrize("text", ["validation error", "held-out error", "mean squared error", "test error"])
def test_an_error_that_is_measured_is_no_exception(text: str) -> None:
    assert "loss" in {w.raw for w in split(text)}


@pytest.mark.parametrize("text", ["test error message", "an error in training", "value error"])
def test_other_errors_stay_errors(text: str) -> None:
    assert "error" in {w.raw for w in split(text)}
