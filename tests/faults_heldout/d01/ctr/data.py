import numpy as np
import torch
from torch.utils.data import TensorDataset


def simulate(cfg):
    """Impression log: publisher, advertiser, region and hour-slot ids plus a few dense counters."""
    rng = np.random.default_rng(cfg.seed)
    cats = np.stack([rng.integers(0, c, cfg.n_rows) for c in cfg.cardinalities], 1)
    dense = rng.normal(size=(cfg.n_rows, cfg.n_dense))
    score = 0.4 * dense[:, 0] - 0.3 * dense[:, 1]
    for j, c in enumerate(cfg.cardinalities):
        effect = rng.normal(scale=0.9, size=c)
        score = score + effect[cats[:, j]]
    u, v = rng.normal(size=cfg.cardinalities[0]), rng.normal(size=cfg.cardinalities[1])
    score = score + 0.8 * u[cats[:, 0]] * v[cats[:, 1]]
    click = rng.random(cfg.n_rows) < 1 / (1 + np.exp(-(score - 0.3)))
    return cats, dense, click


def make_datasets(cfg):
    cats, dense, click = simulate(cfg)
    cut = int(0.8 * cfg.n_rows)
    out = []
    for sl in (slice(0, cut), slice(cut, None)):
        out.append(TensorDataset(torch.as_tensor(cats[sl]),
                                 torch.as_tensor(dense[sl], dtype=torch.float32),
                                 torch.as_tensor(click[sl], dtype=torch.float32)))
    return out
