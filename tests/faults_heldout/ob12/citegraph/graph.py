from dataclasses import dataclass

import numpy as np
import torch


@dataclass
class Graph:
    x: torch.Tensor
    y: torch.Tensor
    adj: torch.Tensor
    train: torch.Tensor
    val: torch.Tensor
    test: torch.Tensor


def normalised_adjacency(src, dst, n):
    """D^-1/2 (A + I) D^-1/2 as a sparse tensor."""
    row = np.concatenate([src, dst, np.arange(n)])
    col = np.concatenate([dst, src, np.arange(n)])
    deg = np.bincount(row, minlength=n).astype(np.float32)
    value = 1.0 / np.sqrt(deg[row] * deg[col])
    index = torch.from_numpy(np.stack([row, col]).astype(np.int64))
    return torch.sparse_coo_tensor(index, torch.from_numpy(value), (n, n), check_invariants=False).coalesce()


def load_graph(path):
    raw = np.load(path)
    words = raw["words"].astype(np.float32)
    words /= words.sum(1, keepdims=True).clip(min=1.0)
    words *= words.shape[1] ** 0.5
    return Graph(
        x=torch.from_numpy(words),
        y=torch.from_numpy(raw["topic"].astype(np.int64)),
        adj=normalised_adjacency(raw["src"], raw["dst"], len(words)),
        **{k: torch.from_numpy(raw[k]) for k in ("train", "val", "test")},
    )
