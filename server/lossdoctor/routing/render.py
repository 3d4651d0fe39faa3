"""Renders the skill, the agent and the published schema of the facts, so that none drifts from what the router does.

python -m lossdoctor.routing.render [--check]
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from lossdoctor.data import data_dir
from lossdoctor.routing import tables
from lossdoctor.routing.facts import Facts
from lossdoctor.routing.tables import SymptomClass

SCHEMA = Path(__file__).parent / "facts.schema.json"


def outputs() -> dict[Path, str]:
    """File -> text, for every rendered file."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), undefined=StrictUndefined, keep_trailing_newline=True
    )
    context = _context()
    skill = data_dir("skills") / str(context["identity"]["name"]) / "SKILL.md"
    agent = data_dir("agents") / "training-diagnostician.md"
    return {
        skill: environment.get_template("skill.md.j2").render(context),
        agent: environment.get_template("agent.md.j2").render(context),
        SCHEMA: json.dumps(_schema(), indent=1, ensure_ascii=False) + "\n",
    }


def _schema() -> dict[str, Any]:
    """The facts as ``route_symptom`` publishes them; a file, so that no start-up pays for building the model."""
    built = Facts.model_json_schema()
    return {key: built[key] for key in ("type", "description", "properties", "additionalProperties")}


def drifted() -> list[Path]:
    """Rendered files that are missing or differ from what the tables give."""
    return [p for p, text in outputs().items() if not p.is_file() or p.read_text("utf-8") != text]


def write() -> list[Path]:
    changed = drifted()
    for path in changed:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(outputs()[path], "utf-8")
    return changed


def _context() -> dict[str, Any]:
    classes = tables.classes()
    own = {name: cls for name, cls in classes.items() if _is_ours(cls)}
    return {
        **tables.raw("protocol"),
        "version": version("lossdoctor"),
        "here": [_line(c) for c in own.values()],
        "details": list(_details(own)),
        "questions": list(tables.questions().values()),
        "packs": tables.packs(),
        "sheets": tables.sheets(),
        "pressures": [row.reply for row in tables.pressures().values()],
    }


def _is_ours(cls: SymptomClass) -> bool:
    """A class whose first ref is a sheet, or that is measured here although the remedy may lie elsewhere."""
    return bool(cls.primary) and (bool(cls.probe) or _target(cls.primary[0]) in tables.sheets())


def _line(cls: SymptomClass) -> dict[str, str]:
    return {
        "about": cls.about,
        "first": ", ".join(_short(e) for e in cls.primary),
        "then": ", ".join(_target(e) for e in cls.secondary),
        "ask": tables.questions()[cls.ask].text if cls.ask else "",
    }


def _details(classes: dict[str, SymptomClass]) -> Iterator[str]:
    for cls in classes.values():
        usual = [_target(e) for e in cls.primary]
        for row in (r for r in cls.rows if [_target(e) for e in r.primary] != usual):
            facts = ", ".join(f"{name} {_test(test)}" for name, test in row.when.items())
            yield f"{cls.about.lower()}; {facts}: {', '.join(_target(e) for e in row.primary)}"


def _test(test: str) -> str:
    return {"*": "known", "true": "yes"}.get(test, test.replace("|", " or "))


def _target(entry: str) -> str:
    return entry.partition("|")[0].strip().partition("#")[0].partition("/")[0]


def _short(entry: str) -> str:
    return entry.partition("|")[0].strip()


def main(arguments: list[str]) -> int:
    changed = drifted() if "--check" in arguments else write()
    for path in changed:
        print(f"{'differs' if '--check' in arguments else 'written'}: {path}")
    return 1 if "--check" in arguments and changed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
