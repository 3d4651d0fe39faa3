"""Synthetic citation graph: stochastic block model with sparse bag-of-words features."""
import numpy as np
import torch


def _features(block, words, k, rng):
    base = rng.dirichlet(np.full(words, 0.6))
    topic = [0.72 * base + 0.28 * rng.dirichlet(np.full(words, 0.15)) for _ in range(k)]
    x = np.zeros((len(block), words), dtype=np.float32)
    for i, b in enumerate(block):
        x[i, rng.choice(words, size=rng.integers(8, 20), p=topic[b])] = 1.0
    return x / np.maximum(x.sum(1, keepdims=True), 1)


def _normalised(adj):
    a = adj + np.eye(len(adj), dtype=np.float32)
    d = 1.0 / np.sqrt(a.sum(1))
    return a * d[:, None] * d[None, :]


def build_graph(nodes, communities, words, inside, outside, seed):
    rng = np.random.default_rng(seed)
    block = rng.integers(0, communities, nodes)
    p = np.where(block[:, None] == block[None, :], inside, outside)
    upper = np.triu(rng.random((nodes, nodes)) < p, 1).astype(np.float32)
    adj = torch.from_numpy(_normalised(upper + upper.T)).to_sparse()
    order = rng.permutation(nodes)
    masks = {}
    for name, part in zip(("train", "val", "test"), np.split(order, [180, 420])):
        m = torch.zeros(nodes, dtype=torch.bool)
        m[torch.from_numpy(part)] = True
        masks[name] = m
    return adj, torch.from_numpy(_features(block, words, communities, rng)), torch.from_numpy(block), masks
