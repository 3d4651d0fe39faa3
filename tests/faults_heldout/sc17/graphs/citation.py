"""A small citation-like graph: communities, noisy topic words, few labelled nodes per class."""
from dataclasses import dataclass

import numpy as np
import torch


@dataclass
class Graph:
    x: torch.Tensor
    y: torch.Tensor
    adj: torch.Tensor
    train: torch.Tensor
    valid: torch.Tensor
    test: torch.Tensor


def normalized_adjacency(edges, n):
    edges = np.concatenate([edges, edges[::-1], np.stack([np.arange(n)] * 2)], axis=1)
    edges = np.unique(edges, axis=1)
    deg = np.bincount(edges[0], minlength=n).astype(np.float64)
    weight = 1.0 / np.sqrt(deg[edges[0]] * deg[edges[1]])
    return torch.sparse_coo_tensor(torch.from_numpy(edges), torch.from_numpy(weight).float(), (n, n), check_invariants=True).coalesce()


def make_graph(n=1200, classes=6, words=200, per_class=20, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    same = y[:, None] == y[None, :]
    prob = np.where(same, 0.02, 0.0012)
    upper = np.triu(rng.random((n, n)) < prob, k=1)
    edges = np.stack(np.nonzero(upper))

    topic = rng.random((classes, words)) < 0.12
    x = rng.random((n, words)) < np.where(topic[y], 0.13, 0.04)
    x = x.astype(np.float32)
    x /= np.maximum(x.sum(1, keepdims=True), 1)

    order = rng.permutation(n)
    train = np.concatenate([order[y[order] == c][:per_class] for c in range(classes)])
    rest = order[~np.isin(order, train)]
    t = torch.from_numpy
    return Graph(t(x), t(y), normalized_adjacency(edges, n), t(train), t(rest[:300]), t(rest[300:800]))
