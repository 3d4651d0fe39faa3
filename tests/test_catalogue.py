"""A fault is complete only with its page, its test, its specimens, its sheet section and its intervention."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from lossdoctor.detectors.catalogue import Detector, detectors
from lossdoctor.routing.tables import classes
from lossdoctor.sheetbook import has_section, sections_of_fault

ROOT = Path(__file__).resolve().parents[1]
SPECIMENS = ROOT / "tests" / "faults"
INTERVENTIONS = ROOT / "server" / "lossdoctor" / "recorder" / "interventions"
PARTS = (
    "What it is",
    "Signal",
    "Why it matters",
    "Remedy",
    "When it stays silent",
    "Confirming intervention",
)

every_fault = pytest.mark.parametrize(("fault", "detector"), detectors().items(), ids=list(detectors()))


def is_threshold(value: object) -> bool:
    return (isinstance(value, float) and value not in (0.0, 1.0)) or (type(value) is int and abs(value) > 10)


def cases(fault: str) -> list[dict[str, Any]]:
    return [json.loads(path.read_text(encoding="utf-8")) for path in (SPECIMENS / fault).rglob("case.json")]


@every_fault
def test_the_page_has_every_part(fault: str, detector: Detector) -> None:
    assert detector.page.startswith(f"# {fault}: ")
    missing = [part for part in (*PARTS, "References") if f"**{part}.**" not in detector.page]
    assert not missing


@every_fault
def test_the_rule_names_its_own_fault_and_a_class_of_the_router(fault: str, detector: Detector) -> None:
    assert detector.rule.fault == fault
    assert detector.rule.symptom in classes()


@every_fault
def test_the_section_that_explains_it_exists_and_knows_it(fault: str, detector: Detector) -> None:
    sheet, _, section = detector.rule.sheet.partition("#")
    assert has_section(sheet, section)
    assert detector.rule.sheet in sections_of_fault(fault)


@every_fault
def test_every_intervention_is_one_that_the_recorder_has(fault: str, detector: Detector) -> None:
    named = {change["name"] for change in detector.rule.interventions}
    assert named <= {path.stem for path in INTERVENTIONS.glob("*.py")}


@every_fault
def test_it_has_a_test_of_its_own(fault: str, detector: Detector) -> None:
    assert (ROOT / "tests" / "detectors" / f"test_{fault}.py").is_file()


@every_fault
def test_it_has_two_sick_specimens_and_a_healthy_twin(fault: str, detector: Detector) -> None:
    expected = [case["expect"] for case in cases(fault)]
    assert expected.count(fault) >= 2
    assert any(verdict != fault for verdict in expected)


@every_fault
def test_every_threshold_has_a_name_and_a_source(fault: str, detector: Detector) -> None:
    """A bare number in a comparison cannot be argued with; small whole numbers count things."""
    path = ROOT / "server" / "lossdoctor" / "detectors" / f"{fault}.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    bare = [
        f"line {node.lineno}: {side.value!r}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        for side in (node.left, *node.comparators)
        if isinstance(side, ast.Constant) and is_threshold(side.value)
    ]
    assert not bare


def test_no_specimen_tells_its_fault_to_a_reader() -> None:
    """A specimen is a script that a stranger would believe: it does not name what is wrong with it."""
    telling = [
        path.relative_to(ROOT).as_posix()
        for fault in detectors()
        for path in (SPECIMENS / fault).rglob("*.py")
        if fault in path.read_text(encoding="utf-8")
    ]
    assert not telling
