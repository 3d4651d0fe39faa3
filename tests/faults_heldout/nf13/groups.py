import numpy as np
import torch
from torch.utils.data import Dataset, Sampler


class QueryLists(Dataset):
    def __init__(self, feats, grades, queries, keep):
        self.lists = []
        for q in keep:
            m = queries == q
            self.lists.append((torch.from_numpy(feats[m].astype(np.float32)), torch.from_numpy(grades[m].astype(np.int64))))

    def __len__(self):
        return len(self.lists)

    def __getitem__(self, i):
        return self.lists[i]

    def lengths(self):
        return [len(g) for _, g in self.lists]


class LengthBuckets(Sampler):
    """Batches of lists with about the same number of documents, in random order."""

    def __init__(self, lengths, batch, noise=3.0):
        self.lengths = torch.tensor(lengths, dtype=torch.float)
        self.batch, self.noise = batch, noise

    def __len__(self):
        return -(-len(self.lengths) // self.batch)

    def __iter__(self):
        key = self.lengths + self.noise * torch.randn(len(self.lengths))
        chunks = list(torch.argsort(key).split(self.batch))
        for j in torch.randperm(len(chunks)).tolist():
            yield chunks[j].tolist()


def pad_lists(items):
    n = max(len(g) for _, g in items)
    x = torch.zeros(len(items), n, items[0][0].size(1))
    g = torch.zeros(len(items), n, dtype=torch.long)
    mask = torch.zeros(len(items), n, dtype=torch.bool)
    for i, (f, y) in enumerate(items):
        x[i, : len(y)], g[i, : len(y)], mask[i, : len(y)] = f, y, True
    return x, g, mask
