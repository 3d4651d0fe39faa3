"""Customer segments: 0 = stays, 1 = leaves, 2 = upgrades."""
import argparse

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from trainlib.loop import fit
from trainlib.precision import Precision


def load(path, seed):
    t = np.genfromtxt(path, delimiter=",", skip_header=1, dtype=np.float32)
    t = t[np.random.default_rng(seed).permutation(len(t))]
    x, y = t[:, :-1], t[:, -1].astype(np.int64)
    n = int(0.8 * len(t))
    x = (x - x[:n].mean(0)) / x[:n].std(0)
    sets = [TensorDataset(torch.from_numpy(x[s]), torch.from_numpy(y[s])) for s in (slice(0, n), slice(n, None))]
    return DataLoader(sets[0], 64, shuffle=True), DataLoader(sets[1], 400)


def mlp(n_in, n_out, width, depth):
    layers = []
    for _ in range(depth):
        layers += [nn.Linear(n_in, width), nn.LayerNorm(width), nn.GELU()]
        n_in = width
    return nn.Sequential(*layers, nn.Linear(n_in, n_out))


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=10)
    p.add_argument("--lr", type=float, default=0.05)
    p.add_argument("--max-norm", type=float, default=1.0)
    p.add_argument("--no-amp", action="store_true")
    a = p.parse_args()
    torch.manual_seed(1)
    loaders = load("customers.csv", 1)
    model = mlp(8, 3, 64, 2)
    opt = torch.optim.SGD(model.parameters(), lr=a.lr, momentum=0.9, weight_decay=1e-4)
    fit(model, opt, Precision(not a.no_amp), loaders, a.epochs, a.max_norm)
