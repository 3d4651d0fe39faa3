from collections import Counter

import torch


class TicketData:
    def __init__(self, path, max_len=28, min_count=2):
        with open(path, encoding="utf-8") as fh:
            rows = [line.rstrip("\n").split("\t") for line in fh]
        self.labels = sorted({r[0] for r in rows})
        counts = Counter(w for r in rows for w in r[1].split())
        self.vocab = ["<pad>", "<unk>"] + sorted(w for w, c in counts.items() if c >= min_count)
        stoi = {w: i for i, w in enumerate(self.vocab)}
        self.ids = torch.zeros(len(rows), max_len, dtype=torch.long)
        for i, (_, text) in enumerate(rows):
            ids = [stoi.get(w, 1) for w in text.split()][:max_len]
            self.ids[i, : len(ids)] = torch.tensor(ids)
        self.y = torch.tensor([self.labels.index(r[0]) for r in rows])

    def __len__(self):
        return len(self.y)


def kfold(n, k, generator):
    parts = torch.randperm(n, generator=generator).chunk(k)
    for i in range(k):
        yield torch.cat([p for j, p in enumerate(parts) if j != i]), parts[i]
