"""Findings about data name the files that the data came from."""

from __future__ import annotations

from pathlib import Path

import pytest

from lossdoctor.detectors.base import found
from lossdoctor.detectors.catalogue import rule
from lossdoctor.model import Evidence, Site, Trace, Where
from lossdoctor.tools.code.project import Project
from lossdoctor.tools.code.sources import SMALL, read_for, sources

ROOT = Path("/p")


def trace(*opened: tuple[str, int]) -> Trace:
    rows = tuple({"k": "opened", "file": f, "bytes": n, "site": k} for k, (f, n) in enumerate(opened))
    sites = tuple(
        Site(id=k, what="opened", file="/p/src/io.py", line=10 + k, code="") for k in range(len(rows))
    )
    return Trace(sites=sites, rows={"opened": rows})


def test_data_files_are_told_with_the_lines_that_read_them() -> None:
    seen = trace(("/p/run.json", 300), ("/p/data/a.csv", 9), ("/elsewhere/b.npz", 9))
    assert sources("label_noise", seen, ROOT) == "data/a.csv (io.py:11), /elsewhere/b.npz (io.py:12)"


def test_a_large_configuration_file_holds_data() -> None:
    assert sources("label_noise", trace(("/p/rows.json", SMALL + 1)), ROOT) == "rows.json (io.py:10)"


def test_many_files_are_counted() -> None:
    many = trace(*((f"/p/{k}.png", 10) for k in range(5)))
    assert (
        sources("constant_input", many, ROOT)
        == "0.png (io.py:10), 1.png (io.py:11), 2.png (io.py:12), and 2 more"
    )


def test_faults_of_code_and_runs_without_files_name_none() -> None:
    assert sources("lr_too_high", trace(("/p/a.csv", 9)), ROOT) is None
    assert sources("label_noise", trace(), ROOT) is None


READER = """\
def read(name):
    return numbers(open(name))
fit = read("train.csv")
held = read("valid.csv")
"""


@pytest.mark.parametrize(
    ("fault", "names", "line"),
    [
        ("label_misalignment", ("train.csv", "valid.csv"), 3),
        ("label_misalignment", ("valid.csv", "train.csv"), 4),  # the first one was read by the second call
        ("train_val_leakage", ("train.csv", "valid.csv"), 4),
        ("label_noise", ("a.csv", "b.csv"), 3),
        ("label_noise", ("a.csv",), None),  # it may as well be the function
        ("lr_too_high", ("train.csv", "valid.csv"), None),
    ],
)
def test_where_one_function_reads_several_files_the_call_is_what_differs(
    tmp_path: Path, fault: str, names: tuple[str, ...], line: int | None
) -> None:
    file = str(tmp_path / "train.py")
    (tmp_path / "train.py").write_text(READER, encoding="utf-8")
    rows = tuple(
        {"k": "opened", "file": str(tmp_path / n), "bytes": 9, "site": 0, "by": 1 + k}
        for k, n in enumerate(names)
    )
    sites = tuple(Site(id=k, what="opened", file=file, line=2 + k, code="") for k in range(3))
    finding = found(rule(fault), 0.9, "why", Evidence(quantity="q", value=1), where=Where(file=file, line=2))
    place = read_for(finding, Trace(sites=sites, rows={"opened": rows}), Project(tmp_path))
    assert place == (None if line is None else (file, line))


@pytest.mark.parametrize(
    ("fault", "names", "line"),
    [
        ("label_noise", ("train.csv", "valid.csv"), 4),  # one function reads both: its call
        ("label_noise", ("train.csv",), 2),
        ("label_noise", ("a.csv", "b.csv"), None),
        ("preprocess_mismatch", ("train.csv", "valid.csv"), 5),
        ("unshuffled_data", ("train.csv",), None),  # the loader is as near
    ],
)
def test_what_a_file_holds_is_laid_at_the_line_that_reads_it(
    tmp_path: Path, fault: str, names: tuple[str, ...], line: int | None
) -> None:
    code = "def read(name):\n    return numbers(open(name))\n\nfit = read(a)\nheld = read(b)\nloader = Loader(fit)\n"
    file = str(tmp_path / "train.py")
    Path(file).write_text(code, encoding="utf-8")
    rows = tuple(
        {"k": "opened", "file": str(tmp_path / n), "bytes": 9, "site": 0, "by": 1 + k}
        for k, n in enumerate(names)
    )
    sites = tuple(Site(id=k, what="opened", file=file, line=n, code="") for k, n in enumerate((2, 4, 5)))
    finding = found(rule(fault), 0.9, "why", Evidence(quantity="q", value=1), where=Where(file=file, line=6))
    place = read_for(finding, Trace(sites=sites, rows={"opened": rows}), Project(tmp_path))
    assert place == (None if line is None else (file, line))


def test_inputs_and_labels_that_one_call_reads_are_paired_there(tmp_path: Path) -> None:
    file = str(tmp_path / "train.py")
    (tmp_path / "train.py").write_text(READER, encoding="utf-8")
    sites = tuple(Site(id=k, what="opened", file=file, line=2 + k, code="") for k in range(2))
    rows = tuple(
        {"k": "opened", "file": str(tmp_path / n), "bytes": 9, "site": 0, "by": 1}
        for n in ("x.npz", "labels.csv")
    )
    trace, where = Trace(sites=sites, rows={"opened": rows}), Where(file=file, line=2)
    for fault, place in (("label_misalignment", None), ("label_noise", (file, 3))):
        finding = found(rule(fault), 0.9, "why", Evidence(quantity="q", value=1), where=where)
        assert read_for(finding, trace, Project(tmp_path)) == place


@pytest.mark.parametrize(("fault", "line"), [("preprocess_mismatch", 5), ("label_noise", None)])
def test_of_files_that_name_no_side_the_one_is_taken_that_the_code_calls_held_out(
    tmp_path: Path, fault: str, line: int | None
) -> None:
    code = "def read(name):\n    return numbers(open(name))\n\nx_fit = read(a)\nx_val = read(b)\nrun(x_fit)\n"
    file = str(tmp_path / "train.py")
    Path(file).write_text(code, encoding="utf-8")
    rows = tuple(
        {"k": "opened", "file": str(tmp_path / n), "bytes": 9, "site": 0, "by": 1 + k}
        for k, n in enumerate(("2022.csv", "2023.csv"))
    )
    lines = ((2, ""), (4, "x_fit = read(a)"), (5, "x_val = read(b)"))
    sites = tuple(Site(id=k, what="opened", file=file, line=n, code=c) for k, (n, c) in enumerate(lines))
    finding = found(rule(fault), 0.9, "why", Evidence(quantity="q", value=1), where=Where(file=file, line=6))
    place = read_for(finding, Trace(sites=sites, rows={"opened": rows}), Project(tmp_path))
    assert place == (None if line is None else (file, line))


@pytest.mark.parametrize(
    ("fault", "names", "line"),
    [
        ("label_noise", ("spectra.npz", "soil.csv"), 3),  # the one that is text
        ("label_noise", ("frames.csv", "annotations.csv"), 3),
        ("label_encoding_wrong", ("legend.csv", "survey.csv"), 2),
        ("label_noise", ("labels_2023.csv", "labels_2024.csv"), 5),  # which of them is not known: their call
        ("preprocess_mismatch", ("spectra.npz", "soil.csv"), 5),
    ],
)
def test_faults_of_labels_are_laid_at_the_file_that_holds_these(
    tmp_path: Path, fault: str, names: tuple[str, ...], line: int
) -> None:
    code = "def load():\n    x = read(a)\n    y = read(b)\n    return x, y\nx, y = load()\n"
    file = str(tmp_path / "train.py")
    Path(file).write_text(code, encoding="utf-8")
    rows = tuple(
        {"k": "opened", "file": str(tmp_path / n), "bytes": 9, "site": k, "by": 2}
        for k, n in enumerate(names)
    )
    sites = tuple(Site(id=k, what="opened", file=file, line=n, code="") for k, n in enumerate((2, 3, 5)))
    finding = found(rule(fault), 0.9, "why", Evidence(quantity="q", value=1), where=Where(file=file, line=2))
    assert read_for(finding, Trace(sites=sites, rows={"opened": rows}), Project(tmp_path)) == (file, line)
