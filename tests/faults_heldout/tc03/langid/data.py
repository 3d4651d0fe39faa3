import csv
import random

import torch
from torch.utils.data import TensorDataset

from .features import encode


def read_phrases(path):
    with open(path, newline="", encoding="utf-8") as f:
        return [(r["text"], r["lang"]) for r in csv.DictReader(f)]


def make_splits(path, val_share=0.2, seed=0):
    rows = read_phrases(path)
    random.Random(seed).shuffle(rows)
    names = sorted({lang for _, lang in rows})
    n_val = int(len(rows) * val_share)

    def build(part):
        y = torch.tensor([names.index(lang) for _, lang in part])
        return TensorDataset(encode([t for t, _ in part]), y)

    return build(rows[n_val:]), build(rows[:n_val]), names
