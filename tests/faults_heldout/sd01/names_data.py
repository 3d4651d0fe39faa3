import csv
import random

import torch
from torch.utils.data import Dataset

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
CHAR_TO_ID = {c: i + 1 for i, c in enumerate(ALPHABET)}


def encode(name, max_len):
    ids = [CHAR_TO_ID.get(c, 0) for c in name.lower()[:max_len]]
    return ids + [0] * (max_len - len(ids))


class SurnameDataset(Dataset):
    def __init__(self, rows, languages, max_len):
        lookup = {lang: i for i, lang in enumerate(languages)}
        self.x = torch.tensor([encode(name, max_len) for name, _ in rows])
        self.y = torch.tensor([lookup[lang] for _, lang in rows])

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def load_splits(path, max_len, val_fraction, seed):
    with open(path, newline="", encoding="utf-8") as fh:
        rows = [(r["surname"], r["language"]) for r in csv.DictReader(fh)]
    languages = sorted({lang for _, lang in rows})
    random.Random(seed).shuffle(rows)
    n_val = int(len(rows) * val_fraction)
    val, train = rows[:n_val], rows[n_val:]
    return (SurnameDataset(train, languages, max_len),
            SurnameDataset(val, languages, max_len),
            languages)
