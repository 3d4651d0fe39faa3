"""Rows and pairs of numbers: "0.9 0.4 0.95 0.38" swings, "2 -> 45000" explodes, "40 of 20000" is rare."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

_NUMBER = r"(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})(?:e[+-]?\d{1,2})?"
_BETWEEN = r"\s?(?:,|;|/|\||->|→|>|\.{2,}|\bthen\b|\band\b|\bto\b|\s)\s?(?:then\s)?"
_ROW = re.compile(rf"(?<![\w.])({_NUMBER}(?:{_BETWEEN}{_NUMBER}){{2,}})")
_LOSS_WORD = r"(?:loss|los|cost|perplexity|ppl|error|norm|objective|nll|ce)"
_PAIR = re.compile(
    rf"\b{_LOSS_WORD}\b[^\d\n]{{0,40}}?({_NUMBER})\s?(?:->|→|=>|to|up to|down to)\s?(?:about\s)?({_NUMBER})"
)
_RATE_WORD = re.compile(
    r"\b(?:lr|rates?|batch(?:es)?|bs|size|shape|seeds?|layers?|dims?|sizes|versions?)\b[^.]{0,12}$"
)
_PART = re.compile(r"\b(\d{1,6}(?:\.\d+)?)\s?(?:\w+\s)?(?:of|out of|in|per|vs)\s(?:the\s)?(\d{2,9})(k?)\b")
_LOPSIDED = re.compile(r"\b(0?\.\d+|[1-4](?:\.\d+)?|9[5-9](?:\.\d+)?)\s?%")
_BEFORE = 24
"""Characters before a row in which the name of a setting says that the row is no behaviour."""
_LEAST_SWING = 0.15
"""Smallest change between neighbours, relative to the larger one, that counts as a swing."""
_GROWTH = 6.0
"""Last over largest of the first half of a row from which it is a run-away and no ordinary growth."""
_RISE, _HARDLY = 1.8, 0.9
"""Ratios of a told pair of losses: a jump, and a fall that is hardly one."""
_FLAT = 0.005
"""Largest spread, relative to the largest value, of a row that stands still."""
_RARE = 0.05
"""Share below which a class counts as rare."""


def series_concepts(low: str) -> list[str]:
    """num_swing, num_runaway, num_still; num_rise, num_hardly; num_rare. ``low`` is folded text."""
    plain = re.sub(r"[ \t]+", " ", low)
    return sorted({*_of_rows(plain), *_of_pairs(plain), *_of_parts(plain)})


def _of_rows(low: str) -> Iterator[str]:
    for match in _ROW.finditer(low):
        row = [float(n) for n in re.findall(_NUMBER, match.group(1))]
        if not _RATE_WORD.search(low[max(match.start() - _BEFORE, 0) : match.start()]) and not _is_ladder(
            row
        ):
            yield from _shape(row)


def _is_ladder(row: Sequence[float]) -> bool:
    """8, 16, 32 or 1, 2, 3: settings that were tried, or a count."""
    steps = {round(b - a, 6) for a, b in pairwise(row)}
    ratios = {round(b / a, 3) for a, b in pairwise(row) if a}
    return (len(steps) == 1 and steps != {0.0}) or (len(ratios) == 1 and ratios != {1.0})


def _shape(row: Sequence[float]) -> Iterator[str]:
    top = max(row)
    if top - min(row) <= _FLAT * top:
        yield "num_still"
        return
    turns = [(b - a) / max(a, b) for a, b in pairwise(row) if max(a, b)]
    wide = all(abs(t) >= _LEAST_SWING for t in turns)
    if len(turns) >= 3 and wide and all(a * b < 0 for a, b in pairwise(turns)):
        yield "num_swing"
    elif row[-1] == top and top >= _GROWTH * max(*row[: len(row) // 2], 1e-9):
        yield "num_runaway"


def _of_pairs(low: str) -> Iterator[str]:
    for match in _PAIR.finditer(low):
        before, after = float(match.group(1)), float(match.group(2))
        if before and after >= _RISE * before:
            yield "num_rise"
        elif _HARDLY * before <= after < before:
            yield "num_hardly"


def _of_parts(low: str) -> Iterator[str]:
    for match in _PART.finditer(low):
        whole = float(match.group(2)) * (1000 if match.group(3) else 1)
        if 0 < float(match.group(1)) < _RARE * whole:
            yield "num_rare"
    if re.search(r"positive|fraud|lesion|minority|ground|rare|pixels|voxels|defect|sick|tumou?r", low):
        yield from ("num_rare" for _ in _LOPSIDED.finditer(low))
