from dataclasses import dataclass

import numpy as np
import torch


@dataclass
class Graph:
    x: torch.Tensor
    adj: torch.Tensor
    y: torch.Tensor
    train: torch.Tensor
    valid: torch.Tensor
    test: torch.Tensor


def normalised_adjacency(edges, n):
    """D^-1/2 (A + I) D^-1/2 of an undirected edge list."""
    loops = torch.arange(n).repeat(2, 1)
    both = torch.cat([edges, edges.flip(0), loops], dim=1)
    degree = torch.zeros(n).index_add_(0, both[0], torch.ones(both.shape[1]))
    w = (degree[both[0]] * degree[both[1]]).rsqrt()
    return torch.sparse_coo_tensor(both, w, (n, n), check_invariants=True).coalesce()


def load(path, seed):
    raw = np.load(path)
    x = torch.from_numpy(raw["features"].astype(np.float32))
    y = torch.from_numpy(raw["topic"].astype(np.int64))
    edges = torch.from_numpy(raw["edges"].astype(np.int64)).T
    n = len(y)
    perm = torch.randperm(n, generator=torch.Generator().manual_seed(seed))
    parts = perm.split([n // 2, n // 4, n - n // 2 - n // 4])
    masks = []
    for part in parts:
        m = torch.zeros(n, dtype=torch.bool)
        m[part] = True
        masks.append(m)
    mean, std = x[masks[0]].mean(0), x[masks[0]].std(0)
    return Graph((x - mean) / std, normalised_adjacency(edges, n), y, *masks)
