"""The ten sheets, read once, and the pages that tools, resources and the command line show."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache

from ..data import data_dir
from ..errors import SheetNotFound
from ..model import Frozen
from .parse import Section, Sheet, parse_sheet
from .versions import version_notes

# cl100k_base needs about one token per 3.54 characters of these sheets (code, tables and arXiv ids included).
_CHARACTERS_PER_TOKEN = 3.54


class SectionLine(Frozen):
    """A section in a list: enough to decide whether to fetch it."""

    id: str
    summary: str


class SheetPage(Frozen):
    """What ``read_sheet`` returns: a section, or a sheet's summary with the list of its sections.

    ``siblings`` are the ids of the other sections of the sheet, so that each is one call away from any.
    """

    sheet: str
    section: str | None = None
    title: str
    summary: str
    text: str
    sections: tuple[SectionLine, ...] = ()
    siblings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    verified: str
    versions: str
    uri: str
    tokens: int


def sheet_ids() -> tuple[str, ...]:
    """Ids of all sheets, in alphabetical order; reads no file's content."""
    return tuple(sorted(path.stem for path in data_dir("sheets").glob("*.md")))


@cache
def load_sheet(sheet: str) -> Sheet:
    """The parsed sheet; SheetNotFound with close matches when there is none of that name."""
    if sheet not in sheet_ids():
        raise _not_found(sheet, sheet_ids(), where="sheets")
    return parse_sheet((data_dir("sheets") / f"{sheet}.md").read_text(encoding="utf-8"))


def list_sheets() -> tuple[Sheet, ...]:
    """All sheets, parsed."""
    return tuple(load_sheet(sheet) for sheet in sheet_ids())


def section_ids(sheet: str) -> tuple[str, ...]:
    """Section ids of a sheet in reading order."""
    return tuple(section.id for section in load_sheet(sheet).sections)


def has_section(sheet: str, section: str) -> bool:
    """Whether ``sheet#section`` exists; never raises."""
    return sheet in sheet_ids() and section in section_ids(sheet)


def section_summary(sheet: str, section: str | None = None) -> str:
    """The one sentence that opens a section, or the sheet's scope when no section is named."""
    return _find(load_sheet(sheet), section).summary if section else load_sheet(sheet).scope


def sheet_uri(sheet: str, section: str | None = None) -> str:
    """Resource address of a sheet or section."""
    return f"sheet://{sheet}/{section}" if section else f"sheet://{sheet}"


def read_sheet(
    sheet: str, section: str | None = None, detail: bool = False, torch_version: str | None = None
) -> SheetPage:
    """A section's page, or the sheet's summary and section list when no section is named.

    ``sheet`` may be written ``sheet#section``. ``detail`` adds the whole text to a sheet's page and the
    sibling sections to a section's page. ``torch_version`` (``"2.4.1+cu121"``) adds notes on calls that
    are named in the text but missing, deprecated or removed in that version. Raises SheetNotFound.
    """
    name, _, fragment = sheet.strip().removeprefix("sheet://").replace("/", "#").partition("#")
    book = load_sheet(name)
    wanted = (section or fragment).strip().lstrip("#")
    page = _section_page(book, _find(book, wanted), detail) if wanted else _summary_page(book, detail)
    return page.model_copy(update={"notes": version_notes(page.text, torch_version)})


def estimate_tokens(text: str) -> int:
    """Size of a text in tokens, within about 10 % of cl100k_base for these sheets."""
    return round(len(text) / _CHARACTERS_PER_TOKEN)


def _section_page(book: Sheet, part: Section, detail: bool) -> SheetPage:
    return SheetPage(
        sheet=book.id,
        section=part.id,
        title=part.title,
        summary=part.summary,
        text=part.body,
        sections=_lines(book) if detail else (),
        siblings=tuple(other.id for other in book.sections if other.id != part.id),
        verified=book.verified,
        versions=book.versions,
        uri=sheet_uri(book.id, part.id),
        tokens=estimate_tokens(part.body),
    )


def _summary_page(book: Sheet, detail: bool) -> SheetPage:
    text = book.intro if not detail else "\n\n".join([book.intro, *map(_whole, book.sections)])
    summaries = "" if detail else "\n".join(f"{line.id}: {line.summary}" for line in _lines(book))
    return SheetPage(
        sheet=book.id,
        title=book.title,
        summary=book.scope,
        text=text,
        sections=() if detail else _lines(book),
        verified=book.verified,
        versions=book.versions,
        uri=sheet_uri(book.id),
        tokens=estimate_tokens(text + summaries),
    )


def _lines(book: Sheet) -> tuple[SectionLine, ...]:
    return tuple(SectionLine(id=part.id, summary=part.summary) for part in book.sections)


def _whole(part: Section) -> str:
    return f"## {part.title} {{#{part.id}}}\n\n{part.body}"


def _find(book: Sheet, section: str) -> Section:
    for part in book.sections:
        if part.id == section:
            return part
    raise _not_found(section, tuple(part.id for part in book.sections), where=book.id)


def _not_found(name: str, known: tuple[str, ...], where: str) -> SheetNotFound:
    close = get_close_matches(name, known, n=3, cutoff=0.5)
    guess = f"did you mean {' or '.join(close)}? " if close else ""
    what = "sheet" if where == "sheets" else "section"
    return SheetNotFound(f"no {what} {name[:60]!r}", where=where, hint=f"{guess}known: {', '.join(known)}")
