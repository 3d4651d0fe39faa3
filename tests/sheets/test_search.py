"""Sections are found from fault ids, technical words and a user's own words."""

from __future__ import annotations

import pytest

from lossdoctor.sheetbook import search_sheets, sections_of_fault

OWN_WORDS = [
    ("forgot optimizer.zero_grad", "gradient-management#zeroing-gradients"),
    ("clip grad norm before unscale", "gradient-management#clipping"),
    ("loss is NaN, which op produced it", "gradient-management#non-finite-values"),
    ("learning rate warm-up steps for a transformer", "learning-rate-scheduling#warmup"),
    ("scheduler.step called per batch instead of per epoch", "learning-rate-scheduling#schedule-faults"),
    ("the head's weights are not in the optimizer", "optimization-algorithms#what-the-optimizer-holds"),
]


def _addresses(query: str, limit: int = 5) -> list[str]:
    return [f"{hit.sheet}#{hit.section}" for hit in search_sheets(query, limit)]


@pytest.mark.parametrize("fault", ["missing_zero_grad", "lr_too_high", "wrong_optimizer_hyperparameter"])
def test_a_fault_id_finds_the_section_that_explains_it_first(fault: str) -> None:
    assert _addresses(fault)[0] in sections_of_fault(fault)


@pytest.mark.parametrize(("query", "address"), OWN_WORDS)
def test_a_users_words_find_the_section_among_the_first_three(query: str, address: str) -> None:
    assert address in _addresses(query, 3)


def test_hits_come_best_first_with_summary_and_address() -> None:
    hits = search_sheets("gradient clipping threshold")
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(hit.summary.endswith(".") and hit.uri == f"sheet://{hit.sheet}/{hit.section}" for hit in hits)


def test_the_limit_holds() -> None:
    assert len(search_sheets("gradient", limit=2)) == 2
    assert search_sheets("gradient", limit=0) == ()


@pytest.mark.parametrize(
    "query", ["", "   ", "the of and", "\u00fc\u00df", '"); DROP TABLE sections; --', "NEAR(a b) * ^ {x}"]
)
def test_a_query_without_usable_words_or_with_query_syntax_does_no_harm(query: str) -> None:
    assert isinstance(search_sheets(query), tuple)
    assert search_sheets("gradient")


def test_a_word_that_occurs_nowhere_finds_nothing() -> None:
    assert search_sheets("zzzqqqxxx") == ()
