"""Which files the data came from: where the code is right, that is where the user must look."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from ...detectors.base import site_by_id
from ...model import Finding, Trace
from .literals import CONFIGURATIONS
from .project import Project

# faults that the content of a file brings about as often as code does
OF_DATA = frozenset({
    "input_not_normalized", "target_not_normalized", "preprocess_mismatch", "label_encoding_wrong",
    "label_misalignment", "label_noise", "class_imbalance", "unshuffled_data", "duplicate_batches",
    "train_val_leakage", "target_leakage", "nan_in_data", "nan_from_op", "constant_input", "padding_not_masked",
    "tensor_layout_bug", "overfitting",
})  # fmt: skip
# bytes; a configuration file that is larger holds data (of 310 under tests, settings take 1.2 kB at most)
SMALL = 5_000
SEVERAL = 2  # files of one function: what is wrong is which one it was given
# of them, those whose code is seldom at fault where it has nothing that looks like the culprit
OF_CONTENT = frozenset({
    "input_not_normalized", "target_not_normalized", "preprocess_mismatch", "label_encoding_wrong",
    "label_misalignment", "label_noise", "class_imbalance", "train_val_leakage", "nan_in_data", "constant_input",
    "overfitting",
})  # fmt: skip
# what a loop calls: its line says nothing of the file
PROTOCOL = frozenset({"__iter__", "__next__", "__getitem__"})
OF_PAIRS = frozenset({"label_misalignment"})  # what belongs together is put together where both are read
OF_EVALUATION = frozenset({"train_val_leakage", "preprocess_mismatch"})
OF_LABELS = frozenset({"label_noise", "label_encoding_wrong"})
LABELS = re.compile(r"(?<![a-z])(label|annot|target|truth|class|legend|tag|answer|gold|index)", re.IGNORECASE)
TEXT = frozenset({".csv", ".tsv", ".txt", ".json", ".jsonl"})
TRAINING, HELD_OUT = (
    re.compile(p, re.IGNORECASE) for p in ("train|fit|past", "val|test|dev|held|eval|fold|split")
)
HELD_OUT_NAME = re.compile(
    r"(?<![a-z])(val|valid\w*|test|dev|held\w*|hold\w*|eval\w*)(?![a-z])", re.IGNORECASE
)
SHOWN = 3


def sources(fault: str, trace: Trace, root: Path) -> str | None:
    """The data files that the script read and the lines that read them, first ones first; None for faults that no file
    brings about, and where no file was seen.
    """
    read = [r for r in trace.of("opened") if _is_data(r["file"], r["bytes"])] if fault in OF_DATA else []
    shown = []
    for row in read[:SHOWN]:
        site, file = site_by_id(trace, row["site"]), Path(row["file"])
        name = file.relative_to(root) if root in file.parents else file
        shown.append(f"{name} ({Path(site.file).name}:{site.line})" if site else str(name))
    more = [f"and {len(read) - SHOWN} more"] if len(read) > SHOWN else []
    return ", ".join([*shown, *more]) or None


def read_for(finding: Finding, trace: Trace, project: Project) -> tuple[str, int] | None:
    """The line that has the file read which the finding is about: where it points into a function that reads several
    data files, and where it is about what a file holds. Which file: the one that is named like the side that is at
    fault, else the first, or the only one. None elsewhere.
    """
    if finding.fault not in OF_DATA:
        return None
    scopes = [s for s, _ in project.at(finding.where.file, finding.where.line)]
    here = {s.function for s in scopes if s.function is not None and s.function.name not in PROTOCOL}
    read = [r for r in trace.of("opened") if _is_data(r["file"], r["bytes"])]
    inside = [r for r in read if _inside(trace, project, r, here)]
    of_labels = _of_labels(finding, inside or read)
    if of_labels:
        return _read_at(trace, read, of_labels[0])
    wanted = HELD_OUT if finding.fault in OF_EVALUATION else TRAINING
    by_one_call = len(inside) >= SEVERAL and len({r.get("by") for r in inside}) == 1
    if by_one_call and finding.fault in OF_PAIRS:
        return None
    if len({r["file"] for r in inside}) >= SEVERAL:
        named = [r for r in inside if wanted.search(Path(r["file"]).name)]
        return _place(trace, (named or inside)[0].get("by"))
    named = (
        [r for r in read if wanted.search(Path(r["file"]).name)] or _given_to(trace, read, finding) or read
    )
    if inside or finding.fault not in OF_CONTENT or len({r["file"] for r in named}) != 1:
        return None
    return _read_at(trace, read, named[0])


def _of_labels(finding: Finding, read: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of several files those that hold the labels, for a fault of these: the one that is named so, else the one that is
    text while all others are not. Empty where there is none, or several.
    """
    files = {r["file"]: r for r in reversed(read)}
    if finding.fault not in OF_LABELS or len(files) < SEVERAL:
        return []
    named = [r for f, r in files.items() if LABELS.search(Path(f).stem)]
    text = [r for f, r in files.items() if Path(f).suffix in TEXT]
    return next((found for found in (named, text) if len(found) == 1), [])


def _given_to(trace: Trace, read: list[dict[str, Any]], finding: Finding) -> list[dict[str, Any]]:
    """Of files whose own names tell no side, those that are read for what the code calls held out: ``x_val = load(b)``;
    nothing for faults of training.
    """
    if finding.fault not in OF_EVALUATION:
        return []
    asking = ((r, site_by_id(trace, r.get("by"))) for r in read)
    return [r for r, site in asking if site is not None and HELD_OUT_NAME.search(site.code.partition("=")[0])]


def _read_at(trace: Trace, read: list[dict[str, Any]], row: dict[str, Any]) -> tuple[str, int] | None:
    """The line that opens a file; where it opens several, the call that has this one read."""
    shared = len({r["file"] for r in read if r["site"] == row["site"]}) >= SEVERAL
    return _place(trace, row.get("by") if shared else row["site"])


def _place(trace: Trace, site: int | None) -> tuple[str, int] | None:
    found = site_by_id(trace, site)
    return None if found is None else (found.file, found.line)


def _inside(trace: Trace, project: Project, row: dict[str, Any], functions: set[Any]) -> bool:
    """Whether a file was opened in one of these functions."""
    site = site_by_id(trace, row["site"])
    return site is not None and any(s.function in functions for s, _ in project.at(site.file, site.line))


def _is_data(file: str, size: int) -> bool:
    return size > SMALL or not file.endswith(CONFIGURATIONS)
