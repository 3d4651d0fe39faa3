import csv

import torch
from torch.utils.data import DataLoader, TensorDataset


class Ratings:
    def __init__(self, path, holdout, batch_size, seed):
        with open(path) as f:
            rows = [(int(r["user"]), int(r["item"]), float(r["stars"])) for r in csv.DictReader(f)]
        g = torch.Generator().manual_seed(seed)
        order = torch.randperm(len(rows), generator=g)
        ids = torch.tensor([r[:2] for r in rows])[order]
        stars = torch.tensor([r[2] for r in rows])[order]
        n = int(len(rows) * holdout)
        self.n_users, self.n_items = (ids.max(0).values + 1).tolist()
        self.mean = stars[n:].mean().item()
        self.train = DataLoader(TensorDataset(ids[n:], stars[n:]), batch_size, shuffle=True, generator=g)
        self.test = DataLoader(TensorDataset(ids[:n], stars[:n]), 512)
