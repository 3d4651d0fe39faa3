import numpy as np
import torch


def load(path):
    z = np.load(path)
    x = torch.from_numpy(z["words"].astype(np.float32))
    x = x / x.sum(1, keepdim=True).clamp(min=1)  # term frequencies
    return x, torch.from_numpy(z["topic"]), torch.from_numpy(z["cites"].astype(np.int64)).t()


def normalised_adjacency(edges, n):
    """D^-1/2 (A + I) D^-1/2."""
    loops = torch.arange(n).repeat(2, 1)
    e = torch.cat([edges, edges.flip(0), loops], 1)
    deg = torch.bincount(e[0], minlength=n).float()
    val = deg[e[0]].rsqrt() * deg[e[1]].rsqrt()
    adj = torch.zeros(n, n)
    adj[e[0], e[1]] = val
    return adj


def split(y, per_class, n_val, seed):
    g = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(y), generator=g)
    train = torch.cat([order[y[order] == c][:per_class] for c in range(int(y.max()) + 1)])
    rest = order[~torch.isin(order, train)]
    return train, rest[:n_val], rest[n_val:]
