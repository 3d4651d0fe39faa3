"""A sheet is markdown with seven front-matter lines and sections that can be fetched alone.

``## Heading {#section-id}`` opens a section; its first paragraph is one sentence, the section's
summary; ``Faults:`` names the faults it explains; ``References:`` closes it.
"""

from __future__ import annotations

import re
from functools import cached_property

from ..model import Frozen

KEYS = ("id", "title", "scope", "read_when", "not_when", "verified", "versions")
_HEADING = re.compile(r"^## (?P<title>.+?) \{#(?P<id>[a-z0-9]+(?:-[a-z0-9]+)*)\}$")
_FENCE = re.compile(r"^```(?P<info>[^\n]*)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
_FAULTS = re.compile(r"^Faults:(?P<ids>.*)$", re.MULTILINE)
_REFERENCES = re.compile(r"^References:(?P<text>.*)\Z", re.MULTILINE | re.DOTALL)
_CROSS = re.compile(r"`(?P<sheet>[a-z][a-z-]*)?#(?P<section>[a-z0-9-]+)`")


class CodeBlock(Frozen):
    """One fenced block: ``info`` is the text after the fence (``python``, ``python optional: cuda``)."""

    info: str
    code: str


class Section(Frozen):
    """One addressable part of a sheet; ``body`` is its markdown without the heading."""

    id: str
    title: str
    body: str

    @cached_property
    def summary(self) -> str:
        return " ".join(self.body.split("\n\n", 1)[0].split())

    @cached_property
    def faults(self) -> tuple[str, ...]:
        found = _FAULTS.search(self.body)
        return tuple(re.findall(r"`([a-z0-9_]+)`", found["ids"])) if found else ()

    @cached_property
    def references(self) -> str:
        found = _REFERENCES.search(self.body)
        return " ".join(found["text"].split()) if found else ""

    @cached_property
    def code(self) -> tuple[CodeBlock, ...]:
        return tuple(CodeBlock(info=m["info"].strip(), code=m["code"]) for m in _FENCE.finditer(self.body))

    @cached_property
    def cross_references(self) -> tuple[tuple[str | None, str], ...]:
        """Pairs (sheet, section); sheet is None for a section of the same sheet."""
        prose = _FENCE.sub("", self.body)
        return tuple((m["sheet"], m["section"]) for m in _CROSS.finditer(prose))

    @property
    def words(self) -> int:
        return len(self.body.split()) + len(self.title.split())


class Sheet(Frozen):
    """A parsed sheet: its front matter, its one-paragraph summary and its sections in order."""

    id: str
    title: str
    scope: str
    read_when: str
    not_when: str
    verified: str
    versions: str
    intro: str
    sections: tuple[Section, ...]


def parse_sheet(text: str) -> Sheet:
    """Parse one sheet; ValueError names what does not follow the format."""
    meta, rest = _front_matter(text)
    head, *parts = re.split(r"^(?=## )", rest, flags=re.MULTILINE)
    title, _, intro = head.strip().partition("\n")
    if title != f"# {meta['title']}":
        raise ValueError(f"heading {title!r} is not the front matter's title {meta['title']!r}")
    sections = tuple(_section(part) for part in parts)
    return Sheet(**meta, intro=" ".join(intro.split()), sections=sections)


def _front_matter(text: str) -> tuple[dict[str, str], str]:
    opening, _, rest = text.partition("---\n")
    block, closing, rest = rest.partition("\n---\n")
    if opening or not closing:
        raise ValueError("a sheet starts with front matter between two '---' lines")
    meta = {key: value.strip() for key, _, value in (line.partition(":") for line in block.splitlines())}
    if tuple(meta) != KEYS or not all(meta.values()):
        raise ValueError(f"front matter has {tuple(meta)}, expected {KEYS}, none empty")
    return meta, rest


def _section(part: str) -> Section:
    heading, _, body = part.partition("\n")
    found = _HEADING.match(heading)
    if not found:
        raise ValueError(f"heading {heading!r} has no section id: expected '## Title {{#section-id}}'")
    return Section(id=found["id"], title=found["title"], body=body.strip())
