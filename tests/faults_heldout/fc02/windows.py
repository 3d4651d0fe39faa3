from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset


def load_series():
    raw = np.load(Path(__file__).parent / "load.npz")["load"]
    split = int(0.8 * len(raw))
    mean, std = raw[:split].mean(), raw[:split].std()
    series = torch.from_numpy((raw - mean) / std)
    return series[:split], series[split:]


def windows(series, context, horizon):
    w = series.unfold(0, context + horizon, 1)
    return w[:, :context].contiguous(), w[:, context:].contiguous()


def loaders(context, horizon, batch_size):
    train, valid = load_series()
    tr = DataLoader(TensorDataset(*windows(train, context, horizon)), batch_size, shuffle=True, drop_last=True)
    va = DataLoader(TensorDataset(*windows(valid, context, horizon)), 512)
    return tr, va
