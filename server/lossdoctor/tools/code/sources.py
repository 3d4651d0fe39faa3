"""Which files the data came from: where the code is right, that is where the user must look."""

from __future__ import annotations

from pathlib import Path

from ...detectors.base import site_by_id
from ...model import Trace
from .literals import CONFIGURATIONS

# faults that the content of a file brings about as often as code does
OF_DATA = frozenset({
    "input_not_normalized", "target_not_normalized", "preprocess_mismatch", "label_encoding_wrong",
    "label_misalignment", "label_noise", "class_imbalance", "unshuffled_data", "duplicate_batches",
    "train_val_leakage", "target_leakage", "nan_in_data", "nan_from_op", "constant_input", "padding_not_masked",
    "tensor_layout_bug", "overfitting",
})  # fmt: skip
# bytes; a configuration file that is larger holds data (of 310 under tests, settings take 1.2 kB at most)
SMALL = 5_000
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


def _is_data(file: str, size: int) -> bool:
    return size > SMALL or not file.endswith(CONFIGURATIONS)
