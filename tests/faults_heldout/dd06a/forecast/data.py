import os

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

_HERE = os.path.dirname(os.path.abspath(__file__))


def make_loaders(cfg):
    raw = np.load(os.path.join(_HERE, "..", cfg.source))
    exo = np.stack([raw[name] for name in cfg.exogenous], axis=1).astype(np.float32)
    load = raw["load"].astype(np.float32)
    cut = len(load) - cfg.holdout_hours

    mu, sd = exo[:cut].mean(0), exo[:cut].std(0)
    exo = (exo - mu) / sd

    windows = np.lib.stride_tricks.sliding_window_view(exo, cfg.window, axis=0)
    target = load[cfg.window - 1:]
    x, y = torch.from_numpy(windows.copy()), torch.from_numpy(target.copy())
    k = cut - cfg.window
    train = DataLoader(TensorDataset(x[:k], y[:k]), batch_size=cfg.batch, shuffle=True)
    hold = DataLoader(TensorDataset(x[k + cfg.window:], y[k + cfg.window:]), batch_size=512)
    return train, hold
