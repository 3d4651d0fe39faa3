"""Ratings of recipes by members; tastes follow a few latent directions."""
import numpy as np
import torch
from torch.utils.data import TensorDataset


def simulate(n_users=220, n_items=140, n=9000, rank=3, seed=0):
    rng = np.random.default_rng(seed)
    u = rng.normal(size=(n_users, rank))
    v = rng.normal(size=(n_items, rank))
    bu = 0.3 * rng.normal(size=n_users)
    bi = 0.5 * rng.normal(size=n_items)
    users = rng.integers(n_users, size=n)
    pop = rng.dirichlet(np.full(n_items, 1.5))
    items = rng.choice(n_items, size=n, p=pop)
    score = 3.4 + bu[users] + bi[items] + 0.5 * (u[users] * v[items]).sum(1) + rng.normal(0, 0.3, n)
    return users, items, np.clip(np.round(score * 2) / 2, 0.5, 5.0)


def splits(seed=0, holdout=0.15):
    users, items, r = simulate(seed=seed)
    t = TensorDataset(torch.tensor(users), torch.tensor(items), torch.tensor(r, dtype=torch.float32))
    perm = np.random.default_rng(seed + 1).permutation(len(r))
    k = int(len(r) * holdout)
    pick = lambda idx: TensorDataset(*(a[torch.as_tensor(idx)] for a in t.tensors))
    return pick(perm[k:]), pick(perm[:k]), int(users.max()) + 1, int(items.max()) + 1
