"""The specialist sheets: read a section, list them, find one from words or a fault id."""

from __future__ import annotations

from .book import (
    SectionLine,
    SheetPage,
    estimate_tokens,
    has_section,
    list_sheets,
    read_sheet,
    section_ids,
    section_summary,
    sheet_ids,
    sheet_uri,
)
from .search import SheetHit, search_sheets, sections_of_fault

__all__ = [
    "SectionLine",
    "SheetHit",
    "SheetPage",
    "estimate_tokens",
    "has_section",
    "list_sheets",
    "read_sheet",
    "search_sheets",
    "section_ids",
    "section_summary",
    "sections_of_fault",
    "sheet_ids",
    "sheet_uri",
]
