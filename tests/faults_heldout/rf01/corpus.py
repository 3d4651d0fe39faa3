import csv
from collections import Counter

import torch

PAD, UNK = 0, 1


def read_tickets(path):
    with open(path, newline="", encoding="utf-8") as fh:
        rows = list(csv.reader(fh, delimiter="\t"))
    return [r[0] for r in rows], [r[1].split() for r in rows]


class Vocabulary:
    def __init__(self, docs, min_count=2):
        counts = Counter(tok for d in docs for tok in d)
        self.index = {t: i + 2 for i, (t, c) in enumerate(counts.most_common()) if c >= min_count}

    def __len__(self):
        return len(self.index) + 2

    def encode(self, docs, max_len=24):
        out = torch.full((len(docs), max_len), PAD, dtype=torch.long)
        for i, d in enumerate(docs):
            ids = [self.index.get(t, UNK) for t in d[:max_len]]
            out[i, : len(ids)] = torch.tensor(ids)
        return out


def kfold(n, k, seed):
    g = torch.Generator().manual_seed(seed)
    perm = torch.randperm(n, generator=g)
    parts = perm.chunk(k)
    for i in range(k):
        rest = torch.cat([p for j, p in enumerate(parts) if j != i])
        yield rest, parts[i]
