"""The fitted part of the text reader: a linear model over concepts and cue scores.

Cues say what each phrase means by itself; how they outweigh each other in one complaint is fitted on labelled
complaints (multinomial logistic regression, benchmarks/routing/fit.py) and kept as a table of weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from lossdoctor.routing import tables
from lossdoctor.routing.lexicon import Hits

BIAS = "(bias)"
_ML_ENOUGH = 2.0
"""Weighted vocabulary below which nothing points to machine learning."""
_FOREIGN_ENOUGH = 3.0
_FOREIGN_SHARE = 0.75
"""A complaint may belong elsewhere when foreign vocabulary reaches this share of the machine-learning one."""


def features(
    stems: Sequence[str], hits: Hits, scores: Mapping[str, float], ml: float, foreign: float
) -> dict[str, float]:
    """What the model sees: words and concepts (1 each), cue scores in tens, the top class, scope and length."""
    seen = {f"'{one}": 1.0 for one in stems}
    seen |= {name: 1.0 for name in hits if name.lstrip("!").rstrip("123") not in ("ml", "foreign")}
    seen |= {f"={name}": score / 10 for name, score in scores.items()}
    if scores:
        seen["^" + max(sorted(scores), key=lambda name: scores[name])] = 1.0
    return seen | _scope(ml, foreign) | _length(len(stems)) | {BIAS: 1.0}


def _scope(ml: float, foreign: float) -> dict[str, float]:
    """The weighted vocabularies of machine learning and of other fields, and which of them are missing."""
    return {
        "ml": min(ml, 12.0) / 6,
        "foreign": min(foreign, 9.0) / 3,
        "(no ml)": float(ml < _ML_ENOUGH),
        "(neither)": float(ml < _ML_ENOUGH and foreign < 1),
        "(any foreign)": float(foreign > 0),
        "(mostly foreign)": float(foreign >= _FOREIGN_ENOUGH and foreign >= _FOREIGN_SHARE * ml),
    }


def _length(count: int) -> dict[str, float]:
    """Vague pleas are short, logs are long."""
    return {"(short)": float(count <= 3), "(brief)": float(count <= 6), "(long)": float(count > 15)}


@cache
def table() -> dict[str, str]:
    """Feature -> "class weight class weight ...". Tab-separated lines: a fifth of the time that TOML takes."""
    lines = (tables.FOLDER / "weights.tsv").read_text("utf-8").splitlines()
    pairs = (line.partition("\t") for line in lines if not line.startswith("# "))
    return {feature: cells for feature, _, cells in pairs}


@lru_cache(maxsize=8192)
def row(feature: str) -> tuple[tuple[str, float], ...]:
    """(class, weight) pairs of one feature; rows are read when a text first needs them."""
    cells = table().get(feature, "").split()
    return tuple(zip(cells[::2], map(float, cells[1::2]), strict=True))


def ranking(seen: Mapping[str, float]) -> dict[str, float]:
    """Class -> score; only differences between classes mean anything."""
    total: dict[str, float] = {}
    for name, value in seen.items():
        for cls, weight in row(name):
            total[cls] = total.get(cls, 0.0) + weight * value
    return total
