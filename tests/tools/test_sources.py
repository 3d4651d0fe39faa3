"""Findings about data name the files that the data came from."""

from __future__ import annotations

from pathlib import Path

from lossdoctor.model import Site, Trace
from lossdoctor.tools.code.sources import SMALL, sources

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
