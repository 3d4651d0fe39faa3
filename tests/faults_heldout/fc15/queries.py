import numpy as np
import torch


def make_queries(n_queries, docs, n_features, seed):
    rng = np.random.default_rng(seed)
    w = np.random.default_rng(404)
    a = w.normal(size=(n_features, 6)) / np.sqrt(n_features)
    b = w.normal(size=6)
    x = rng.normal(size=(n_queries, docs, n_features))
    utility = np.maximum(x @ a, 0) @ b + 0.6 * x[..., 0] * x[..., 1] + 0.25 * rng.normal(size=(n_queries, docs))
    cuts = np.quantile(utility, [0.5, 0.75, 0.9, 0.97], axis=1)
    relevance = sum((utility > c[:, None]).astype(np.float32) for c in cuts)
    return torch.tensor(x, dtype=torch.float32), torch.tensor(relevance, dtype=torch.float32)
