"""A number of the project is changed where it is written: on the command line, in a configuration, in code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lossdoctor.detectors.base import found
from lossdoctor.detectors.catalogue import rule
from lossdoctor.model import Evidence, Finding, Trace, Where
from lossdoctor.tools.code.changing import BATCH, CALLS, CHANGE, WIDTH, own_change

NOTHING = Trace()


def narrow(width: int = 4) -> Finding:
    measured = Evidence(quantity=WIDTH, value=width)
    return found(rule("underfitting_capacity"), 0.3, "why", measured, where=Where(parameter="0.weight"))


def whole(rows: int) -> Finding:
    measured = Evidence(quantity=BATCH, value=rows)
    return found(rule("batch_size_too_large"), 0.3, "why", measured)


def rolled_out(calls: int) -> Finding:
    measured = Evidence(quantity=CALLS, value=calls)
    return found(rule("exploding_gradient"), 0.3, "why", measured)


def change(folder: Path, finding: Finding, *args: str) -> dict[str, Any]:
    return own_change(finding, NOTHING, folder, args) or {}


@pytest.mark.parametrize(
    ("file", "text", "line", "changed"),
    [
        ("run.json", '{\n "hidden": 4,\n "seed": 4\n}\n', 2, ' "hidden": 64,'),
        ("run.yaml", "seed: 4\nmodel:\n  d_model: 4  # of 4 heads\n", 3, "  d_model: 64  # of 4 heads"),
        ("run.toml", "width = 4\n", 1, "width = 64"),
        ("net.py", "@dataclass\nclass Sizes:\n    hidden: int = 4\n", 3, "    hidden: int = 64"),
        ("net.py", "p.add_argument('--width', default=4)\n", 1, "p.add_argument('--width', default=64)"),
        ("net.py", "def net(length=32, width=4, depth=4): ...\n", 1, "def net(length=32, width=64, depth=4): ..."),
    ],
)  # fmt: skip
def test_the_one_setting_with_the_width_of_the_layer_is_made_wide(
    tmp_path: Path, file: str, text: str, line: int, changed: str
) -> None:
    (tmp_path / file).write_text(text, encoding="utf-8")
    told = change(tmp_path, narrow())
    assert (told["name"], told["was"], told["now"]) == (CHANGE, 4, 64)
    assert told["lines"] == [{"file": str(tmp_path / file), "line": line, "text": changed}]


@pytest.mark.parametrize(
    ("given", "changed"),
    [
        (("run", "--width", "4", "--depth", "4"), ["run", "--width", "64", "--depth", "4"]),
        (("--width=4",), ["--width=64"]),
        (("net.width=4", "x"), ["net.width=64", "x"]),
    ],
)
def test_an_argument_comes_before_the_default(
    tmp_path: Path, given: tuple[str, ...], changed: list[str]
) -> None:
    (tmp_path / "net.py").write_text("p.add_argument('--width', type=int, default=32)\n", encoding="utf-8")
    told = change(tmp_path, narrow(), *given)
    assert (told["args"], "lines" in told) == (changed, False)


@pytest.mark.parametrize("text", ["width = 8\n", "width = 4\nhidden = 4\n", "latent = 4\n", "depth = 4\n"])
def test_another_value_two_candidates_or_what_is_narrow_on_purpose_stays(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.toml").write_text(text, encoding="utf-8")
    assert change(tmp_path, narrow()) == {}


def test_a_hidden_layer_is_told_from_a_code_of_the_same_size(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text("latent = 4\nhidden = 4\n", encoding="utf-8")
    assert change(tmp_path, narrow())["setting"] == "hidden"


def test_a_batch_becomes_a_sixteenth_of_what_it_held(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text("batch_size = 512\n", encoding="utf-8")
    told = change(tmp_path, whole(512))
    assert (told["now"], told["pace"], told["lines"][0]["text"]) == (32, 16.0, "batch_size = 32")
    held = change(tmp_path, whole(390))
    assert (held["was"], held["now"], held["pace"]) == (512, 24, 390 / 24)


def test_calls_in_a_row_become_an_eighth_where_a_setting_tells_their_number(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text("horizon = 100\nsteps = 400\n", encoding="utf-8")
    told = change(tmp_path, rolled_out(100))
    assert (told["setting"], told["now"], told["lines"][0]["text"]) == ("horizon", 12, "horizon = 12")
    assert change(tmp_path, rolled_out(99)) == {}
    assert change(tmp_path, rolled_out(100), "--unroll", "100")["args"] == ["--unroll", "12"]


def test_other_faults_have_no_such_change(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text("width = 4\n", encoding="utf-8")
    assert change(tmp_path, found(rule("lr_too_low"), 0.3, "why")) == {}
