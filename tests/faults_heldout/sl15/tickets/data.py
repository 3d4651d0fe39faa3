import json

import torch
from torch.utils.data import Dataset

from .text import normalise

DESKS = ["booking", "vehicle", "cabin", "refund", "lost"]


def read(path):
    with open(path, encoding="utf-8") as fh:
        return [json.loads(line) for line in fh]


class Tickets(Dataset):
    def __init__(self, rows, vocab, length=20, prepare=None):
        self.y = torch.tensor([DESKS.index(r["desk"]) for r in rows])
        texts = [r["text"] for r in rows]
        if prepare is not None:
            texts = [prepare(t) for t in texts]
        self.x = torch.tensor([vocab.encode(t, length) for t in texts])

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


__all__ = ["DESKS", "Tickets", "normalise", "read"]
