"""A trace is readable however far it was written."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from lossdoctor.errors import TraceInvalid
from lossdoctor.traces.reader import read_trace

ROWS = [
    {"k": "start", "format": 1, "torch": "2.13.0"},
    {"k": "site", "id": 0, "what": "step", "file": "/p/train.py", "line": 7, "code": "opt.step()"},
    {"k": "params", "i": 0, "rows": [{
        "id": 0, "name": "weight", "shape": [4, 1], "dtype": "float32", "grad": True, "opt": [0], "module": "Linear",
        "used": True, "loaded": False, "mean": 0.0, "std": 1.0, "numel": 4}]},
    {"k": "step", "i": 1, "o": 0, "t": 0.1, "lr": [0.1], "loss": [2.0], "gn": 1.0, "g": {"0": 1.0},
     "u": {"0": [0.1, 1.0, 1.0]}, "nb": 1, "zg": 1, "stale": False, "tr": True, "seq": "ZFBS", "dt": {"total": 0.1}},
    {"k": "eval", "i": 1, "modes": {"eval": 2}, "loss": [1.0], "acc": [], "n": [], "t": 0.2},
    {"k": "step", "i": 2, "o": 0, "t": 0.2, "lr": [0.1], "loss": [float("nan")], "gn": float("inf")},
    {"k": "end", "stop": "max_steps", "steps": 2, "t": 0.3, "counters": {}, "dropped": 0, "hook": 0.0},
]  # fmt: skip


def step_row(i: int, **more: Any) -> dict[str, Any]:
    return {"k": "step", "i": i, "o": 0, "t": 0.1 * i, "lr": [0.1], "loss": [2.0], "gn": 1.0, **more}


def written(folder: Path, rows: list[dict[str, Any]]) -> Path:
    return write(folder, "".join(json.dumps(row) + "\n" for row in rows))


def write(folder: Path, content: str | bytes) -> Path:
    data = content.encode() if isinstance(content, str) else content
    (folder / "records.jsonl").write_bytes(data)
    return folder


def lines() -> list[str]:
    return [json.dumps(row) + "\n" for row in ROWS]


def test_a_whole_trace_has_its_steps_parameters_and_end(tmp_path: Path) -> None:
    trace = read_trace(write(tmp_path, "".join(lines())))
    assert [step.i for step in trace.steps] == [1, 2]
    assert trace.steps[0].updates == {0: (0.1, 1.0, 1.0)}
    assert trace.parameters[0].name == "weight"
    assert trace.end is not None
    assert trace.end["stop"] == "max_steps"
    assert trace.of("eval")[0]["modes"] == {"eval": 2}
    site = trace.site("step")
    assert site is not None
    assert site.line == 7


def test_a_cut_at_every_byte_after_the_first_record_still_reads(tmp_path: Path) -> None:
    whole = "".join(lines()).encode()
    first = len(lines()[0])
    counts = []
    for cut in range(first, len(whole) + 1):
        trace = read_trace(write(tmp_path, whole[:cut]))
        counts.append(len(trace.steps))
    assert counts == sorted(counts), "more bytes never mean fewer steps"
    assert counts[0] == 0
    assert counts[-1] == 2


def test_garbage_between_records_is_passed_over(tmp_path: Path) -> None:
    noise = ["\x00\xff{{{\n", "[1, 2]\n", "null\n", '{"no": "kind"}\n', "\n"]
    mixed = [line for row, extra in zip(lines(), [*noise, "", ""], strict=True) for line in (row, extra)]
    trace = read_trace(write(tmp_path, "".join(mixed)))
    assert len(trace.steps) == 2


def test_passes_without_a_step_count_only_where_no_optimizer_stepped(tmp_path: Path) -> None:
    manual = {"k": "step", "i": 1, "o": -1, "t": 0.1, "lr": [], "loss": [1.0], "gn": 0.5, "moved": True}
    only = read_trace(write(tmp_path, lines()[0] + json.dumps(manual) + "\n"))
    assert [(s.optimizer, s.moved) for s in only.steps] == [(-1, True)]
    both = read_trace(write(tmp_path, lines()[0] + json.dumps(manual) + "\n" + lines()[3]))
    assert [s.optimizer for s in both.steps] == [0]


def test_an_empty_folder_and_a_foreign_file_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(TraceInvalid, match="no records were written"):
        read_trace(tmp_path)
    with pytest.raises(TraceInvalid, match="start record is missing"):
        read_trace(write(tmp_path, '{"k": "other"}\n'))


def test_a_trace_is_not_followed_out_of_its_folder_by_accident(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "records.jsonl")
    with pytest.raises(TraceInvalid):
        read_trace(tmp_path)


def test_samples_of_a_pre_training_are_left_out(tmp_path: Path) -> None:
    rows = [{"k": "start", "format": 1}]
    rows += [step_row(i, o=0 if i <= 10 else 1) for i in range(1, 41)]
    rows += [{"k": "ids", "i": i, "grad": True, "h": [i], "y": [0]} for i in range(1, 41)]
    assert [r["i"] for r in read_trace(written(tmp_path, rows)).of("ids")] == list(range(11, 41))


def test_samples_of_optimizers_that_take_turns_are_kept(tmp_path: Path) -> None:
    rows = [{"k": "start", "format": 1}, *(step_row(i, o=i % 3 == 0) for i in range(1, 41))]
    rows += [{"k": "ids", "i": i, "grad": True, "h": [i], "y": [0]} for i in range(1, 41)]
    assert len(read_trace(written(tmp_path, rows)).of("ids")) == 40


@pytest.mark.parametrize(
    ("maximize", "code", "turned"),
    [
        (True, "log_likelihood.backward()", True),
        (True, "loss.backward()", False),  # that is a fault
        (False, "log_likelihood.backward()", False),
    ],
)
def test_an_objective_that_is_climbed_on_purpose_is_read_as_its_negative(
    tmp_path: Path, maximize: bool, code: str, turned: bool
) -> None:
    groups = [{"lr": 0.1, "maximize": maximize}]
    rows = [
        ROWS[0],
        {"k": "site", "id": 0, "what": "backward", "file": "/p/train.py", "line": 7, "code": code},
        {"k": "optimizer", "i": 0, "id": 0, "class": "Adam", "site": None, "groups": groups, "sizes": [1]},
        *(step_row(i, loss=[0.5 * i]) for i in range(1, 5)),
    ]
    steps = read_trace(written(tmp_path, rows)).steps
    assert [s.losses for s in steps] == [((-1 if turned else 1) * 0.5 * i,) for i in range(1, 5)]
