"""Text, sequence and checkpoint files of the specimens."""
import json
from pathlib import Path

import numpy as np
from data import Write, digits

GOOD = "great lovely solid bright quick perfect charming sturdy smooth excellent superb pleasant crisp reliable".split()
BAD = "poor broken slow ugly noisy flimsy awful dull sticky terrible weak cracked bland useless".split()
THINGS = "lamp kettle chair phone jacket bottle radio table camera pillow speaker keyboard backpack watch blanket".split()
FILL = "the it this my a and really quite so very just for was is with after one two weeks days box arrived from shop".split()


def sentence(label: int, rng: np.random.Generator) -> str:
    words = [str(w) for w in rng.choice(FILL, rng.integers(3, 12))] + [str(rng.choice(THINGS))]
    words += [str(w) for w in rng.choice(GOOD if label else BAD, rng.integers(1, 4))]
    if rng.random() < 0.25:
        words.append(str(rng.choice(BAD if label else GOOD)))
        words += [str(w) for w in rng.choice(GOOD if label else BAD, 2)]
    rng.shuffle(words)
    return " ".join(words)


def comments(n: int = 900, seed: int = 0, blank: int = 0, positive: float = 0.5, flip: float = 0.0) -> Write:
    """comments.jsonl; `blank` rows keep only an emoticon, `flip` is the share of wrong labels."""
    def write(folder: Path) -> None:
        rng = np.random.default_rng(seed)
        rows = []
        for _ in range(n):
            label = int(rng.random() < positive)
            shown = 1 - label if rng.random() < flip else label
            rows.append({"text": sentence(label, rng), "label": shown})
        for i in rng.choice(int(n * 0.7), blank, replace=False):
            rows[int(i)]["text"] = ":)" if rows[int(i)]["label"] else ":("
        (folder / "comments.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    return write


def metric_digits(duplicates: int = 0, n: int = 900, seed: int = 0) -> Write:
    """digits.npz with x, y, x_val, y_val; the last `duplicates` training rows repeat earlier ones."""
    def write(folder: Path) -> None:
        _, x, y = digits(seed)
        train, labels = x[:n].copy(), y[:n].copy()
        if duplicates:
            train[-duplicates:], labels[-duplicates:] = train[:duplicates], labels[:duplicates]
        np.savez_compressed(folder / "digits.npz", x=train.astype(np.uint8), y=labels, x_val=x[1300:].astype(np.uint8),
                            y_val=y[1300:])
    return write


def image_archive(zoom: int, n: int = 500, seed: int = 0) -> Write:
    """images.npz with one member per image, enlarged `zoom` times."""
    def write(folder: Path) -> None:
        _, x, y = digits(seed)
        images = (x[:n].reshape(-1, 8, 8) * 15.9).astype(np.uint8)
        members = {f"image_{i:05d}": np.kron(im, np.ones((zoom, zoom), np.uint8)) for i, im in enumerate(images)}
        np.savez_compressed(folder / "images.npz", labels=y[:n].astype(np.int16), **members)
    return write
