import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


def load(seed):
    d = load_digits()
    x = (d.data / 16.0).astype(np.float32)
    x_tr, x_te, y_tr, y_te = train_test_split(x, d.target, test_size=0.2, stratify=d.target, random_state=seed)
    return [torch.from_numpy(a) for a in (x_tr, y_tr, x_te, y_te)]


def dirichlet_split(labels, n_clients, alpha, rng, min_size=20):
    labels = labels.numpy()
    while True:
        parts = [[] for _ in range(n_clients)]
        for c in np.unique(labels):
            idx = rng.permutation(np.where(labels == c)[0])
            cuts = (np.cumsum(rng.dirichlet([alpha] * n_clients))[:-1] * len(idx)).astype(int)
            for part, chunk in zip(parts, np.split(idx, cuts)):
                part.extend(chunk.tolist())
        if min(map(len, parts)) >= min_size:
            return parts
