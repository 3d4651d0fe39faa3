"""Notes on changed torch calls follow the user's version."""

from __future__ import annotations

import pytest

from lossdoctor.sheetbook.versions import ChangedCall, changed_calls, parse_version, version_notes

TEXT = "Build `scaler = torch.amp.GradScaler()` once."


@pytest.mark.parametrize(
    ("text", "version"),
    [("2.13.0+cpu", (2, 13)), ("2.4", (2, 4)), ("v2.6.0a0+git", (2, 6)), ("nightly", None), (None, None)],
)
def test_a_version_is_read_from_what_torch_reports(text: str | None, version: tuple[int, int] | None) -> None:
    assert parse_version(text) == version


def test_an_old_torch_is_told_the_older_call() -> None:
    (note,) = version_notes(TEXT, "2.2.2")
    assert note.startswith("torch 2.2 has no `torch.amp.GradScaler`")
    assert "torch.cuda.amp.GradScaler" in note


def test_a_new_torch_is_told_what_is_deprecated() -> None:
    (note,) = version_notes(TEXT, "2.13.0+cpu")
    assert "deprecated since torch 2.4" in note


def test_between_arrival_and_deprecation_nothing_needs_saying() -> None:
    assert version_notes(TEXT, "2.3.1") == ()


def test_a_text_without_the_call_gets_no_note() -> None:
    assert version_notes("Clip after unscaling.", "2.13.0") == ()


def test_an_unknown_version_gets_no_note() -> None:
    assert version_notes(TEXT, None) == ()


@pytest.mark.parametrize("call", changed_calls(), ids=lambda call: str(call.old))
def test_every_row_has_versions_in_order(call: ChangedCall) -> None:
    order = [parse_version(v) for v in (call.new_since, call.deprecated, call.removed) if v]
    assert order
    assert None not in order
    assert order == sorted(order, key=str) or order == sorted(v for v in order if v)
