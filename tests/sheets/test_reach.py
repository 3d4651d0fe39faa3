"""No section is an island: routes and faults lead to every sheet, a section page names its siblings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lossdoctor import routing
from lossdoctor.sheetbook import has_section, list_sheets, read_sheet, section_ids, sheet_ids

TABLES = sorted((Path(routing.__file__).parent / "tables").glob("*.toml"))


def _routed() -> set[tuple[str, str]]:
    """Every ``sheet#section`` that a routing table names."""
    text = "\n".join(table.read_text(encoding="utf-8") for table in TABLES)
    found = re.findall(r"\b([a-z][a-z-]+)#([a-z0-9-]+)", text)
    return {(sheet, section) for sheet, section in found if sheet in sheet_ids()}


def test_every_section_that_a_routing_table_names_exists() -> None:
    assert [address for address in sorted(_routed()) if not has_section(*address)] == []


@pytest.mark.parametrize("sheet", sheet_ids())
def test_routes_and_faults_lead_to_the_sheet_and_from_there_to_all_its_sections(sheet: str) -> None:
    explained = {(book.id, part.id) for book in list_sheets() for part in book.sections if part.faults}
    entrances = {section for name, section in _routed() | explained if name == sheet}
    assert entrances
    reached = entrances | {other for entrance in entrances for other in read_sheet(sheet, entrance).siblings}
    assert reached == set(section_ids(sheet))
