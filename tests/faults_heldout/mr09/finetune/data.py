import numpy as np
import torch
from sklearn.datasets import load_digits
from torch.utils.data import TensorDataset


def scans(seed):
    """Standard scans, used for the first training."""
    d = load_digits()
    x = torch.tensor(d.images / 16.0, dtype=torch.float32).unsqueeze(1)
    y = torch.tensor(d.target)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(seed))
    x, y = x[order], y[order]
    return (x[:900], y[:900]), (x[900:1450], y[900:1450]), (x[1450:], y[1450:])


def second_scanner(x, rng):
    """The new device: slanted page, lower contrast, some speckle."""
    x = x.numpy().copy()
    for r in range(8):
        x[:, :, r] = np.roll(x[:, :, r], 1 if r < 4 else 0, axis=-1)
    x = 0.15 + 0.6 * x + rng.normal(0, 0.05, x.shape)
    return torch.tensor(x, dtype=torch.float32)


def new_device_sets(seed):
    rng = np.random.default_rng(seed)
    _, (xt, yt), (xv, yv) = scans(0)
    return TensorDataset(second_scanner(xt, rng), yt), TensorDataset(second_scanner(xv, rng), yv)
