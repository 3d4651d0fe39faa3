"""Cue expressions of cues.toml: parsed once, scored against the concepts found in a text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from lossdoctor.routing.lexicon import Hit, Hits

_NEAR = 9
"""Words between two concepts that still count as 'about each other'."""
_HINT = 1.0
_MOST_HINTS = 3
_REST = 0.35
"""Weight of the weaker cues of a class next to its strongest one."""


class Cue(NamedTuple):
    """weight, terms that must be present, pairs that must be near, terms that must be absent."""

    weight: float
    present: tuple[tuple[str, ...], ...]
    near: tuple[tuple[int, int], ...]
    absent: tuple[str, ...]


def parse_cues(block: str) -> tuple[Cue, ...]:
    return tuple(parse_cue(line) for line in block.splitlines() if line.strip())


def parse_cue(line: str) -> Cue:
    weight, *tokens = line.split()
    present: list[tuple[str, ...]] = []
    near: list[tuple[int, int]] = []
    absent: list[str] = []
    for i, token in enumerate(tokens):
        if token.startswith("-"):
            absent.append(token[1:])
        elif token != "~":
            present.append(tuple(token.split("/")))
            if i and tokens[i - 1] == "~":
                near.append((len(present) - 2, len(present) - 1))
    return Cue(float(weight), tuple(present), tuple(near), tuple(absent))


def holds(cue: Cue, hits: Hits) -> bool:
    """Sets, not generators: every complaint is held against some four hundred cues."""
    seen = hits.keys()
    if not seen.isdisjoint(cue.absent):
        return False
    for term in cue.present:
        if seen.isdisjoint(term):
            return False
    return all(_close(cue.present[a], cue.present[b], hits) for a, b in cue.near)


def _close(left: Iterable[str], right: Iterable[str], hits: Hits) -> bool:
    right_hits = [h for name in right for h in hits.get(name, ())]
    return any(
        max(a.start, b.start) - min(a.end, b.end) <= _NEAR
        for name in left
        for a in hits.get(name, ())
        for b in right_hits
    )


def scores(table: Mapping[str, tuple[Cue, ...]], hints: Mapping[str, str], hits: Hits) -> dict[str, float]:
    """Class -> score; classes without any cue or hint are left out."""
    found: dict[str, float] = {}
    for name, cues in table.items():
        weights = sorted((c.weight for c in cues if holds(c, hits)), reverse=True)
        lean = _lean(hits.get(hints.get(name, ""), ()))
        if weights or lean:
            found[name] = (weights[0] if weights else 0.0) + _REST * sum(weights[1:]) + lean
    return found


def _lean(hits: Sequence[Hit]) -> float:
    return _HINT * min(len({h.start for h in hits}), _MOST_HINTS)
