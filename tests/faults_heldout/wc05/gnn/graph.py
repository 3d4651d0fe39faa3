import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.neighbors import kneighbors_graph


def digit_graph(neighbours, labelled_per_class, seed):
    """Symmetric kNN graph over the digit images, GCN-normalised, with a transductive split."""
    digits = load_digits()
    x = digits.data / 16.0
    adj = kneighbors_graph(x, neighbours, mode="connectivity", include_self=True)
    adj = adj.maximum(adj.T).tocoo()
    deg = np.bincount(adj.row, weights=adj.data)
    vals = adj.data / np.sqrt(deg[adj.row] * deg[adj.col])
    indices = torch.from_numpy(np.stack([adj.row, adj.col]).astype(np.int64))
    a_hat = torch.sparse_coo_tensor(indices, torch.from_numpy(vals).float(), adj.shape).coalesce()

    rng = np.random.default_rng(seed)
    y = digits.target
    train = np.concatenate([rng.choice(np.flatnonzero(y == c), labelled_per_class, replace=False) for c in range(10)])
    rest = rng.permutation(np.setdiff1d(np.arange(len(y)), train))
    feats = torch.from_numpy((x - x.mean(0)).astype(np.float32))
    return a_hat, feats, torch.from_numpy(y).long(), torch.from_numpy(train), torch.from_numpy(rest[:500])
