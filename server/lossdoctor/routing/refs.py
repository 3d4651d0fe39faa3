"""Table entries -> Refs with section, address, reason and one-sentence summary."""

from __future__ import annotations

from functools import lru_cache

from lossdoctor.model import Ref
from lossdoctor.routing import tables


@lru_cache(maxsize=512)
def ref(entry: str) -> Ref:
    """'sheet#section | why' or 'pack/sheet | why'."""
    target, _, why = (part.strip() for part in entry.partition("|"))
    name, _, section = target.partition("#")
    if name in tables.sheets():
        return Ref(
            id=name,
            section=section or None,
            uri=_uri(name, section),
            why=why,
            summary=_summary(name, section),
        )
    pack, _, sheet = target.partition("/")
    return Ref(id=pack, kind="pack", section=sheet or None, why=why, summary=pack_note(pack))


def _uri(name: str, section: str) -> str:
    return f"sheet://{name}/{section}" if section else f"sheet://{name}"


def _summary(name: str, section: str) -> str:
    """The section's own sentence when the sheets are at hand, else the sheet's."""
    try:
        from lossdoctor.sheetbook import section_summary

        return section_summary(name, section) if section else tables.sheets()[name]
    except Exception:  # a missing section must not break a route; the drift test reports it
        return tables.sheets()[name]


def pack_note(name: str) -> str:
    """Scope, what to look at first, and that only the host knows whether the pack is installed."""
    pack = tables.packs()[name]
    first = "; ".join(f"{i}) {line}" for i, line in enumerate(pack.stub, 1))
    return f"{pack.scope}. Skill {pack.skill} if your host lists it (not visible from here). Else first: {first}."
