"""Every sheet keeps the format that lets an agent fetch one section and pay for nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lossdoctor.data import data_dir
from lossdoctor.sheetbook import estimate_tokens, has_section, read_sheet, section_ids, sheet_ids
from lossdoctor.sheetbook.book import load_sheet
from lossdoctor.sheetbook.parse import Section, parse_sheet

MAX_LINES, MAX_WORDS, MAX_SUMMARY_WORDS = 350, 450, 28
MAX_TOKENS_OF_ALL, MAX_TOKENS_OF_A_SUMMARY_PAGE = 45_000, 700
SECTIONS = [(sheet, section) for sheet in sheet_ids() for section in section_ids(sheet)]


def _section(sheet: str, section: str) -> Section:
    return next(part for part in load_sheet(sheet).sections if part.id == section)


def _source(sheet: str) -> Path:
    return data_dir("sheets") / f"{sheet}.md"


@pytest.mark.parametrize("sheet", sheet_ids())
def test_a_sheet_is_named_like_its_file_and_fits_one_reading_window(sheet: str) -> None:
    assert load_sheet(sheet).id == sheet
    assert len(_source(sheet).read_text(encoding="utf-8").splitlines()) <= MAX_LINES
    assert 8 <= len(section_ids(sheet)) <= 13


@pytest.mark.parametrize("sheet", sheet_ids())
def test_section_ids_of_a_sheet_are_unique(sheet: str) -> None:
    ids = section_ids(sheet)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(("sheet", "section"), SECTIONS)
def test_a_section_opens_with_one_short_sentence(sheet: str, section: str) -> None:
    summary = _section(sheet, section).summary
    assert summary.endswith(".")
    assert len(summary.split()) <= MAX_SUMMARY_WORDS
    assert not re.search(r"\*\*|^[-|#`]|[.!?] [A-Z]", summary)


@pytest.mark.parametrize(("sheet", "section"), SECTIONS)
def test_a_section_stays_short_enough_to_be_fetched_alone(sheet: str, section: str) -> None:
    assert _section(sheet, section).words <= MAX_WORDS


@pytest.mark.parametrize(("sheet", "section"), SECTIONS)
def test_a_section_ends_with_dated_or_linked_references(sheet: str, section: str) -> None:
    references = _section(sheet, section).references
    assert re.search(r"\b(19|20)\d\d\b|https://", references)


@pytest.mark.parametrize(("sheet", "section"), SECTIONS)
def test_a_section_points_only_at_sections_that_exist(sheet: str, section: str) -> None:
    targets = [(other or sheet, part) for other, part in _section(sheet, section).cross_references]
    assert [target for target in targets if not has_section(*target)] == []


@pytest.mark.parametrize("sheet", sheet_ids())
def test_front_matter_points_only_at_sections_that_exist(sheet: str) -> None:
    book = load_sheet(sheet)
    text = f"{book.scope} {book.read_when} {book.not_when} {book.intro}"
    targets = re.findall(r"([a-z][a-z-]+)#([a-z0-9-]+)", text)
    assert [target for target in targets if not has_section(*target)] == []


@pytest.mark.parametrize("sheet", sheet_ids())
def test_the_summary_page_stays_within_its_token_budget(sheet: str) -> None:
    assert read_sheet(sheet).tokens <= MAX_TOKENS_OF_A_SUMMARY_PAGE


def test_all_sheets_together_stay_within_their_token_budget() -> None:
    texts = [_source(sheet).read_text(encoding="utf-8") for sheet in sheet_ids()]
    assert sum(map(estimate_tokens, texts)) < MAX_TOKENS_OF_ALL


def test_a_heading_without_an_id_is_refused_with_its_text() -> None:
    text = _source("gradient-management").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="Clipping"):
        parse_sheet(text.replace(" {#clipping}", ""))


def test_front_matter_with_a_missing_key_is_refused() -> None:
    text = _source("gradient-management").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="front matter"):
        parse_sheet(re.sub(r"^verified: .*\n", "", text, flags=re.MULTILINE))
