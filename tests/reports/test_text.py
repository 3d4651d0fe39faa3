from __future__ import annotations

import pytest
from tests.samples import LANDLOCK, RUN, diagnosis, finding

from lossdoctor.model import Fix, NotChecked, Where
from lossdoctor.reports.text import verdict_text


def test_the_first_screen_tells_fault_place_evidence_proof_and_fix() -> None:
    told = verdict_text(diagnosis())
    assert (
        "sandbox landlock · /opt/venv/bin/python (torch 2.13.0, cpu) · 120 steps in 3.1 s · 2 experiments"
        in told
    )
    assert "FAULTY    lr_too_high   critical · confirmed · 93% sure   /home/ada/train.py:42" in told
    assert "loss at the last step: 38.2 (threshold 2.3) at step 119" in told
    assert "proof     same seed, a tenth of the rate" in told
    assert "            -lr=3\n            +lr=0.3" in told
    assert "read      learning-rate-scheduling#too-high" in told
    assert "unchecked overfitting (no evaluation seen)" in told


def test_a_healthy_run_is_called_healthy() -> None:
    told = verdict_text(diagnosis(verdict="healthy", findings=(), fix=None, next_steps=()))
    assert "HEALTHY   no fault found in 120 steps" in told
    assert "FAULTY" not in told


def test_an_info_finding_is_a_note_on_a_healthy_run() -> None:
    told = verdict_text(diagnosis(verdict="healthy", findings=(finding(severity="info"),), fix=None))
    assert "note      lr_too_high" in told


def test_a_script_that_never_trains_is_unclear_and_says_why() -> None:
    idle = RUN.model_copy(update={"steps": 0, "stop": "script_end"})
    told = verdict_text(diagnosis(verdict="inconclusive", findings=(), run=idle, fix=None))
    assert "UNCLEAR   no optimizer step was seen" in told


def test_a_crash_shows_the_last_lines_and_the_line_number() -> None:
    crash = RUN.model_copy(
        update={
            "stop": "error",
            "error": "Traceback (most recent call last):\n  ...\nKeyError: 'x'\n",
            "error_where": Where(file="/home/ada/train.py", line=7),
        }
    )
    told = verdict_text(diagnosis(verdict="inconclusive", findings=(), run=crash, fix=None))
    assert "error     the script failed at /home/ada/train.py:7:" in told
    assert "| KeyError: 'x'" in told


def test_a_refuted_suspect_is_named_as_not_the_cause() -> None:
    told = verdict_text(diagnosis(findings=(finding(), finding("lr_too_low", status="refuted"))))
    assert "not it    lr_too_low: removing it changed nothing" in told
    assert "also      lr_too_low" not in told


def test_no_isolation_is_not_called_a_sandbox() -> None:
    bare = RUN.model_copy(update={"isolation": LANDLOCK.model_copy(update={"level": "none"})})
    told = verdict_text(diagnosis(run=bare))
    assert "NO ISOLATION" in told
    assert "sandbox" not in told


def test_text_from_the_script_is_defanged() -> None:
    told = verdict_text(diagnosis(findings=(finding(why="\x1b[2Jall is\nwell [green]ok[/green]"),)))
    assert "all is well [green]ok[/green]" in told
    assert "\x1b" not in told


def test_lines_are_wrapped_but_paths_stay_whole() -> None:
    long = finding(why="word " * 60, where=Where(file="/home/ada/" + "deep/" * 16 + "train.py", line=3))
    told = verdict_text(diagnosis(findings=(long,)), width=80)
    assert "/deep/deep/train.py:3" in told
    assert all(len(line) <= 80 for line in told.splitlines() if "deep/" not in line)


def test_a_long_patch_and_long_lists_are_bounded() -> None:
    patch = Fix(summary="many", patch="+x\n" * 500)
    unchecked = tuple(NotChecked(fault=f"f{i}", missing="m") for i in range(50))
    told = verdict_text(diagnosis(fix=patch, not_checked=unchecked))
    assert "476 more lines" in told
    assert "and 44 more" in told


@pytest.mark.parametrize("verified", [(True, "tried: it helps"), (False, "tried: it did not help")])
def test_whether_the_fix_was_tried_is_told(verified: tuple[bool, str]) -> None:
    assert verified[1] in verdict_text(diagnosis(fix=Fix(summary="s", verified=verified[0])))


def test_a_run_without_steps_is_not_followed_by_a_list_of_all_that_could_not_be_checked() -> None:
    idle = RUN.model_copy(update={"steps": 0})
    told = verdict_text(diagnosis(verdict="inconclusive", findings=(), run=idle, fix=None))
    assert "unchecked" not in told
    assert "measured" not in told
    assert "next      apply the patch" in told
