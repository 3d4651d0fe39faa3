"""The routing tables, read once on first use. They are the only place where routing knowledge lives."""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from lossdoctor.model import Question
from lossdoctor.routing.cues import Cue, parse_cues
from lossdoctor.routing.lexicon import Matcher

if sys.version_info >= (3, 11):
    import tomllib
else:  # pragma: no cover
    import tomli as tomllib

FOLDER = Path(__file__).parent / "tables"


class Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Row(Strict):
    """A more exact route inside a class, taken when its conditions on the facts hold."""

    when: dict[str, str]
    ids: tuple[str, ...]
    primary: tuple[str, ...]
    secondary: tuple[str, ...] = ()


class SymptomClass(Strict):
    """One symptom class: its default route, its rows, and the question that it needs when nothing is known."""

    about: str
    ids: tuple[str, ...]
    primary: tuple[str, ...]
    secondary: tuple[str, ...] = ()
    ask: str | None = None
    probe: str | None = None
    risk: str | None = None
    rows: tuple[Row, ...] = ()


class Avoid(Strict):
    classes: tuple[str, ...]
    text: str
    ids: tuple[str, ...]


class PressureRow(Strict):
    phrases: str
    reply: str
    ids: tuple[str, ...]


class Pack(Strict):
    skill: str
    scope: str
    stub: tuple[str, ...]


@lru_cache(maxsize=None)
def raw(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))


@lru_cache(maxsize=1)
def classes() -> dict[str, SymptomClass]:
    return {name: SymptomClass(**row) for name, row in raw("classes").items()}


@lru_cache(maxsize=1)
def questions() -> dict[str, Question]:
    return {
        name: Question(text=q["text"], why=q["why"], fact=q["fact"], options=tuple(q["options"]))
        for name, q in raw("questions").items()
    }


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
    """Concepts, ways of asking and scope vocabulary in one index; scope concepts are 'ml3', 'foreign2', ..."""
    named: dict[str, str] = {}
    for table in ("concepts", "asks"):
        for title, group in raw(table).items():
            named.update(group if title != "settings" else {})
    for side in ("ml", "foreign"):
        named.update({f"{side}{weight}": block for weight, block in raw("scope")[side].items()})
    named.update({f"hint:{name}": block for name, block in raw("hints")["hints"].items()})
    return Matcher.of(named, negatable=raw("concepts")["behaviour"], owners=raw("concepts")["settings"]["owners"].split(), strict=[*(f"foreign{w}" for w in "123"), "sense"])
