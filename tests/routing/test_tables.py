"""The tables are complete, consistent, and point at things that exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from lossdoctor.routing import facts, tables
from lossdoctor.routing.facts import Facts
from lossdoctor.sheetbook import has_section

# The feature inventory: identity, questions, routes, scenarios, clarification, mistakes, boundaries, red flags,
# rationalisations, pressure, self-checks, and the notes that are easy to miss.
INVENTORY = {
    "A": range(2, 18), "B": range(1, 14), "C": range(1, 62), "D": range(1, 10), "E": range(1, 9), "F": range(1, 13),
    "G": range(1, 18), "H": range(1, 12), "I": range(1, 12), "J": range(1, 22), "K": range(1, 27),
    "R": (*range(1, 16), 26, 27),
}  # fmt: skip
WANTED = [f"{letter}{number:02d}" for letter, numbers in INVENTORY.items() for number in numbers]
TABLES = ("classes", "questions", "advice", "protocol", "sheets")


def cited(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            yield from value if key == "ids" else cited(value)
    elif isinstance(node, list):
        for value in node:
            yield from cited(value)


ALL_CITED = {one for name in TABLES for one in cited(tables.raw(name))}
DROPPED: dict[str, str] = tables.raw("advice")["dropped"]


def entries() -> list[tuple[str, str]]:
    found = []
    for name, cls in tables.classes().items():
        found += [(name, entry) for entry in (*cls.primary, *cls.secondary)]
        found += [(name, entry) for row in cls.rows for entry in (*row.primary, *row.secondary)]
    return found


@pytest.mark.parametrize("number", WANTED)
def test_every_line_of_the_inventory_is_cited_or_dropped_with_a_reason(number: str) -> None:
    assert number in ALL_CITED or DROPPED.get(number)


def test_nothing_is_both_cited_and_dropped() -> None:
    assert not ALL_CITED & set(DROPPED)


def test_cited_numbers_have_the_form_of_inventory_lines() -> None:
    assert [one for one in ALL_CITED if not re.fullmatch(r"[A-Z]\d\d", one)] == []


@pytest.mark.parametrize(("name", "entry"), entries())
def test_every_ref_leads_to_a_section_or_a_known_pack_and_says_why(name: str, entry: str) -> None:
    target, _, why = (part.strip() for part in entry.partition("|"))
    sheet, _, section = target.partition("#")
    assert why
    assert (bool(section) and has_section(sheet, section)) or target.partition("/")[0] in tables.packs()


def test_every_question_of_a_class_exists_and_has_a_risk_for_the_guess() -> None:
    for name, cls in tables.classes().items():
        if cls.ask:
            assert cls.ask in tables.questions(), name
            assert cls.risk or name == "slow_training", name
            assert cls.primary, name


def test_every_answer_is_made_of_valid_facts() -> None:
    for answer in tables.answers().values():
        assert Facts(**answer).model_dump(exclude_none=True)


def test_every_symptom_and_topic_of_the_facts_leads_to_a_class() -> None:
    mapping, classes = tables.raw("mapping"), tables.classes()
    assert set(mapping["symptom"]) == set(get_args(facts.Symptom))
    assert set(mapping["topic"]) == set(get_args(facts.Topic))
    assert set(mapping["loss_behaviour"]) == set(get_args(facts.Loss)) - {"falling_normally"}
    targets = {*mapping["symptom"].values(), *mapping["topic"].values(), *mapping["loss_behaviour"].values()}
    assert targets <= set(classes)


def test_groups_name_classes_and_methods_that_exist() -> None:
    groups = dict(tables.raw("mapping")["groups"])
    assert set(groups.pop("preference_methods")) <= set(get_args(facts.Method))
    for name, members in groups.items():
        assert set(members) <= set(tables.classes()), name


def test_rows_test_facts_that_exist() -> None:
    for cls in tables.classes().values():
        for row in cls.rows:
            assert set(row.when) <= set(Facts.model_fields)


def test_cues_speak_of_concepts_that_exist() -> None:
    concepts = {
        name for table in ("concepts", "asks") for group in tables.raw(table).values() for name in group
    }
    known = concepts | {f"!{name}" for name in tables.raw("concepts")["behaviour"]}
    for name, cues in tables.cues().items():
        used = {one for cue in cues for term in cue.present for one in term} | {
            a for cue in cues for a in cue.absent
        }
        assert {one for one in used if not one.startswith("num_")} <= known, name


def test_cues_hints_and_advice_belong_to_classes() -> None:
    classes = set(tables.classes())
    assert set(tables.cues()) <= classes
    assert set(tables.hints()) <= classes
    assert {name for row in tables.avoids() for name in row.classes} <= classes


def test_anchors_and_owners_are_concepts() -> None:
    concepts = {
        name for table in ("concepts", "asks") for group in tables.raw(table).values() for name in group
    }
    assert {name for weight in (1, 2, 3) for name in tables.anchors(weight)} <= concepts
    assert set(tables.raw("concepts")["settings"]["owners"].split()) <= concepts


def test_scenarios_name_sheets_and_packs() -> None:
    known = {*tables.sheets(), *tables.packs()}
    for scenario in tables.raw("protocol")["scenarios"]:
        assert set(scenario["order"]) <= known
