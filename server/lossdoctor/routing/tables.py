"""The routing tables, read once on first use. They are the only place where routing knowledge lives."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from lossdoctor.model import Question
from lossdoctor.routing.cues import Cue, parse_cues
from lossdoctor.routing.lexicon import Matcher

if sys.version_info >= (3, 11):
    import tomllib
else:  # pragma: no cover
    import tomli as tomllib

FOLDER = Path(__file__).parent / "tables"


@dataclass(frozen=True)
class Row:
    """A more exact route inside a class, taken when its conditions on the facts hold."""

    when: Mapping[str, str]
    ids: Sequence[str]
    primary: Sequence[str]
    secondary: Sequence[str] = ()


@dataclass(frozen=True)
class SymptomClass:
    """One symptom class: its default route, its rows, and the question that it needs when nothing is known."""

    about: str
    ids: Sequence[str]
    primary: Sequence[str]
    secondary: Sequence[str] = ()
    ask: str | None = None
    probe: str | None = None
    risk: str | None = None
    rows: Sequence[Row] = ()


@dataclass(frozen=True)
class Avoid:
    """What not to do in some classes."""

    classes: Sequence[str]
    text: str
    ids: Sequence[str]


@dataclass(frozen=True)
class PressureRow:
    """A kind of pressure, the concept that reveals it, and the answer."""

    phrases: str
    reply: str
    ids: Sequence[str]


@dataclass(frozen=True)
class Pack:
    """A neighbouring skill pack: its entry skill, its scope, and what to look at first without it."""

    skill: str
    scope: str
    stub: Sequence[str]


@cache
def raw(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))


@lru_cache(maxsize=1)
def classes() -> dict[str, SymptomClass]:
    return {name: _class(row) for name, row in raw("classes").items()}


def _class(row: dict[str, Any]) -> SymptomClass:
    rows = tuple(Row(**r) for r in row.get("rows", ()))
    return SymptomClass(**{**row, "rows": rows})


@lru_cache(maxsize=1)
def questions() -> dict[str, Question]:
    return {
        name: Question(text=q["text"], why=q["why"], fact=q["fact"], options=tuple(q["answers"]))
        for name, q in raw("questions").items()
    }


@lru_cache(maxsize=1)
def answers() -> dict[tuple[str, str], dict[str, Any]]:
    """(fact, chosen option) -> the facts that the option stands for."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for q in raw("questions").values():
        found.update({(q["fact"], option): facts for option, facts in q["answers"].items()})
    return found


@lru_cache(maxsize=1)
def avoids() -> tuple[Avoid, ...]:
    return tuple(Avoid(**row) for row in raw("advice")["avoid"])


@lru_cache(maxsize=1)
def pressures() -> dict[str, PressureRow]:
    return {name: PressureRow(**row) for name, row in raw("advice")["pressure"].items()}


@lru_cache(maxsize=1)
def sheets() -> dict[str, str]:
    return dict(raw("sheets")["sheets"])


@lru_cache(maxsize=1)
def packs() -> dict[str, Pack]:
    return {name: Pack(**row) for name, row in raw("sheets")["packs"].items()}


@lru_cache(maxsize=1)
def cues() -> dict[str, tuple[Cue, ...]]:
    return {name: parse_cues(block) for name, block in raw("cues")["cues"].items()}


@lru_cache(maxsize=1)
def hints() -> dict[str, str]:
    """Class -> name of its hint concept in the matcher."""
    return {name: f"hint:{name}" for name in raw("hints")["hints"]}


@lru_cache(maxsize=4)
def anchors(weight: int) -> tuple[str, ...]:
    """Concepts whose presence alone speaks for machine learning with this weight."""
    return tuple(raw("scope")["anchors"][str(weight)].split())


@lru_cache(maxsize=1)
def matcher() -> Matcher:
    """Concepts, ways of asking, hints and scope vocabulary in one index; scope concepts are 'ml3', 'foreign2', ..."""
    concepts = raw("concepts")
    index = Matcher(
        negatable=frozenset(concepts["behaviour"]),
        owners=frozenset(concepts["settings"]["owners"].split()),
        strict=frozenset({"foreign1", "foreign2", "foreign3", "sense"}),
    )
    for name, block in _concepts():
        index.add(name, block)
    return index


def _concepts() -> Iterator[tuple[str, str]]:
    for table in ("concepts", "asks"):
        for title, group in raw(table).items():
            yield from group.items() if title != "settings" else ()
    for side in ("ml", "foreign"):
        yield from ((f"{side}{weight}", block) for weight, block in raw("scope")[side].items())
    yield from ((f"hint:{name}", block) for name, block in raw("hints")["hints"].items())
