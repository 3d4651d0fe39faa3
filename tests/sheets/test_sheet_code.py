"""Every python block of every sheet runs against the torch at hand, with warnings as errors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from lossdoctor.sheetbook import sheet_ids
from lossdoctor.sheetbook.book import load_sheet
from lossdoctor.sheetbook.parse import CodeBlock

# Each block gets a namespace of its own; the child tells which one failed and where.
_CHILD = """
import json, sys, traceback, warnings
import torch
torch.set_num_threads(1)
warnings.simplefilter(sys.argv[1])
failures = []
for name, code in json.load(sys.stdin):
    torch.manual_seed(0)
    try:
        exec(compile(code, name, "exec"), {"__name__": name})
    except BaseException:
        failures.append(name + chr(10) + traceback.format_exc())
sys.exit((chr(10) * 2).join(failures) or 0)
"""


def _blocks(sheet: str) -> list[tuple[str, CodeBlock]]:
    parts = load_sheet(sheet).sections
    return [(f"{sheet}#{part.id}[{n}]", block) for part in parts for n, block in enumerate(part.code)]


def _python(sheet: str) -> list[tuple[str, str]]:
    return [(name, block.code) for name, block in _blocks(sheet) if block.info == "python"]


def _optional(sheet: str) -> list[tuple[str, str]]:
    return [
        (name, block.code) for name, block in _blocks(sheet) if block.info.startswith("python optional: ")
    ]


@pytest.fixture(scope="module")
def python_with_torch(request: pytest.FixtureRequest) -> str:
    """The interpreter of this test run when it has torch, else the user environment's."""
    return sys.executable if find_spec("torch") else str(request.getfixturevalue("user_python"))


def _run(
    python: str, blocks: list[tuple[str, str]], cwd: Path | None = None, warnings: str = "error"
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [python, "-c", _CHILD, warnings],
        input=json.dumps(blocks),
        cwd=cwd,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("sheet", sheet_ids())
def test_every_python_block_of_a_sheet_runs(sheet: str, python_with_torch: str) -> None:
    result = _run(python_with_torch, _python(sheet))
    assert result.returncode == 0, result.stderr[-4000:]


@pytest.mark.parametrize("sheet", sheet_ids())
def test_every_python_block_asserts_what_it_shows(sheet: str) -> None:
    assert [name for name, code in _python(sheet) if "assert " not in code] == []


@pytest.mark.parametrize("sheet", sheet_ids())
def test_every_optional_block_names_its_need_and_compiles(sheet: str) -> None:
    for name, code in _optional(sheet):
        compile(code, name, "exec")


def _needs() -> list[str]:
    blocks = [block for sheet in sheet_ids() for _, block in _blocks(sheet)]
    return sorted({b.info.partition("optional: ")[2] for b in blocks if "optional: " in b.info})


@pytest.mark.parametrize("need", _needs())
def test_optional_blocks_run_where_their_need_is_met(
    need: str, python_with_torch: str, tmp_path: Path
) -> None:
    blocks = [
        (name, b.code) for sheet in sheet_ids() for name, b in _blocks(sheet) if b.info.endswith(f": {need}")
    ]
    if not _met(python_with_torch, need):
        pytest.skip(f"{python_with_torch} has no {need}")
    result = _run(python_with_torch, blocks, cwd=tmp_path, warnings="default")  # theirs are not our faults
    assert result.returncode == 0, result.stderr[-4000:]


def _met(python: str, need: str) -> bool:
    question = "torch.cuda.is_available()" if need == "cuda" else f"find_spec({need!r}) is not None"
    code = f"import torch; from importlib.util import find_spec; print({question})"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout == "True\n"


@pytest.mark.parametrize("sheet", sheet_ids())
def test_every_code_block_has_a_known_kind(sheet: str) -> None:
    known = ("python", "text", "bash")
    strange = [(name, b.info) for name, b in _blocks(sheet) if b.info.split(" optional: ")[0] not in known]
    assert strange == []


def test_a_failing_block_is_named(python_with_torch: str) -> None:
    result = _run(python_with_torch, [("sheet#good[0]", "assert 1 == 1"), ("sheet#bad[0]", "assert 1 == 2")])
    assert result.returncode == 1
    assert "sheet#bad[0]" in result.stderr
    assert "sheet#good[0]" not in result.stderr
