import numpy as np
import torch
from torch.utils.data import TensorDataset, random_split


def build(n_rows=12000, n_stores=60, n_products=90, seed=3):
    """Weekly log-sales of product x store, with a price and a promotion flag."""
    rng = np.random.default_rng(seed)
    s_lat = rng.normal(size=(n_stores, 3))
    p_lat = rng.normal(size=(n_products, 3))
    s = rng.integers(0, n_stores, n_rows)
    p = rng.integers(0, n_products, n_rows)
    price = rng.normal(size=n_rows)
    promo = rng.random(n_rows) < 0.2
    y = (s_lat[s] * p_lat[p]).sum(1) * 0.5 + 0.4 * s_lat[s, 0] + 0.4 * p_lat[p, 1]
    y = y - 0.3 * price + 0.5 * promo + 0.1 * rng.normal(size=n_rows)
    y = (y - y.mean()) / y.std()
    ds = TensorDataset(
        torch.from_numpy(s), torch.from_numpy(p),
        torch.tensor(np.stack([price, promo], 1), dtype=torch.float32),
        torch.tensor(y, dtype=torch.float32),
    )
    n_val = n_rows // 6
    return random_split(ds, [n_rows - n_val, n_val], generator=torch.Generator().manual_seed(seed))
