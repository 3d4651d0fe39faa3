"""Random graphs of four families with about the same number of edges, as dense adjacency matrices."""
import numpy as np
import torch
from torch.utils.data import Dataset

FAMILIES = ("uniform", "preferential", "small world", "geometric")
NODES = 24


def _uniform(rng):
    a = np.triu(rng.random((NODES, NODES)) < 0.17, 1)
    return a | a.T


def _preferential(rng):
    a = np.zeros((NODES, NODES), bool)
    a[0, 1] = a[1, 0] = a[1, 2] = a[2, 1] = True
    for v in range(3, NODES):
        weight = a[:v].sum(1) + 0.3
        for u in rng.choice(v, size=2, replace=False, p=weight / weight.sum()):
            a[u, v] = a[v, u] = True
    return a


def _small_world(rng):
    a = np.zeros((NODES, NODES), bool)
    for v in range(NODES):
        for hop in (1, 2):
            u = (v + hop) % NODES if rng.random() > 0.25 else rng.integers(NODES)
            if u != v:
                a[u, v] = a[v, u] = True
    return a


def _geometric(rng):
    xy = rng.random((NODES, 2))
    dist = ((xy[:, None] - xy[None]) ** 2).sum(-1)
    a = dist < 0.066
    np.fill_diagonal(a, False)
    return a


_MAKERS = (_uniform, _preferential, _small_world, _geometric)


class GraphFamilies(Dataset):
    def __init__(self, count, seed):
        rng = np.random.default_rng(seed)
        self.family = rng.integers(0, len(FAMILIES), count)
        self.adjacency = []
        for f in self.family:
            order = rng.permutation(NODES)
            self.adjacency.append(_MAKERS[f](rng)[order][:, order])

    def __len__(self):
        return len(self.family)

    def __getitem__(self, i):
        a = torch.from_numpy(self.adjacency[i]).float()
        return a, int(self.family[i])
