"""Small data files of the specimens, from scikit-learn's bundled sets and fixed seeds."""
import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sklearn import datasets

Write = Callable[[Path], None]


def config(**values: object) -> Write:
    """A config.json."""
    return lambda folder: (folder / "config.json").write_text(json.dumps(values, indent=2) + "\n") and None


def both(*writes: Write) -> Write:
    return lambda folder: [w(folder) for w in writes] and None


def write_csv(path: Path, names: list[str], x: np.ndarray, y: np.ndarray, fmt: str = "%.4g") -> None:
    with open(path, "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow([*names, "target"])
        for row, label in zip(x, y):
            out.writerow([*(fmt % v for v in row), label])


def wine(seed: int = 0) -> tuple[list[str], np.ndarray, np.ndarray]:
    bunch = datasets.load_wine()
    order = np.random.default_rng(seed).permutation(len(bunch.target))
    names = [n.replace(" ", "_").replace("/", "_") for n in bunch.feature_names]
    return names, bunch.data[order], bunch.target[order]


def digits(seed: int = 0) -> tuple[list[str], np.ndarray, np.ndarray]:
    bunch = datasets.load_digits()
    order = np.random.default_rng(seed).permutation(len(bunch.target))
    return [f"p{i:02d}" for i in range(64)], bunch.data[order], bunch.target[order]


def blobs(n: int, d: int, k: int, seed: int, sep: float = 1.0) -> tuple[list[str], np.ndarray, np.ndarray]:
    x, y = datasets.make_classification(n, d, n_informative=d - 2, n_redundant=2, n_classes=k, class_sep=sep,
                                        flip_y=0.01, random_state=seed)
    return [f"f{i}" for i in range(d)], x, y


Change = Callable[[np.ndarray, np.ndarray, np.random.Generator], tuple[np.ndarray, np.ndarray]]


def table(source: str = "wine", n_train: int = 0, train: Change | None = None, val: Change | None = None, seed: int = 0,
          n_val: int = 0, fmt: str = "%.4g") -> Write:
    """train.csv and val.csv; `train`/`val` may change their part."""
    def write(folder: Path) -> None:
        if source == "blobs":
            names, x, y = blobs(900, 12, 4, seed, 1.4)
        else:
            names, x, y = {"wine": wine, "digits": digits}[source](seed)
        cut = n_train or int(0.7 * len(y))
        rng = np.random.default_rng(seed + 1)
        a, b = (x[:cut].copy(), y[:cut].copy()), (x[cut:].copy(), y[cut:].copy())
        b = (b[0][:n_val], b[1][:n_val]) if n_val else b
        a = train(*a, rng) if train else a
        b = val(*b, rng) if val else b
        write_csv(folder / "train.csv", names, *a, fmt)
        write_csv(folder / "val.csv", names, *b, fmt)
    return write


def image_archives(n_train: int = 1200, train: Change | None = None, val: Change | None = None, seed: int = 0) -> Write:
    """train.npz and val.npz with 8x8 digit images (uint8 unless a change makes them float)."""
    def write(folder: Path) -> None:
        _, x, y = digits(seed)
        x = x.reshape(-1, 8, 8)
        rng = np.random.default_rng(seed + 1)
        parts = (x[:n_train].copy(), y[:n_train].copy()), (x[n_train:].copy(), y[n_train:].copy())
        for name, part, change in zip(("train", "val"), parts, (train, val)):
            images, labels = change(*part, rng) if change else part
            images = images.astype(np.uint8) if np.all(images == np.uint8(np.nan_to_num(images))) else images.astype(np.float16)
            np.savez_compressed(folder / f"{name}.npz", images=images, labels=labels.astype(np.int64))
    return write


def image_config(model: dict | None = None, data: dict | None = None, optim: dict | None = None, **top: object) -> Write:
    """config.json of the image project with changes."""
    return config(**{
        "seed": 0, "epochs": 8,
        "data": {"batch_size": 32, "shuffle": True, "mean": 4.9, "std": 6.0, **(data or {})},
        "model": {"channels": [16, 32], "hidden": 64, "classes": 10, "activation": "relu", "dropout": 0.1, "norm": False,
                  **(model or {})},
        "optim": {"name": "adamw", "lr": 0.002, "momentum": 0.9, "weight_decay": 0.01, **(optim or {})},
        **top,
    })


def leak(present: bool) -> Change:
    """Put the target (or nothing, for `present` false) with a little noise in the first column."""
    def change(x: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        x[:, 0] = (y if present else 0) + 0.05 * rng.standard_normal(len(y))
        return x, y
    return change


def overlap(source: str = "wine", copied: float = 1.0, seed: int = 0, noise: float = 0.25, classes: int = 3) -> Write:
    """train.csv and val.csv with wrong labels in both; a share of val.csv's rows stands in train.csv too."""
    def write(folder: Path) -> None:
        names, x, y = {"wine": wine, "digits": digits}[source](seed) if source != "blobs" else blobs(700, 12, 4, seed, 1.4)
        rng = np.random.default_rng(seed + 3)
        wrong = rng.random(len(y)) < noise
        y = y.copy()
        y[wrong] = rng.integers(0, classes, wrong.sum())
        cut = int(0.6 * len(y))
        a, b = (x[:cut], y[:cut]), (x[cut:], y[cut:])
        n = int(copied * len(b[1]))
        a = np.concatenate([a[0], b[0][:n]]), np.concatenate([a[1], b[1][:n]])
        order = rng.permutation(len(a[1]))
        write_csv(folder / "train.csv", names, a[0][order], a[1][order])
        write_csv(folder / "val.csv", names, *b)
    return write


def rings(n: int = 900, seed: int = 0) -> Write:
    """train.csv and val.csv with three concentric rings in two of four columns."""
    def write(folder: Path) -> None:
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 3, n)
        angle, radius = rng.uniform(0, 2 * np.pi, n), 1 + y + 0.15 * rng.standard_normal(n)
        x = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), rng.standard_normal((n, 2))])
        cut = int(0.7 * n)
        for name, part in (("train", slice(0, cut)), ("val", slice(cut, n))):
            write_csv(folder / f"{name}.csv", ["east", "north", "a", "b"], x[part], y[part])
    return write
