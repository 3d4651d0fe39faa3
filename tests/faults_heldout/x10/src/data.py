import numpy as np
import torch
from sklearn.datasets import make_friedman1
from torch.utils.data import DataLoader, TensorDataset


def build(samples, features, noise, seed, batch_size):
    x, y = make_friedman1(n_samples=samples, n_features=features, noise=noise, random_state=seed)
    cut = int(0.8 * samples)
    xm, xs = x[:cut].mean(0), x[:cut].std(0)
    ym, ys = y[:cut].mean(), y[:cut].std()
    x = torch.tensor((x - xm) / xs, dtype=torch.float32)
    y = torch.tensor((y - ym) / ys, dtype=torch.float32).unsqueeze(1)
    train = DataLoader(TensorDataset(x[:cut], y[:cut]), batch_size=batch_size, shuffle=True)
    return train, (x[cut:], y[cut:])
