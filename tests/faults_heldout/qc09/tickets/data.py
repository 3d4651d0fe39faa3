import random
from collections import Counter

import torch
from torch.utils.data import Dataset


def read(path, seed=0, share=0.8):
    with open(path) as f:
        rows = [line.rstrip("\n").split("\t") for line in f if line.strip()]
    random.Random(seed).shuffle(rows)
    cut = int(len(rows) * share)
    return rows[:cut], rows[cut:]


class Vocab:
    def __init__(self, rows, min_count=2):
        counts = Counter(w for _, text in rows for w in text.split())
        self.words = {w: i + 1 for i, (w, c) in enumerate(counts.most_common()) if c >= min_count}
        self.labels = {l: i for i, l in enumerate(sorted({l for l, _ in rows}))}

    def __len__(self):
        return len(self.words) + 1


class Tickets(Dataset):
    def __init__(self, rows, vocab):
        self.items = [(torch.tensor([vocab.words.get(w, 0) for w in t.split()]), vocab.labels[l]) for l, t in rows]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, k):
        return self.items[k]


def collate(batch):
    ids, labels = zip(*batch)
    offsets = torch.tensor([0] + [len(i) for i in ids[:-1]]).cumsum(0)
    return torch.cat(ids), offsets, torch.tensor(labels)
