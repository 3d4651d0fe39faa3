"""The rendered skill and agent: no drift, small, valid, and naming only what exists."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from lossdoctor.routing import Facts, render, tables
from lossdoctor.routing.facts import NOTED

TOOLS = {"route_symptom", "diagnose", "run_grad_probe", "read_sheet", "search_sheets"}
SKILL, AGENT, SCHEMA = (text for text in render.outputs().values())


def front_matter(text: str) -> dict[str, object]:
    loaded = yaml.safe_load(text.split("---")[1])
    assert isinstance(loaded, dict)
    return loaded


def test_the_rendered_files_do_not_differ_from_the_tables() -> None:
    assert render.drifted() == []


def test_check_reports_drift_and_writing_mends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "data_dir", lambda kind: tmp_path / kind)
    assert render.main(["--check"]) == 1
    assert render.main([]) == 0
    assert render.main(["--check"]) == 0


def test_the_skill_fits_the_limits() -> None:
    body = SKILL.split("---", 2)[2]
    assert len(SKILL.splitlines()) < 500
    assert len(body.encode()) / 4 < 5000


def test_the_skills_front_matter_is_portable() -> None:
    matter = front_matter(SKILL)
    assert set(matter) == {"name", "description", "license", "compatibility", "metadata"}
    assert matter["name"] == "using-training-optimization"
    assert len(str(matter["description"])) <= 1024
    assert len(str(matter["compatibility"])) <= 500
    assert all(isinstance(v, str) for v in matter["metadata"].values())  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", [SKILL, AGENT])
def test_only_existing_tools_are_named(text: str) -> None:
    called = set(re.findall(r"`(\w+)\(", text)) | set(
        re.findall(r"mcp__\w+?__(\w+)", text.replace("plugin_lossdoctor_", ""))
    )
    assert called <= TOOLS
    assert called


def test_every_sheet_and_pack_appears_in_the_skill() -> None:
    assert [name for name in (*tables.sheets(), *tables.packs()) if name not in SKILL] == []


def test_every_question_appears_in_the_skill() -> None:
    assert [q.text for q in tables.questions().values() if q.text not in SKILL] == []


def test_the_agent_names_its_output_form_and_its_limits() -> None:
    for part in ("SYMPTOM", "ROOT CAUSE", "CONFIDENCE", "DO NOT", "NOT CHECKED", "REFERENCE", "NEEDED"):
        assert part in AGENT
    assert "Not for choosing an architecture" in str(front_matter(AGENT)["description"])


def test_the_published_schema_lists_every_fact_that_decides() -> None:
    assert set(json.loads(SCHEMA)["properties"]) == set(Facts.model_fields) - set(NOTED)
