"""Sound specimens with their data file changed, the code as it was: does ``diagnose`` see what harms?

    python benchmarks/faults/files.py tests/faults_heldout --python .venv-with-torch --jobs 2 --sample 60
    python benchmarks/faults/files.py tests/faults_heldout --only "labels moved by a row" --json outcomes.json

Needs no author and no detector's opinion: a sound specimen, its labels or inputs damaged as files are damaged in
practice, and the harm measured (changed.py). Arrays (.npz, .pt) and tables (.csv, .tsv) are changed whose rows are
samples; where training and held-out samples are stored apart, those of training alone. Labels are told by their names,
in tables also by being the last column.

Printed: each harmful change as it ends, told or missed; then per change how many did harm, how many of those
``diagnose`` called faulty, how many with a cause that this change is known by in first place.
"""

from __future__ import annotations

import csv
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from changed import Change, run

LABEL = re.compile(
    r"(?:^|_)(y|label|labels|target|targets|class|cls|classes|answer|score|rating|outcome|price|value|digit|kind|"
    r"species|demand|load|consumption|yield|strength|quality)(?:$|_)", re.IGNORECASE)  # fmt: skip
HELD_OUT = re.compile(r"val|test|held|dev|eval|check", re.IGNORECASE)
FEWEST = 60  # rows of a file that is taken for one of samples
FEW_VALUES = 30  # so many whole numbers are classes

Rows = dict[str, Any]  # arrays by name, their first axis the samples


@dataclass(frozen=True)
class Stored:
    """The samples of one file, and how they are written back."""

    rows: Rows
    label: str
    write: Callable[[Rows, Path], None]

    @property
    def inputs(self) -> list[str]:
        return [n for n, v in self.rows.items() if n != self.label and v.dtype.kind == "f"]

    @property
    def classes(self) -> bool:
        labels = self.rows[self.label]
        return labels.dtype.kind in "iubOUS" and len(np.unique(labels.astype(str))) <= FEW_VALUES


@lru_cache(maxsize=8)  # each change asks for the same files of a specimen
def stored(path: Path) -> Stored | None:
    """The samples of a file; None where it holds none that are understood (the weights of a checkpoint)."""
    readers: dict[str, Any] = {
        ".npz": _npz,
        ".pt": _pt,
        ".csv": partial(_table, ","),
        ".tsv": partial(_table, "\t"),
    }
    try:
        read = readers[path.suffix](path) if path.suffix in readers else None
    except Exception:  # a file of another kind under this ending
        return None
    if read is None:
        return None
    rows, write = read
    sizes = [len(v) for v in rows.values() if v.ndim]
    size = max(sizes, key=sizes.count, default=0)
    chosen = {n: v for n, v in rows.items() if v.ndim and len(v) == size}
    labels = [n for n in chosen if LABEL.search(n) and chosen[n].ndim == 1]
    if size < FEWEST or len(chosen) < 2 or not (labels or path.suffix in (".csv", ".tsv")):
        return None
    found = Stored(chosen, labels[-1] if labels else list(chosen)[-1], write)
    return found if found.classes or found.rows[found.label].dtype.kind in "iuf" else None


def _npz(path: Path) -> tuple[Rows, Callable[[Rows, Path], None]]:
    with np.load(path) as held:
        arrays = dict(held)
    rows = {n: v for n, v in arrays.items() if not HELD_OUT.search(n)}
    return rows, lambda new, out: np.savez(out, **{**arrays, **new})


def _pt(path: Path) -> tuple[Rows, Callable[[Rows, Path], None]] | None:
    held = torch.load(path, weights_only=False)
    if not isinstance(held, dict):
        return None
    rows = {n: v.numpy() for n, v in held.items() if isinstance(v, torch.Tensor) and not HELD_OUT.search(n)}
    return rows, lambda new, out: torch.save(
        {**held, **{n: torch.from_numpy(v) for n, v in new.items()}}, out
    )


def _table(separator: str, path: Path) -> tuple[Rows, Callable[[Rows, Path], None]] | None:
    if HELD_OUT.search(path.stem):
        return None
    with path.open(encoding="utf-8", newline="") as text:
        names, *lines = list(csv.reader(text, delimiter=separator))
    rows = {n: _numbers([line[i] for line in lines]) for i, n in enumerate(names)}

    def write(new: Rows, out: Path) -> None:
        with out.open("w", encoding="utf-8", newline="") as text:
            csv.writer(text, delimiter=separator).writerows(
                [names, *zip(*(new[n].tolist() for n in names), strict=True)]
            )

    return rows, write


def _numbers(cells: list[str]) -> Any:
    """A column as whole numbers, as numbers or as text, whichever it can be."""
    for kind in (int, float):
        try:
            return np.array([kind(c) for c in cells])
        except ValueError:
            continue
    return np.array(cells)


Damage = Callable[[Stored, np.random.Generator], Rows | None]


def _relabelled(new: Callable[[Any, np.random.Generator], Any]) -> Damage:
    return lambda s, rng: {s.label: new(s.rows[s.label], rng)}


def _noisy(labels: Any, rng: np.random.Generator) -> Any:
    """Nearly half of the labels taken from other rows."""
    chosen = rng.permutation(len(labels))[: int(0.45 * len(labels))]
    out = labels.copy()
    out[np.sort(chosen)] = labels[chosen]
    return out


def _recoded(s: Stored, rng: np.random.Generator) -> Rows | None:
    """Half of the rows numbered the other way round: a second source with another code."""
    if not s.classes:
        return None
    labels = s.rows[s.label]
    names = np.unique(labels)
    turned = names[::-1][np.searchsorted(names, labels)]
    return {s.label: np.where(rng.permutation(len(labels)) % 2 == 0, turned, labels)}


def _rescaled_labels(s: Stored, rng: np.random.Generator) -> Rows | None:
    return None if s.classes else {s.label: s.rows[s.label] * 1e4}


def _inputs(new: Callable[[Any, np.random.Generator], Any]) -> Damage:
    def damage(s: Stored, rng: np.random.Generator) -> Rows | None:
        return {n: new(s.rows[n], rng) for n in s.inputs} or None

    return damage


def _missing(values: Any, rng: np.random.Generator) -> Any:
    return np.where(rng.random(values.shape) < 0.02, np.nan, values).astype(values.dtype)


def _one_row(s: Stored, rng: np.random.Generator) -> Rows | None:
    return {n: np.broadcast_to(v[:1], v.shape).copy() for n, v in s.rows.items() if n != s.label}


def _one_column(s: Stored, rng: np.random.Generator) -> Rows | None:
    """One feature in other units than the rest."""
    if not s.inputs:
        return None
    name = s.inputs[0]
    values = s.rows[name].copy()
    if values.ndim == 1:
        values = values * 1e4
    else:
        values[..., 0] *= 1e4
    return {name: values}


def _last_rows(values: Any, rng: np.random.Generator) -> Any:
    """The last fifth in other units."""
    out = values.copy()
    out[-len(values) // 5 :] = out[-len(values) // 5 :] * 3 + 1
    return out


def _kept(s: Stored, rows: Any) -> Rows:
    return {n: v[rows] for n, v in s.rows.items()}


def _sorted(s: Stored, rng: np.random.Generator) -> Rows | None:
    return _kept(s, np.argsort(s.rows[s.label], kind="stable")) if s.classes else None


def _few(s: Stored, rng: np.random.Generator) -> Rows | None:
    size = len(s.rows[s.label])
    return _kept(s, np.sort(rng.permutation(size)[: max(20, size // 12)]))


def _twice(s: Stored, rng: np.random.Generator) -> Rows | None:
    return _kept(s, rng.permutation(np.arange(len(s.rows[s.label])).repeat(2))) if s.classes else None


def _answer(s: Stored, rng: np.random.Generator) -> Rows | None:
    """The least telling feature replaced by the answer, as an export with one column too many does."""
    labels, tables = s.rows[s.label], [n for n in s.inputs if s.rows[n].ndim <= 2]
    if not s.classes or labels.dtype.kind not in "iu" or not tables:
        return None
    values = s.rows[tables[-1]].copy()
    column = values if values.ndim == 1 else values[:, -1]
    spread = labels.std() or 1.0
    column[:] = (labels - labels.mean()) / spread * (column.std() or 1.0) + column.mean()
    return {tables[-1]: values}


MISALIGNED = frozenset({"label_misalignment", "label_noise", "label_encoding_wrong"})
DAMAGES: tuple[tuple[str, Damage, frozenset[str]], ...] = (
    ("labels moved by a row", _relabelled(lambda y, rng: np.roll(y, 1)), MISALIGNED),
    ("labels of other rows", _relabelled(lambda y, rng: rng.permutation(y)), MISALIGNED),
    ("nearly half of the labels of other rows", _relabelled(_noisy), MISALIGNED),
    ("half of the labels in another code", _recoded, MISALIGNED),
    ("targets ten thousand times as large", _rescaled_labels, frozenset({"target_not_normalized"})),
    ("cells missing", _inputs(_missing), frozenset({"nan_in_data"})),
    ("inputs in other units", _inputs(lambda x, rng: x * 1e3 + 1e4), frozenset({"input_not_normalized"})),
    ("one feature in other units", _one_column, frozenset({"input_not_normalized"})),
    ("inputs of the first row", _one_row, frozenset({"constant_input", "label_misalignment"})),
    ("last rows in other units", _inputs(_last_rows),
     frozenset({"preprocess_mismatch", "input_not_normalized"})),
    ("rows sorted by label", _sorted, frozenset({"unshuffled_data", "preprocess_mismatch"})),
    ("few rows", _few, frozenset({"overfitting", "insufficient_training", "batch_size_too_large"})),
    ("every row twice", _twice, frozenset({"train_val_leakage", "duplicate_batches"})),
    ("the answer among the inputs", _answer, frozenset({"target_leakage"})),
)  # fmt: skip
ALWAYS = frozenset({"every row twice", "the answer among the inputs"})
OTHER_UNITS = frozenset({"targets ten thousand times as large"})


def change(damage: Damage, folder: Path, out: Path) -> str | None:
    """Copy the specimen to ``out`` with the first of its files that holds samples damaged; what was changed."""
    held = [(path, found) for path in sorted(folder.rglob("*")) if path.is_file() and (found := stored(path))]
    for path, found in held:
        new = damage(found, np.random.default_rng(0))
        if new is None or (damage is _twice and len(held) > 1):  # of files apart no row is held out again
            continue
        shutil.copytree(folder, out)
        found.write({**found.rows, **new}, out / path.relative_to(folder))
        return f"{path.name}, label {found.label}"
    return None


CHANGES = [
    Change(name, partial(change, damage), faults, name in OTHER_UNITS, name in ALWAYS)
    for name, damage, faults in DAMAGES
]

if __name__ == "__main__":
    run(__doc__, CHANGES)
