from pathlib import Path

import numpy as np
import torch


def load(path: Path):
    raw = np.load(path)
    x = torch.from_numpy(raw["x"])
    y = torch.from_numpy(raw["y"])
    part = torch.from_numpy(raw["part"])
    src, dst = torch.from_numpy(raw["edges"]).long()
    return x, y, normalized_adjacency(src, dst, len(x)), [part == k for k in range(3)]


def normalized_adjacency(src, dst, n):
    """D^-1/2 (A + I) D^-1/2 as a sparse matrix."""
    loop = torch.arange(n)
    rows, cols = torch.cat([src, dst, loop]), torch.cat([dst, src, loop])
    deg = torch.bincount(rows, minlength=n).float()
    w = (deg[rows] * deg[cols]).rsqrt()
    return torch.sparse_coo_tensor(torch.stack([rows, cols]), w, (n, n), check_invariants=True).coalesce()
