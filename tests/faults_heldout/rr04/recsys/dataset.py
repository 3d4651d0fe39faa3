import csv
import random

import torch


class RatingTable:
    def __init__(self, path):
        with open(path, newline="") as f:
            rows = list(csv.DictReader(f))
        self.vocab = {
            col: {v: k for k, v in enumerate(sorted({r[col] for r in rows}))}
            for col in ("user", "book")
        }
        self.index = {col: torch.tensor([self.vocab[col][r[col]] for r in rows]) for col in self.vocab}
        self.rating = torch.tensor([float(r["rating"]) for r in rows])

    def __len__(self):
        return len(self.rating)

    def split(self, share, seed):
        ids = list(range(len(self)))
        random.Random(seed).shuffle(ids)
        cut = int(len(ids) * share)
        return torch.tensor(ids[cut:]), torch.tensor(ids[:cut])

    def take(self, ids):
        return {c: v[ids] for c, v in self.index.items()}, self.rating[ids]
