"""Phrase matcher: which concepts of the lexicon occur in a text, where, and whether negated."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from lossdoctor.routing.words import Word, fold, is_article, stem

_SPLIT = re.compile(r"[_/.:()]+|(?<=[\u4e00-\u9fff])(?=[\u4e00-\u9fff])")
"""Between the parts of a name, and between ideographs, each of which is a word."""
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
    """One element of a phrase: a stem, the beginning of a word, or a gap."""

    stem: str
    prefix: str
    gap: bool

    def fits(self, word: Word) -> bool:
        return word.raw.startswith(self.prefix) if self.prefix else word.stem == self.stem


Phrases = list[tuple[str, str]]
"""(phrase, concept) pairs."""


@dataclass
class Matcher:
    """An index of phrases by their first word, so that a text is read once.

    Phrases are sorted by their first two letters at once, by their first word when a text has such a word, and parsed
    when first tried: a complaint touches a small part of the ten thousand phrases.
    """

    negatable: frozenset[str] = frozenset()
    owners: frozenset[str] = frozenset()
    strict: frozenset[str] = frozenset()
    raw: dict[str, Phrases] = field(default_factory=lambda: defaultdict(list))
    by_letters: dict[str, tuple[dict[str, Phrases], Phrases]] = field(default_factory=dict)

    def add(self, name: str, block: str) -> Matcher:
        """Take in every phrase of a concept."""
        for phrase in fold(block).replace("\n", "|").split("|"):
            head = first_head(phrase)
            if head:
                plain = head[:2].isalnum() and head.isascii()
                self.raw[head[:2] if plain else first_word(head)[:2]].append((phrase, name))
        return self

    def starting(self, word: Word) -> Iterator[tuple[str, str]]:
        """The phrases whose first word may be ``word``."""
        letters = word.raw[:2]
        if letters not in self.by_letters:
            self.by_letters[letters] = _sorted(self.raw.get(letters, []))
        by_stem, open_ended = self.by_letters[letters]
        yield from by_stem.get(word.stem, ())
        yield from open_ended

    def find(self, words: Sequence[Word]) -> Hits:
        hits: Hits = defaultdict(list)
        for i, word in enumerate(words):
            for phrase, name in self.starting(word):
                end = _end_of(parse_phrase(phrase), words, i, 0 if name in self.strict else _FILLERS)
                if end:
                    hits[f"!{name}" if word.negated and name in self.negatable else name].append(Hit(i, end))
        return self._owned(hits)

    def _owned(self, hits: Hits) -> Hits:
        """Drop hits that lie strictly inside a longer phrase of an owner concept."""
        spans = [(name, h) for name in self.owners for h in hits.get(name, ()) if h.end - h.start > 1]
        kept = {name: [h for h in many if not _inside(name, h, spans)] for name, many in hits.items()}
        return {name: many for name, many in kept.items() if many}


def _inside(name: str, hit: Hit, spans: Sequence[tuple[str, Hit]]) -> bool:
    length = hit.end - hit.start
    return any(
        owner != name and span.start <= hit.start and hit.end <= span.end and length < span.end - span.start
        for owner, span in spans
    )


def phrases(block: str) -> list[str]:
    return [p.strip() for p in fold(block).replace("\n", "|").split("|") if p.strip()]


def first_head(phrase: str) -> str:
    """The first run of non-blanks that is no article, as written."""
    head, _, rest = phrase.strip().partition(" ")
    return first_head(rest) if rest and is_article(head) else "" if is_article(head) else head


def first_word(phrase: str) -> str:
    """The first word that is no article: what a phrase is found by."""
    head = first_head(phrase)
    return head if head.isalnum() and head.isascii() else _SPLIT.split(head, maxsplit=1)[0] or head


def _sorted(many: Phrases) -> tuple[dict[str, Phrases], Phrases]:
    """By the stem of the first word, and those whose first word is left open ('converg*')."""
    by_stem: dict[str, Phrases] = defaultdict(list)
    open_ended: Phrases = []
    for phrase, name in many:
        first = first_word(phrase)
        (open_ended if first.endswith("*") else by_stem[stem(first)]).append((phrase, name))
    return by_stem, open_ended


@lru_cache(maxsize=8192)
def parse_phrase(phrase: str) -> tuple[Piece, ...]:
    """'gpu .. idle' or 'out of memor*' -> pieces; snake_case, dotted and slashed names count as their words."""
    pieces: list[Piece] = []
    for chunk in phrase.split():
        if chunk == "..":
            pieces.append(Piece("", "", True))
            continue
        words = [w for w in _SPLIT.split(chunk) if w and not is_article(w)]
        pieces.extend(
            Piece("", w[:-1], False) if w.endswith("*") else Piece(stem(w), "", False) for w in words
        )
    return tuple(pieces)


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
