"""Text -> words: lower case, light stemming, fillers marked, negation scope and clauses marked."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

_TOKEN = re.compile(
    r"\d+(?:\.\d+)?e[-+]?\d+|\d+\.\d+|[a-z0-9@_+#]*[a-z][a-z0-9@_+#]*(?:['’][a-z]+)?|\d+|[\u4e00-\u9fff]|[%,;:!?()\n]|\.(?=\s|$)"
)
# "Validation error" is a measured quantity, as a loss is; alone "error" is an exception.
_MEASURED_ERROR = re.compile(
    r"\b(val|validation|test|train|training|dev|held[- ]?out|holdout|eval|evaluation|generali[sz]ation|prediction"
    r"|reconstruction|forecast|approximation|squared|absolute|relative|rms|mean|median)([- ])error\b"
    r"(?! (out|message|log|code))"
)
_CLAUSE_END = frozenset(".;!?\n")
_ARTICLE = frozenset(
    ["a", "an", "the", "my", "our", "your", "this", "that", "these", "those", "its", "their"]
)
_FILLER = _ARTICLE | frozenset(
    [
        "some",
        "any",
        "very",
        "quite",
        "really",
        "just",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "am",
        "i",
        "me",
        "we",
        "us",
        "you",
        "it",
        "they",
        "to",
        "so",
        "also",
        "still",
        "only",
        "even",
        "too",
        "rather",
        "there",
        "here",
        "do",
        "does",
        "did",
        "has",
        "have",
        "had",
        "having",
        "will",
        "would",
        "shall",
        "may",
        "might",
        "become",
        "becomes",
        "became",
        "becoming",
        "get",
        "gets",
        "got",
        "getting",
        "with",
        "for",
        "of",
        "in",
        "on",
        "as",
        "and",
        "if",
        "seem",
        "seems",
        "seemed",
        "about",
        "actually",
        "already",
        "now",
        "please",
        "by",
        "from",
        "into",
        "keep",
        "keeps",
        "kept",
        "all",
    ]
)
"""Words that a phrase may skip in the text; articles are dropped from the phrases too."""
_NEGATION = frozenset(
    [
        "not",
        "no",
        "never",
        "without",
        "neither",
        "nor",
        "nothing",
        "none",
        "cannot",
        "cant",
        "dont",
        "doesnt",
        "didnt",
        "isnt",
        "wasnt",
        "arent",
        "wont",
        "hardly",
        "barely",
        "neednt",
        "havent",
        "hasnt",
        "couldnt",
        "shouldnt",
        "wouldnt",
        "aint",
        "nope",
        "不",
        "没",
    ]
)
_SCOPE = 4
_VOWEL = re.compile(r"[aeiouy]")


class Word(NamedTuple):
    """One word: its stem, the raw form, its clause, whether a negation reaches it, whether phrases may skip it."""

    stem: str
    raw: str
    clause: int
    negated: bool
    filler: bool


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A deliberately light stemmer: plurals, -ing, -ed, final e. Both sides of a comparison go through it."""
    if len(word) <= 3 or not word.isascii() or word[0].isdigit() or "_" in word:
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for suffix in ("ing", "ed"):
        base = word[: -len(suffix)]
        if word.endswith(suffix) and len(base) >= 3 and _VOWEL.search(base) and not word.endswith("eed"):
            word = _undouble(base)
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def _undouble(base: str) -> str:
    return base[:-1] if base[-1] == base[-2] and base[-1] not in "lsz" else base


def fold(text: str) -> str:
    """Lower case, compatibility forms without accents, plain apostrophes removed from contractions."""
    plain = text.lower()
    if not plain.isascii():
        apart = unicodedata.normalize("NFKD", plain)
        plain = unicodedata.normalize("NFC", "".join(c for c in apart if not unicodedata.combining(c)))
        plain = plain.replace("\u03bc", "mu")  # as in the name of the width parametrisation
    return re.sub(r"(?<=[a-z])['’´`](?=[a-z])", "", plain)


def is_article(word: str) -> bool:
    return word in _ARTICLE


def split(text: str) -> list[Word]:
    """Words of a complaint in order. Text is bounded: only the first 4,000 characters are read."""
    words: list[Word] = []
    clause = reach = 0
    for raw in _TOKEN.findall(_MEASURED_ERROR.sub(r"\1\2loss", fold(text[:4000]))):
        if raw in _CLAUSE_END or raw in ",()":
            clause += raw in _CLAUSE_END
            reach = 0
        elif raw in _NEGATION or raw == "but":
            words.append(Word(stem(raw), raw, clause, False, False))
            reach = 0 if raw == "but" else _SCOPE
        elif raw not in "%:":
            filler = raw in _FILLER
            words.extend(_parts(raw, clause, reach > 0, filler))
            reach -= not filler
    return words


def _parts(raw: str, clause: int, negated: bool, filler: bool) -> list[Word]:
    """snake_case names count as their words too: 'grad_norm' is 'grad norm'."""
    pieces = [p for p in raw.split("_") if p] if "_" in raw else [raw]
    return [Word(stem(p), p, clause, negated, filler) for p in pieces]
