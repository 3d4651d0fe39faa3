"""tools/verdict.py: what is said of a run in which nothing was found."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.detectors.build import eval_row, falling, loss_row, make_trace, steps_of

from lossdoctor.model import Diagnosis
from lossdoctor.tools.verdict import CONSTANT, UNSEEN, assemble


def diagnosis(held_out: float, tmp_path: Path, **steps: Any) -> Diagnosis:
    """Of a run that learns its training data and ends with this loss on others; all its ``steps`` have these fields."""
    rows = [loss_row(), *(eval_row(i, loss=[held_out] * 4, acc=[]) for i in (50, 100))]
    recording: Any = SimpleNamespace(
        stop=None, returncode=0, seconds=1.0, stderr_tail="", isolation=None, notes=(),
        interpreter=SimpleNamespace(path="python"),
    )  # fmt: skip
    trace = make_trace(steps=steps_of(falling(), **steps), rows=rows)
    return assemble(
        trace=trace, recording=recording, findings=(), unchecked=(), experiments=0,
        symptom=None, script="train.py", folder=tmp_path, seconds=1.0,
    )  # fmt: skip


def test_held_out_answers_of_a_constant_are_told_even_where_nothing_was_found(tmp_path: Path) -> None:
    found = diagnosis(5.0, tmp_path)
    assert found.verdict == "healthy"
    assert CONSTANT in found.run.notes
    assert "run_probe" in found.next_steps[0]


def test_a_run_that_foretells_gets_no_such_note(tmp_path: Path) -> None:
    assert CONSTANT not in diagnosis(0.1, tmp_path).run.notes


def test_a_run_whose_parameters_were_never_seen_to_move_is_not_called_healthy(tmp_path: Path) -> None:
    unseen, seen = (diagnosis(0.1, tmp_path, optimizer=-1, moved=moved) for moved in (False, True))
    assert (unseen.verdict, seen.verdict) == ("inconclusive", "healthy")
    assert UNSEEN in unseen.run.notes
    assert UNSEEN not in seen.run.notes
