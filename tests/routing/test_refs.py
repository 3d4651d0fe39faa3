"""Table entries -> Refs."""

from __future__ import annotations

from lossdoctor.routing import tables
from lossdoctor.routing.refs import pack_note, ref


def test_a_sheet_ref_has_address_reason_and_the_sections_own_sentence() -> None:
    found = ref("gradient-management#clipping | because")
    assert (found.id, found.section, found.uri) == (
        "gradient-management",
        "clipping",
        "sheet://gradient-management/clipping",
    )
    assert found.why == "because"
    assert found.summary != tables.sheets()["gradient-management"]


def test_a_missing_section_falls_back_to_the_sheets_sentence() -> None:
    assert ref("gradient-management#no-such-section | x").summary == tables.sheets()["gradient-management"]


def test_a_pack_ref_names_the_packs_sheet() -> None:
    found = ref("deep-rl/rl-debugging | x")
    assert (found.id, found.kind, found.section) == ("deep-rl", "pack", "rl-debugging")


def test_a_pack_note_says_that_installation_is_not_visible_and_gives_three_lines() -> None:
    note = pack_note("ml-production")
    assert "not visible" in note
    assert [mark in note for mark in ("1)", "2)", "3)")] == [True] * 3
