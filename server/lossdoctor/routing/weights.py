"""The fitted part of the text reader: a linear model over concepts and cue scores.

Cues say what each phrase means by itself; how they outweigh each other in one complaint is fitted on labelled
complaints (multinomial logistic regression, benchmarks/routing/fit.py) and kept as a table of weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from lossdoctor.routing import tables
from lossdoctor.routing.lexicon import Hits

BIAS = "(bias)"


def features(
    stems: Iterable[str], hits: Hits, scores: Mapping[str, float], ml: float, foreign: float, elsewhere: bool
) -> dict[str, float]:
    """What the model sees: words and concepts (1 each), cue scores in tens, the top class, the two scope weights."""
    seen = {f"'{one}": 1.0 for one in stems}
    seen |= {name: 1.0 for name in hits if name.lstrip("!").rstrip("123") not in ("ml", "foreign")}
    seen |= {f"={name}": score / 10 for name, score in scores.items()}
    if scores:
        seen["^" + max(sorted(scores), key=lambda name: scores[name])] = 1.0
    seen |= {
        "ml": min(ml, 12.0) / 6,
        "foreign": min(foreign, 9.0) / 3,
        "elsewhere": float(elsewhere),
        BIAS: 1.0,
    }
    return seen


@lru_cache(maxsize=8192)
def row(feature: str) -> tuple[tuple[str, float], ...]:
    """(class, weight) pairs of one feature; rows are read when a text first needs them."""
    cells = tables.raw("weights")["weights"].get(feature, "").split()
    return tuple(zip(cells[::2], map(float, cells[1::2]), strict=True))


def ranking(seen: Mapping[str, float]) -> dict[str, float]:
    """Class -> score; only differences between classes mean anything."""
    total: dict[str, float] = {}
    for name, value in seen.items():
        for cls, weight in row(name):
            total[cls] = total.get(cls, 0.0) + weight * value
    return total
