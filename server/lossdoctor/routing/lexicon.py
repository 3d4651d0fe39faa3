"""Phrase matcher: which concepts of the lexicon occur in a text, where, and whether negated."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lossdoctor.routing.words import Word, fold, is_article, stem

_GAP = 3
"""Words that '..' in a phrase may skip."""
_FILLERS = 2
"""Fillers in a row that a phrase may skip; phrases of strict concepts skip none."""


class Hit(NamedTuple):
    """A concept found at words [start, end)."""

    start: int
    end: int


Hits = dict[str, list[Hit]]


class Piece(NamedTuple):
    """One element of a phrase: a set of stems, a raw-word prefix, or a gap."""

    stems: frozenset[str]
    prefixes: tuple[str, ...]
    gap: bool

    def fits(self, word: Word) -> bool:
        return word.stem in self.stems or (bool(self.prefixes) and word.raw.startswith(self.prefixes))


@dataclass
class Matcher:
    """An index of phrases by their first word, so that a text is read once."""

    by_stem: dict[str, list[tuple[tuple[Piece, ...], str]]] = field(default_factory=lambda: defaultdict(list))
    by_start: dict[str, list[tuple[tuple[Piece, ...], str]]] = field(default_factory=lambda: defaultdict(list))
    negatable: frozenset[str] = frozenset()
    owners: frozenset[str] = frozenset()
    strict: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls, concepts: Mapping[str, str], negatable: Iterable[str] = (), owners: Iterable[str] = (), strict: Iterable[str] = ()
    ) -> Matcher:
        matcher = cls(negatable=frozenset(negatable), owners=frozenset(owners), strict=frozenset(strict))
        for name, block in concepts.items():
            for phrase in phrases(block):
                matcher.add(name, phrase)
        return matcher

    def add(self, name: str, phrase: str) -> None:
        pieces = parse_phrase(phrase)
        if not pieces:
            return
        for first in pieces[0].stems:
            self.by_stem[first].append((pieces, name))
        for prefix in pieces[0].prefixes:
            self.by_start[prefix[:2]].append((pieces, name))

    def find(self, words: Sequence[Word]) -> Hits:
        hits: Hits = defaultdict(list)
        for i, word in enumerate(words):
            for pieces, name in self._candidates(word):
                end = _end_of(pieces, words, i, 0 if name in self.strict else _FILLERS)
                if end:
                    hits[f"!{name}" if word.negated and name in self.negatable else name].append(Hit(i, end))
        return self._owned(hits)

    def _owned(self, hits: Hits) -> Hits:
        """Drop hits that lie strictly inside a longer phrase of an owner concept."""
        spans = [(name, h) for name in self.owners for h in hits.get(name, ()) if h.end - h.start > 1]
        kept = {name: [h for h in many if not _inside(name, h, spans)] for name, many in hits.items()}
        return {name: many for name, many in kept.items() if many}

    def _candidates(self, word: Word) -> Iterable[tuple[tuple[Piece, ...], str]]:
        yield from self.by_stem.get(word.stem, ())
        yield from self.by_start.get(word.raw[:2], ())


def _inside(name: str, hit: Hit, spans: Sequence[tuple[str, Hit]]) -> bool:
    length = hit.end - hit.start
    return any(
        owner != name and span.start <= hit.start and hit.end <= span.end and length < span.end - span.start
        for owner, span in spans
    )


def phrases(block: str) -> list[str]:
    return [p.strip() for p in block.replace("\n", "|").split("|") if p.strip()]


def parse_phrase(phrase: str) -> tuple[Piece, ...]:
    """'gpu (util*|use)' style phrases of the tables; alternatives are written (a/b)."""
    pieces: list[Piece] = []
    for word in _phrase_words(phrase):  # 'a/b' outside brackets is two words, as in a text
        if is_article(word):
            continue
        if word == "..":
            pieces.append(Piece(frozenset(), (), True))
            continue
        choice = word.startswith("(")
        options = [w for w in (word.strip("()").split("/") if choice else [word]) if w]
        stems = frozenset(stem(w) for w in options if not w.endswith("*"))
        prefixes = tuple(w[:-1] for w in options if w.endswith("*") and len(w) > 2)
        if stems or prefixes:
            pieces.append(Piece(stems, prefixes, False))
    return tuple(pieces)


def _phrase_words(phrase: str) -> list[str]:
    folded = fold(phrase).replace("_", " ")
    return [w for chunk in folded.split() for w in ([chunk] if chunk.startswith("(") else _plain_words(chunk))]


def _plain_words(chunk: str) -> list[str]:
    return [chunk] if chunk == ".." else [w for w in chunk.replace("/", " ").replace(".", " ").replace(":", " ").split() if w]


def _end_of(pieces: tuple[Piece, ...], words: Sequence[Word], start: int, fillers: int) -> int:
    """Index after the phrase if it matches at ``start``, else 0. A match stays inside one clause."""
    at, slack = start, 0
    for piece in pieces:
        if piece.gap:
            slack = _GAP
            continue
        at = _next_fit(piece, words, at, slack, fillers)
        slack = 0
        if not at:
            return 0
    return at


def _next_fit(piece: Piece, words: Sequence[Word], at: int, slack: int, fillers: int) -> int:
    """Index after the first fitting word from ``at``; skips a few fillers and ``slack`` other words."""
    clause = words[max(at - 1, 0)].clause
    while at < len(words) and words[at].clause == clause:
        if piece.fits(words[at]):
            return at + 1
        if words[at].filler and fillers:
            fillers -= 1
        elif slack:
            slack -= 1
        else:
            return 0
        at += 1
    return 0
