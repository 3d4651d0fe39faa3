"""Which torch calls changed when: turns a page and the user's torch version into short notes."""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from pathlib import Path

from ..model import Frozen

if sys.version_info >= (3, 11):
    import tomllib
else:  # pragma: no cover - the standard library has no TOML reader before 3.11
    import tomli as tomllib

Version = tuple[int, int]


class ChangedCall(Frozen):
    """One row of ``deprecated.toml``; versions are ``major.minor`` strings, absent where not applicable."""

    old: str
    new: str
    new_since: str | None = None
    deprecated: str | None = None
    removed: str | None = None
    mentions: tuple[str, ...] = ()
    instead: str = ""
    note: str = ""


@lru_cache(maxsize=1)
def changed_calls() -> tuple[ChangedCall, ...]:
    """All rows of the table."""
    table = tomllib.loads((Path(__file__).parent / "deprecated.toml").read_text(encoding="utf-8"))
    return tuple(ChangedCall(**row) for row in table["call"])


def version_notes(text: str, torch_version: str | None) -> tuple[str, ...]:
    """Notes for the calls that ``text`` mentions; none when the version is unknown or not readable."""
    have = parse_version(torch_version)
    if have is None:
        return ()
    mentioned = (call for call in changed_calls() if any(m in text for m in (call.mentions or (call.new,))))
    notes = (_note(call, have) for call in mentioned)
    return tuple(note for note in notes if note)


def parse_version(text: str | None) -> Version | None:
    """``"2.4.1+cu121"`` -> ``(2, 4)``; None when there is no number pair."""
    found = re.match(r"\D*(\d+)\.(\d+)", text or "")
    return (int(found[1]), int(found[2])) if found else None


def _note(call: ChangedCall, have: Version) -> str:
    yours = f"{have[0]}.{have[1]}"
    if _reached(call.removed, have):
        said = f"`{call.old}` was removed in torch {call.removed} (yours: {yours}); use `{call.new}`."
    elif call.new_since and not _reached(call.new_since, have):
        older = call.instead or f"use `{call.old}`"
        said = f"torch {yours} has no `{call.new}` (since {call.new_since}); there, {older}."
    elif _reached(call.deprecated, have):
        said = f"`{call.old}` is deprecated since torch {call.deprecated} (yours: {yours}); use `{call.new}`."
    else:
        return ""
    return f"{said} {call.note}".strip()


def _reached(version: str | None, have: Version) -> bool:
    wanted = parse_version(version)
    return wanted is not None and have >= wanted
