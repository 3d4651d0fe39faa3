import numpy as np
import torch
from torch.utils.data import TensorDataset


def features(state):
    th1, th2, w1, w2, tau = state.T
    return np.stack([np.sin(th1), np.cos(th1), np.sin(th2), np.cos(th2), w1, w2, tau], axis=1)


def load(path, val_fraction, seed):
    with np.load(path) as z:
        x, y = features(z["state"]), z["accel"]
    order = np.random.default_rng(seed).permutation(len(x))
    n_val = int(len(x) * val_fraction)
    va, tr = order[:n_val], order[n_val:]
    mx, sx = x[tr].mean(0), x[tr].std(0)
    my, sy = y[tr].mean(0), y[tr].std(0)

    def pack(idx):
        return TensorDataset(
            torch.tensor((x[idx] - mx) / sx, dtype=torch.float32),
            torch.tensor((y[idx] - my) / sy, dtype=torch.float32),
        )

    return pack(tr), pack(va)
