import numpy as np
import torch


def citation_like_graph(n=900, classes=6, p_in=0.03, p_out=0.0025, d=48, seed=12):
    """Stochastic block graph with noisy bag-of-words features."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    same = y[:, None] == y[None]
    upper = np.triu(rng.random((n, n)) < np.where(same, p_in, p_out), 1)
    adj = (upper | upper.T).astype("float32")
    topic = rng.random((classes, d)) < 0.25
    x = (rng.random((n, d)) < np.where(topic[y], 0.22, 0.12)).astype("float32")
    perm = rng.permutation(n)
    split = {"train": perm[:240], "val": perm[240:540], "test": perm[540:]}
    return (torch.tensor(x), torch.tensor(adj), torch.tensor(y),
            {k: torch.tensor(v) for k, v in split.items()})


def gcn_norm(adj):
    a = adj + torch.eye(len(adj))
    d = a.sum(1).rsqrt()
    return d[:, None] * a * d[None]
