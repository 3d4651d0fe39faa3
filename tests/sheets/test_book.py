"""Sheets and sections are read by name, and a wrong name is answered with the right ones."""

from __future__ import annotations

import subprocess
import sys

import pytest

from lossdoctor.errors import SheetNotFound
from lossdoctor.sheetbook import has_section, read_sheet, section_ids, section_summary, sheet_ids, sheet_uri


def test_without_a_section_the_page_lists_the_sections_and_leaves_their_text_out() -> None:
    page = read_sheet("gradient-management")
    assert tuple(line.id for line in page.sections) == section_ids("gradient-management")
    assert "References:" not in page.text
    assert page.uri == "sheet://gradient-management"


def test_a_section_page_holds_the_section_and_opens_with_its_summary() -> None:
    page = read_sheet("gradient-management", "clipping")
    assert " ".join(page.text.split()).startswith(page.summary)
    assert page.uri == "sheet://gradient-management/clipping"
    assert page.sections == ()


@pytest.mark.parametrize(
    "written",
    [
        "gradient-management#clipping",
        "sheet://gradient-management/clipping",
        " gradient-management#clipping ",
    ],
)
def test_sheet_and_section_may_be_written_in_one_argument(written: str) -> None:
    assert read_sheet(written) == read_sheet("gradient-management", "clipping")


def test_detail_gives_the_whole_sheet() -> None:
    page = read_sheet("gradient-management", detail=True)
    assert all(f"{{#{section}}}" in page.text for section in section_ids("gradient-management"))
    assert page.tokens > 5 * read_sheet("gradient-management").tokens


def test_a_section_page_names_every_other_section_of_its_sheet() -> None:
    page = read_sheet("gradient-management", "clipping")
    assert set(page.siblings) | {"clipping"} == set(section_ids("gradient-management"))


def test_detail_on_a_section_adds_the_siblings_summaries() -> None:
    assert len(read_sheet("gradient-management", "clipping", detail=True).sections) >= 8


def test_an_unknown_sheet_is_answered_with_close_matches_and_the_list() -> None:
    with pytest.raises(SheetNotFound, match="did you mean gradient-management") as caught:
        read_sheet("gradient-managment")
    assert all(sheet in str(caught.value) for sheet in sheet_ids())


def test_an_unknown_section_is_answered_with_close_matches_and_the_list() -> None:
    with pytest.raises(SheetNotFound, match="did you mean clipping") as caught:
        read_sheet("gradient-management#cliping")
    assert "zeroing-gradients" in str(caught.value)


def test_a_path_as_a_name_reads_no_file() -> None:
    with pytest.raises(SheetNotFound):
        read_sheet("../../etc/passwd")


def test_a_very_long_name_is_quoted_shortened() -> None:
    with pytest.raises(SheetNotFound) as caught:
        read_sheet("x" * 5000)
    assert "x" * 100 not in str(caught.value)


def test_the_torch_version_adds_notes_to_the_page() -> None:
    assert read_sheet("gradient-management#clipping", torch_version="2.2.0").notes
    assert read_sheet("gradient-management#clipping").notes == ()


def test_names_can_be_checked_without_raising() -> None:
    assert has_section("gradient-management", "clipping")
    assert not has_section("gradient-management", "nothing")
    assert not has_section("nothing", "clipping")


def test_a_summary_is_the_opening_sentence_or_the_scope() -> None:
    assert (
        section_summary("gradient-management", "clipping")
        == read_sheet("gradient-management#clipping").summary
    )
    assert section_summary("gradient-management") == read_sheet("gradient-management").summary
    assert sheet_uri("a", "b") == "sheet://a/b"


def test_importing_the_sheetbook_reads_no_sheet_and_loads_no_database() -> None:
    code = """if True:
        import sys
        from lossdoctor.sheetbook.book import load_sheet
        print("sqlite3" in sys.modules, load_sheet.cache_info().misses)
    """
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.split() == ["False", "0"]
