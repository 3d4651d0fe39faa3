import csv
from pathlib import Path

import numpy as np
import torch


def read_edges(path, n):
    adj = torch.zeros(n, n)
    with open(path, newline="") as fh:
        reader = csv.reader(fh)
        next(reader)
        for src, dst in reader:
            adj[int(src), int(dst)] = 1.0
            adj[int(dst), int(src)] = 1.0
    return adj


def normalise(adj):
    """D^-1/2 A D^-1/2"""
    deg = adj.sum(1)
    d = deg.pow(-0.5)
    return d[:, None] * adj * d[None, :]


def load_graph(folder):
    folder = Path(folder)
    z = np.load(folder / "papers.npz")
    x = torch.from_numpy(z["words"].astype(np.float32))
    x = x / x.sum(1, keepdim=True)
    x = (x - x.mean(0)) / x.std(0)
    y = torch.from_numpy(z["topic"].astype(np.int64))
    masks = {k: torch.from_numpy(z[k]) for k in ("train", "val", "test")}
    adj = normalise(read_edges(folder / "cites.csv", len(x)))
    return x, y, adj, masks
