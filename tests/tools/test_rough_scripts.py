"""Scripts that misbehave still give a clear result, and leave the user's files and machine as they were."""

from __future__ import annotations

import hashlib
import os
import textwrap
from pathlib import Path

import pytest

from lossdoctor.model import Diagnosis
from lossdoctor.tools.chain import DiagnoseRequest, grad_probe

pytestmark = pytest.mark.anyio
LOOP = """
import os, shutil, sys, time
import torch
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
def step():
    loss = model(torch.randn(8, 4)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for number in range(40):
    step()
"""


async def _probe(folder: Path, source: str, python: str, seconds: float = 20) -> Diagnosis:
    script = folder / "train.py"
    script.write_text(textwrap.dedent(source), encoding="utf-8")
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    before = _digest(folder)
    request = DiagnoseRequest(script=str(script), python=python, max_seconds=seconds)
    result = await grad_probe(request, _silent)
    assert _digest(folder) == before
    return result


async def _silent(progress: float, total: float | None, message: str) -> None:
    return None


def _digest(folder: Path) -> list[tuple[str, str]]:
    return [
        (str(p), hashlib.sha256(p.read_bytes()).hexdigest()) for p in sorted(folder.rglob("*")) if p.is_file()
    ]


async def test_a_crash_gives_the_error_its_line_and_the_steps_before_it(
    tmp_path: Path, user_python: str
) -> None:
    result = await _probe(tmp_path, LOOP + "raise KeyError('no column age')\n", user_python)
    assert result.verdict == "inconclusive"
    assert (result.run.stop, result.run.steps) == ("error", 40)
    assert "no column age" in (result.run.error or "")
    assert result.run.error_where is not None
    assert result.run.error_where.line == 13


async def test_a_hang_is_ended_and_its_line_named(tmp_path: Path, user_python: str) -> None:
    result = await _probe(tmp_path, LOOP + "while True:\n    time.sleep(0.1)\n", user_python, seconds=10)
    assert result.verdict == "inconclusive"
    assert (result.run.stop, result.run.steps) == ("max_seconds", 40)
    assert any("train.py:14" in note for note in result.run.notes)


async def test_a_hundred_megabytes_of_output_neither_block_nor_fill_anything(
    tmp_path: Path, user_python: str
) -> None:
    result = await _probe(tmp_path, LOOP + "for _ in range(100):\n    print('x' * 1_000_000)\n", user_python)
    assert (result.run.stop, result.run.steps) == ("script_end", 40)


async def test_forked_orphans_are_gone_afterwards(tmp_path: Path, user_python: str) -> None:
    mark = f"orphan-of-{os.getpid()}"
    source = (
        LOOP
        + f"""
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        os.execv(sys.executable, [sys.executable, '-c', 'import time; time.sleep(600)', '{mark}'])
"""
    )
    result = await _probe(tmp_path, source, user_python)
    assert result.run.steps == 40
    commands = [p.read_bytes() for p in Path("/proc").glob("[0-9]*/cmdline") if p.exists()]
    assert not [c for c in commands if mark.encode() in c]


async def test_a_script_that_deletes_its_own_folder_deletes_a_copy(tmp_path: Path, user_python: str) -> None:
    source = LOOP + "shutil.rmtree(os.path.dirname(os.path.abspath(__file__)), ignore_errors=True)\nstep()\n"
    result = await _probe(tmp_path, source, user_python)
    assert result.run.steps == 41


async def test_a_script_that_reads_stdin_meets_its_end(tmp_path: Path, user_python: str) -> None:
    result = await _probe(tmp_path, "rate = float(input('rate? '))\n" + LOOP, user_python)
    assert result.verdict == "inconclusive"
    assert "EOFError" in (result.run.error or "")


async def test_a_script_that_never_trains_is_not_called_healthy(tmp_path: Path, user_python: str) -> None:
    result = await _probe(tmp_path, "import torch\nprint(torch.ones(3).sum())\n", user_python)
    assert result.verdict == "inconclusive"
    assert result.run.steps == 0
    assert {n.fault for n in result.not_checked} >= {"missing_zero_grad", "lr_too_high", "dead_relu"}
    assert "training loop" in result.next_steps[0]
