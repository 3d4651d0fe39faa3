import numpy as np
import torch


def load(path="citations.npz", n_train=240, seed=0):
    z = np.load(path)
    e = torch.from_numpy(z["edges"].astype(np.int64))
    x = torch.from_numpy(z["feat"])
    x = (x - x.mean(0)) / x.std(0)
    y = torch.from_numpy(z["topic"])
    n = len(y)
    adj = torch.zeros(n, n)
    adj[e[0], e[1]] = 1
    adj[e[1], e[0]] = 1
    adj.fill_diagonal_(1)
    perm = torch.randperm(n, generator=torch.Generator().manual_seed(seed))
    return x, y, adj, perm[:n_train], perm[n_train:]
