"""Symbols and categories of evaluation that have other numbers than in training: what is said of them."""

from __future__ import annotations

from typing import NamedTuple

from ..model import Evidence, Trace
from ..traces.recoded import FOUND, recoded
from ..traces.symbols import ALIKE, MOSTLY, UNLIKE, renamed, unread
from ..traces.vocabularies import SAME, other_vocabulary
from .base import TENTATIVE, rounded

SURE = 0.85


class Told(NamedTuple):
    """What a finding says, how sure it is, and what speaks for it."""

    why: str
    confidence: float
    evidence: tuple[Evidence, ...]


def numbered_otherwise(trace: Trace, fits: str, limit: float) -> Told | None:
    """Of a model that fails in evaluation: ``fits`` tells how far, ``limit`` what would be enough."""
    told = _unread(trace) or _renamed(trace) or _recoded(trace) or _said_otherwise(trace)
    failed = Evidence(
        quantity="fit of training, of evaluation (0 chance, 1 perfect)", value=fits, threshold=limit
    )
    return told and told._replace(evidence=(*told.evidence, failed))


def _unread(trace: Trace) -> Told | None:
    seen = unread(trace)
    if seen is None:
        return None
    return Told(
        f"Most of evaluation is one symbol ({seen.symbol}) that training hardly has: its words are not read as there.",
        SURE,
        (
            Evidence(quantity=f"share of symbol {seen.symbol} in evaluation, padding left out",
                     value=rounded(seen.evaluation), threshold=MOSTLY),
            Evidence(quantity="the same, training", value=rounded(seen.train, 4)),
        ),
    )  # fmt: skip


def _renamed(trace: Trace) -> Told | None:
    other = renamed(trace)
    if other is None:
        return None
    return Told(
        "Symbols of evaluation come as often as those of training, but under other numbers: two vocabularies.",
        SURE,
        (
            Evidence(quantity="distance of the shares of symbols, training and evaluation (0 equal, 1 disjoint)",
                     value=rounded(other.before), threshold=UNLIKE),
            Evidence(quantity="the same, both in order of frequency", value=rounded(other.after), threshold=ALIKE),
        ),
    )  # fmt: skip


def _recoded(trace: Trace) -> Told | None:
    """Each file's levels were numbered by themselves; in any order but the same one this may be another population."""
    columns = recoded(trace)
    if not columns:
        return None
    first = columns[0]
    names = ", ".join(str(c.column) for c in columns[:6])
    return Told(
        f"Categories of evaluation stand under other codes than in training: column {names} (counted from 0).",
        SURE if first.moved else TENTATIVE,
        (
            Evidence(quantity=f"code of column {first.column} in evaluation and what it stands for in training",
                     value=", ".join(f"{a:g}: {b:g}" for a, b in [p for p in first.codes.items() if p[0] != p[1]][:6])),
            Evidence(quantity="of what evaluation's levels tell of its labels, the share that training's tell too, "
                              "as they are and put back",
                     value=f"{rounded(first.before)}, {rounded(first.after)}", threshold=FOUND),
        ),
    )  # fmt: skip


def _said_otherwise(trace: Trace) -> Told | None:
    words = other_vocabulary(trace)
    if words is None:
        return None
    return Told(
        "Symbols say other things about labels in evaluation than in training, and the same in both halves of either:"
        " two vocabularies.",
        SURE,
        (
            Evidence(quantity="correlation of what symbols say about labels, halves of a side",
                     value=rounded(words.within)),
            Evidence(quantity="the same between training and evaluation, relative to that",
                     value=rounded(words.between / words.within), threshold=SAME),
        ),
    )  # fmt: skip
