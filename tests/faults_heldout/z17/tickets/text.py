import json
from collections import Counter

import torch
from torch.utils.data import Dataset


class Vocabulary:
    def __init__(self, texts, min_count=2):
        counts = Counter(w for t in texts for w in t.split())
        self.index = {w: k + 2 for k, (w, c) in enumerate(sorted(counts.items())) if c >= min_count}

    def __len__(self):
        return max(self.index.values()) + 1

    def encode(self, text):
        return torch.tensor([self.index.get(w, 1) for w in text.split()])


class TicketDataset(Dataset):
    def __init__(self, rows, vocab, queues):
        self.items = [(vocab.encode(r["text"]), queues.index(r["queue"])) for r in rows]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, k):
        return self.items[k]


def read_rows(path):
    with open(path) as f:
        return json.load(f)
