import numpy as np
import torch


def make_queries(n_queries, docs=20, dim=12, seed=0):
    """Graded relevance 0..4 from a hidden utility with feature interactions."""
    world = np.random.default_rng(777)
    w = world.normal(0, 1, dim)
    pairs = world.normal(0, 0.35, (dim, dim))
    rng = np.random.default_rng(seed)
    x = rng.normal(0, 1, (n_queries, docs, dim)) + rng.normal(0, 0.7, (n_queries, 1, dim))
    u = x @ w + np.einsum("qdi,ij,qdj->qd", x, pairs, x) + rng.normal(0, 0.8, (n_queries, docs))
    rank = u.argsort(1).argsort(1)
    grade = np.select([rank >= docs - 1, rank >= docs - 3, rank >= docs - 6, rank >= docs - 10], [4, 3, 2, 1], 0)
    return torch.from_numpy(x).float(), torch.from_numpy(grade)
