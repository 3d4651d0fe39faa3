from __future__ import annotations

from tests.samples import crowded_diagnosis, diagnosis

from lossdoctor.tools.shaping import LIMIT_TOKENS, shaped, tokens


def test_a_small_result_is_left_alone() -> None:
    assert shaped(diagnosis(), "concise") == diagnosis()


def test_a_crowded_result_fits_the_budget_by_default() -> None:
    assert tokens(crowded_diagnosis()) > 5 * LIMIT_TOKENS
    assert tokens(shaped(crowded_diagnosis(), "concise")) <= LIMIT_TOKENS


def test_everything_stays_when_everything_is_asked_for() -> None:
    assert shaped(crowded_diagnosis(), "full") == crowded_diagnosis()


def test_the_first_finding_keeps_what_decides() -> None:
    first = shaped(crowded_diagnosis(), "concise").findings[0]
    assert (first.fault, first.status, first.where.line) == ("fault_0", "confirmed", 42)
    assert first.evidence
    assert first.why
    assert first.remedy
    assert first.sheet.section == "too-high"


def test_what_was_left_out_is_said_inside_the_result() -> None:
    notes = shaped(crowded_diagnosis(), "concise").run.notes
    assert "of 45 not_checked" in notes[-1]
    assert "detail='full'" in notes[-1]


def test_an_error_keeps_its_end() -> None:
    failed = crowded_diagnosis()
    run = failed.run.model_copy(update={"error": "frame\n" * 500 + "KeyError: 'x'"})
    cut = shaped(failed.model_copy(update={"run": run}), "concise")
    assert cut.run.error is not None
    assert cut.run.error.endswith("KeyError: 'x'")
