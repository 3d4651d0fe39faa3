import numpy as np
import torch
from torch.utils.data import TensorDataset, random_split


def ratings(n_users=250, n_items=180, n_ctx=6, n=16000, seed=0):
    """Simulated log: user, item, weekday-part -> centred rating."""
    rng = np.random.default_rng(seed)
    U, V = rng.normal(size=(n_users, 4)), rng.normal(size=(n_items, 4))
    C = rng.normal(size=(n_ctx,)) * .3
    bu, bi = rng.normal(size=n_users) * .5, rng.normal(size=n_items) * .7
    u, i, c = rng.integers(0, n_users, n), rng.integers(0, n_items, n), rng.integers(0, n_ctx, n)
    r = bu[u] + bi[i] + C[c] + .35 * (U[u] * V[i]).sum(1) + rng.normal(0, .25, n)
    cats = torch.tensor(np.stack([u, i, c], 1))
    y = torch.tensor((r - r.mean()) / r.std(), dtype=torch.float32)
    ds = TensorDataset(cats, y)
    cut = int(.85 * n)
    return random_split(ds, [cut, n - cut], generator=torch.Generator().manual_seed(seed)), (n_users, n_items, n_ctx)
