"""Fit tables/weights.tsv on the labelled complaints of own_dev.jsonl. Needs scikit-learn; run after a table changed.

    python benchmarks/routing/fit.py

Every complaint is also seen with a circumstance added that does not change its class ("lr 1e-4, batch 8", "coco"),
so that the model learns what to look past.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from lossdoctor.routing import reading, tables

HERE = Path(__file__).parent
_C = 3.0
"""Inverse regularisation; 1, 3 and 10 gave 0.896, 0.899, 0.893 exact classes in 5-fold cross-validation."""
_LEAST = 0.1
"""Weights below this are dropped: they change no decision on the development set."""
_COMMON = 3
"""A word becomes a feature when at least this many complaints use it."""
_COPIES = 2
_ANY = (
    "on my own dataset", "with resnet50", "using coco", "pytorch 2.1", "any idea?", "thanks in advance", "in your repo",
    "for my project", "on imagenet", "hi, nice work!", "please help", "I am new to this", "on an A100",
    "for segmentation",
)  # fmt: skip
_RUN = (
    "lr 1e-4", "batch size 8", "with Adam", "AdamW and cosine schedule", "2 gpus", "bs=16 lr=0.001", "sgd momentum 0.9",
    "unet", "vit backbone", "bf16", "I already tried a lower learning rate", "dropout 0.1", "default config", "lora",
    "cross entropy loss", "with augmentation", "gradient clipping 1.0", "warmup 500 steps", "focal loss",
    "8 epochs so far",
)  # fmt: skip


def main() -> None:
    rows = [json.loads(line) for line in (HERE / "own_dev.jsonl").read_text("utf-8").splitlines()]
    samples = [(reading.features_of(text), label) for text, label in _samples(rows)]
    kept = _features(rows)
    vectorizer = DictVectorizer()
    matrix = vectorizer.fit_transform([{k: v for k, v in seen.items() if k in kept} for seen, _ in samples])
    model = LogisticRegression(C=_C, max_iter=5000, fit_intercept=False).fit(
        matrix, [label for _, label in samples]
    )
    lines = [
        "# Written by benchmarks/routing/fit.py; never edited by hand. Feature, tab, class weight class weight ..."
    ]
    for column, feature in enumerate(vectorizer.get_feature_names_out()):
        pairs = zip(model.classes_, model.coef_[:, column], strict=True)
        cells = " ".join(f"{name} {weight:.2f}" for name, weight in pairs if abs(weight) >= _LEAST)
        lines.append(f"{feature}\t{cells}")
    (tables.FOLDER / "weights.tsv").write_text("\n".join(lines) + "\n", "utf-8")


def _samples(rows: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    symptoms = set(tables.raw("mapping")["groups"]["symptoms"]) - {
        "vague",
        "vague_poor",
        "slow_training",
        "oom",
    }
    picker = random.Random(0)
    for row in rows:
        text, label = row["text"], row["symptom_class"]
        yield text, label
        circumstances = (*_ANY, *(_RUN if label in symptoms else ()))
        for _ in range(_COPIES if label != "out_of_scope" else 0):
            yield f"{text.rstrip('.')}. {picker.choice(circumstances)}", label


def _features(rows: list[dict[str, Any]]) -> set[str]:
    uses = Counter(name for row in rows for name in reading.features_of(row["text"]))
    return {name for name, count in uses.items() if not name.startswith("'") or count >= _COMMON}


if __name__ == "__main__":
    main()
