import numpy as np
import torch


def load_graph(path):
    z = np.load(path)
    n = len(z["field"])
    adj = torch.zeros(n, n)
    e = torch.from_numpy(z["edges"].astype(np.int64))
    adj[e[:, 0], e[:, 1]] = 1.0
    adj[e[:, 1], e[:, 0]] = 1.0
    x = torch.from_numpy(z["features"])
    x = (x - x.mean(0)) / x.std(0)
    return x, adj + torch.eye(n), torch.from_numpy(z["field"].astype(np.int64))


def split(n, seed, parts=(0.5, 0.2)):
    perm = torch.randperm(n, generator=torch.Generator().manual_seed(seed))
    a, b = int(parts[0] * n), int((parts[0] + parts[1]) * n)
    return perm[:a], perm[a:b], perm[b:]
