import numpy as np
import torch


def block_graph(n=900, k=6, p_in=0.022, p_out=0.004, d=40, seed=9):
    """Papers in k fields: citations mostly inside the field, weak bag-of-words features."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    prob = np.where(y[:, None] == y[None, :], p_in, p_out)
    up = np.triu(rng.random((n, n)) < prob, 1)
    a = up + up.T + np.eye(n)
    deg = a.sum(1)
    norm = a / np.sqrt(deg[:, None] * deg[None, :])
    centres = rng.normal(size=(k, d)) * 0.22
    x = centres[y] + rng.normal(size=(n, d))
    order = rng.permutation(n)
    split = {"train": order[:180], "val": order[180:420], "test": order[420:]}
    to = lambda v, t: torch.as_tensor(v, dtype=t)
    return (to(x, torch.float32), to(norm, torch.float32), to(y, torch.int64),
            {s: to(i, torch.int64) for s, i in split.items()})
