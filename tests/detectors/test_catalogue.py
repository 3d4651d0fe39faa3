from __future__ import annotations

import pytest
from tests.detectors.build import falling, flat, make_trace, step

from lossdoctor.detectors.base import AVAILABLE, NAMES, TENTATIVE
from lossdoctor.detectors.catalogue import detectors, explain, fault_ids, rule, run_detectors
from lossdoctor.errors import FaultNotFound

SECTIONS = ("What it is.", "Signal.", "Why it matters.", "Remedy.", "When it stays silent.",
            "Confirming intervention.", "References.")  # fmt: skip


@pytest.mark.parametrize("fault", fault_ids())
def test_every_rule_names_its_own_file(fault: str) -> None:
    assert rule(fault).fault == fault


@pytest.mark.parametrize("fault", fault_ids())
def test_every_page_has_all_sections_in_order(fault: str) -> None:
    page = explain(fault)
    places = [page.find(f"**{section}**") for section in SECTIONS]
    assert min(places) > 0, SECTIONS[places.index(-1)] if -1 in places else places
    assert places == sorted(places)
    assert page.startswith(f"# {fault}: ")


@pytest.mark.parametrize("fault", fault_ids())
def test_every_need_is_a_known_quantity_with_a_name(fault: str) -> None:
    assert set(rule(fault).needs) <= AVAILABLE.keys() == NAMES.keys()


def test_an_unknown_fault_is_answered_with_near_ones() -> None:
    with pytest.raises(FaultNotFound, match="missing_zero_grad"):
        rule("missing_zerograd")


def test_an_ordinary_run_has_no_findings() -> None:
    rested, _ = run_detectors(make_trace([*falling(80), *flat(60, 0.3)]))
    assert rested == ()


def test_an_ordinary_run_that_still_falls_has_nothing_but_a_question() -> None:
    findings, _ = run_detectors(make_trace())
    assert [f for f in findings if f.confidence > TENTATIVE] == []


def test_what_could_not_be_looked_for_is_told_with_its_reason() -> None:
    _, unchecked = run_detectors(make_trace())
    assert {u.fault: u.missing for u in unchecked}["dataloader_bottleneck"] == "a torch DataLoader"


def test_no_detector_fails_on_an_empty_trace() -> None:
    findings, unchecked = run_detectors(make_trace(steps=[], parameters=[], optimizers=[]))
    assert [f for f in findings if f.confidence > TENTATIVE] == []
    assert len(unchecked) > len(detectors()) / 2


def test_findings_of_several_detectors_come_together() -> None:
    steps = [step(i, v, stale=True, updates={0: (1e-8, 1.0, 1.0)}) for i, v in enumerate(flat(), 1)]
    assert {"missing_zero_grad"} <= {f.fault for f in run_detectors(make_trace(steps=steps))[0]}
