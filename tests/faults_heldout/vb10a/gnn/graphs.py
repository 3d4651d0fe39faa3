"""Random graphs of four families, as padded dense adjacency matrices."""
import numpy as np
import torch

FAMILIES = ("erdos_renyi", "ring_lattice", "preferential", "communities")


def _erdos_renyi(rng, n):
    return rng.random((n, n)) < 4.0 / n


def _ring_lattice(rng, n):
    a = np.zeros((n, n), bool)
    for i in range(n):
        for step in (1, 2):
            j = (i + step) % n if rng.random() > 0.15 else rng.integers(n)
            a[min(i, j), max(i, j)] = True
    return a


def _preferential(rng, n):
    a = np.zeros((n, n), bool)
    ends = [0, 1]
    a[0, 1] = True
    for i in range(2, n):
        for j in {ends[rng.integers(len(ends))] for _ in range(2)}:
            a[j, i] = True
            ends += [i, j]
    return a


def _communities(rng, n):
    group = rng.integers(0, 3, n)
    same = group[:, None] == group[None]
    return rng.random((n, n)) < np.where(same, 10.0 / n, 0.6 / n)


BUILDERS = (_erdos_renyi, _ring_lattice, _preferential, _communities)


def sample(count, n_min, n_max, seed):
    rng = np.random.default_rng(seed)
    adj = np.zeros((count, n_max, n_max), np.float32)
    mask = np.zeros((count, n_max), np.float32)
    feats = np.zeros((count, n_max, 3), np.float32)
    labels = rng.integers(0, len(FAMILIES), count)
    for g, family in enumerate(labels):
        n = int(rng.integers(n_min, n_max + 1))
        a = np.triu(BUILDERS[family](rng, n), 1)
        a = (a | a.T).astype(np.float32)
        deg = a.sum(1)
        triangles = np.diagonal(a @ a @ a) / 2
        adj[g, :n, :n] = a
        mask[g, :n] = 1
        feats[g, :n] = np.stack([np.ones(n), np.log1p(deg), np.log1p(triangles)], 1)
    return tuple(torch.from_numpy(t) for t in (adj, mask, feats, labels))
