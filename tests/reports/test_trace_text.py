from __future__ import annotations

import csv
import json

import pytest

from lossdoctor.errors import TraceInvalid
from lossdoctor.model import Parameter, Step, Trace
from lossdoctor.reports.trace_text import MOST_ROWS, overview, part


def recorded(steps: int) -> Trace:
    return Trace(
        steps=tuple(
            Step(i=i, optimizer=0, t=i / 10, lr=(0.1,), losses=(2.0 / (i + 1),)) for i in range(steps)
        ),
        parameters=(Parameter(id=0, name="head.weight", shape=(10, 4), dtype="float32", requires_grad=True),),
        rows={"print": ({"k": "print", "text": "acc \x1b[31m0.5"},)},
        start={"k": "start", "torch": "2.13.0"},
        end={"k": "end", "steps": steps},
    )


def test_the_overview_names_every_part_with_its_address_and_size() -> None:
    told = json.loads(overview(recorded(3), "trace://abc"))
    assert {"uri": "trace://abc/steps", "rows": 3} in told["parts"]
    assert {"uri": "trace://abc/print", "rows": 1} in told["parts"]
    assert told["end"]["steps"] == 3


def test_steps_are_a_table() -> None:
    rows = list(csv.DictReader(part(recorded(3), "steps").splitlines()))
    assert [float(row["loss"]) for row in rows] == [2.0, 1.0, 2.0 / 3]
    assert rows[2]["lr"] == "0.1"


def test_a_long_run_is_thinned_says_so_and_keeps_its_last_step() -> None:
    lines = part(recorded(5 * MOST_ROWS), "steps").splitlines()
    assert lines[0].startswith("# ")
    assert len(lines) <= MOST_ROWS + 3
    assert lines[-1].startswith(f"{5 * MOST_ROWS - 1},")


def test_other_records_are_json_lines_without_escapes() -> None:
    assert json.loads(part(recorded(1), "print"))["text"] == "acc 0.5"


def test_a_part_that_was_not_recorded_is_named_with_those_that_were() -> None:
    with pytest.raises(TraceInvalid, match="parts: steps, parameters, print"):
        part(recorded(1), "nonfinite")
